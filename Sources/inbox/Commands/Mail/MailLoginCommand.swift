import ArgumentParser
import Foundation
import InboxClient
import InboxMail

/// `inbox mail login`: makes a directory the device of a mail account.
struct MailLoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Log in to a mail server, and fetch the mails.",
        discussion: """
            Verifies the login, and stores the server, the user name and the password or token in the device's \
            directory, readable only by you. The first sync fetches all mails without their texts and attachments. If \
            it is interrupted, the next one resumes it.

            Examples:
              inbox mail login --server https://mail.example.com --user anna --password-stdin < password
              inbox mail login --server https://mail.example.com --user anna --token-stdin < token
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Option(
        help: ArgumentHelp("The mail server's address.", valueName: "url"),
        transform: { try ServerAddress.parse($0) }
    )
    var server: URL

    @Option(help: ArgumentHelp("Your user name.", valueName: "name"))
    var user: String

    @Option(
        help: ArgumentHelp(
            "Your name and address, to send with where the server has none: 'Anna Berger <anna@example.com>'.",
            valueName: "address"
        )
    )
    var from: String?

    @Flag(help: "Read the password from standard input, or prompt for it at a terminal (Basic).")
    var passwordStdin = false

    @Flag(help: "Read a token from standard input, or prompt for it at a terminal (Bearer).")
    var tokenStdin = false

    func validate() throws {
        guard passwordStdin != tokenStdin else { throw ValidationError("Give --password-stdin or --token-stdin.") }
        if let from {
            let typed = EmailAddress.read(from)
            if let wrong = typed.unreadable.first {
                throw ValidationError("--from \(wrong.text.plainLine.cut(to: 60)): \(wrong.problem.message)")
            }
            guard typed.addresses.count == 1 else { throw ValidationError("--from has to be one address.") }
        }
    }

    func run() async throws {
        let device = deviceOptions.device { device in
            (try? device.mailLogin()).map { ($0.server, $0.user) == (server, user) } ?? false
        }
        let login = try readLogin()
        let isNew = !FileManager.default.fileExists(atPath: device.directory.path)
        // Tested before it is saved, so that a mistake shows immediately and an earlier login isn't lost.
        let (outcome, counts) = try await device.withMail(login, secret: { login.secret }) { mail in
            (try await SyncOutcome.attempt(mail, offline: false), try await mail.counts())
        }
        let confirmation = "Logged in as \(login.user.plainLine) at \(login.server.absoluteString)."
        switch outcome {
        case .failed(let error) where error.code == .unauthorized || error.code == .otherPerson:
            // Deletes the files that were created for the test.
            if isNew { try? FileManager.default.removeItem(at: device.directory) }
            throw Failure(
                "The server doesn't accept the user name and \(login.scheme.secret). Nothing was changed.",
                code: .notLoggedIn
            )
        case .failed(let error) where error.code == .serverError || error.code == .invalidAnswer:
            if isNew { try? FileManager.default.removeItem(at: device.directory) }
            throw Failure("\(error.description) Is \(login.server.absoluteString) a mail server with JMAP?")
        case .synced:
            try device.save(login)
            Output.line(
                "\(confirmation) \(counted(counts.total, "thread")), \(counts.unreadInInbox) unread in the inbox."
            )
        default:
            try device.save(login)
            Output.line(confirmation)
            Output.note("inbox: The login couldn't be verified: \(outcome.mailReason ?? "").")
        }
    }

    private func readLogin() throws -> MailLogin {
        let scheme = tokenStdin ? MailLogin.Scheme.bearer : .basic
        let text = try SecretPrompt.read(scheme.secret.capitalized)
        // A password may begin or end with a space. The line break isn't part of it.
        let secret =
            scheme == .basic
            ? String(text.prefix { !$0.isNewline }) : text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !secret.isEmpty else { throw Failure("There is no \(scheme.secret) on standard input.") }
        let sender = from.flatMap { EmailAddress.read($0).addresses.first }
        return MailLogin(server: server, user: user, scheme: scheme, secret: secret, sender: sender)
    }
}
