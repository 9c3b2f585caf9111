import ArgumentParser
import Foundation
import Groundwork
import InboxClient
import InboxMail
import MailSignIn

/// `inbox mail login`: makes a directory the device of a mail account.
struct MailLoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Log in to a mail server, and fetch the mails.",
        discussion: """
            With an address alone, finds the mail server and lets you sign in in the browser (OAuth). For servers \
            without it, give the server, the user name and a password or token.

            Verifies the login, and stores it in the device's directory, readable only by you. The first sync fetches \
            all mails without their texts and attachments. If it is interrupted, the next one resumes it.

            A directory has the mail of one user. Logging in as another one logs the earlier one out, unless drafts or \
            mails of theirs are on this device alone. To keep both, give each a --directory.

            Examples:
              inbox mail login anna@example.com
              inbox mail login --server https://mail.example.com --user anna \\
                --password-stdin < password
              inbox mail login --server https://mail.example.com --user anna \\
                --token-stdin < token
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Argument(help: "Your mail address, to sign in in the browser.")
    var address: String?

    @Option(
        help: ArgumentHelp("The mail server's address. (default: found by your mail address)", valueName: "url"),
        transform: { try ServerAddress.parse($0) }
    )
    var server: URL?

    @Option(help: ArgumentHelp("Your user name.", valueName: "name"))
    var user: String?

    @Option(
        help: ArgumentHelp("The id of this program at an authorization server that registers none.", valueName: "id")
    )
    var clientID: String?

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

    @Flag(help: "Also delete the earlier user's drafts that aren't sent or saved on the server.")
    var discardDrafts = false

    func validate() throws {
        guard address != "", user != "" else { throw ValidationError("Your mail address or user name is empty.") }
        guard address == nil || !passwordStdin && !tokenStdin && user == nil else {
            throw ValidationError("Give an address, or --server and --user with a password or token.")
        }
        if let address, EmailAddress.read(address).addresses.count != 1 {
            throw ValidationError("Your mail address is like name@domain, such as anna@example.com.")
        }
        guard !passwordStdin || !tokenStdin else {
            throw ValidationError("Give only one of --password-stdin and --token-stdin.")
        }
        if let from {
            let typed = EmailAddress.read(from)
            if let wrong = typed.unreadable.first {
                throw ValidationError("--from \(wrong.text.plainLine.cut(to: 60)): \(wrong.problem.message)")
            }
            guard typed.addresses.count == 1 else { throw ValidationError("--from has to be one address.") }
        }
    }

    func run() async throws {
        if address == nil {
            guard server != nil, user != nil else { throw ValidationError("Give your mail address.") }
            guard passwordStdin || tokenStdin else { throw ValidationError("Give --password-stdin or --token-stdin.") }
        }
        let (server, user) = (server, address ?? user)
        let device = deviceOptions.device { device in
            guard let login = try? device.mailLogin() else { return false }
            return login.user == user && (server == nil || login.server == server)
        }
        let isNew = !FileManager.default.fileExists(atPath: device.directory.path)
        let earlier = try? device.mailLogin()
        if let earlier, !discardDrafts,
            earlier.user.lowercased() != user?.lowercased() || (server != nil && earlier.server != server)
        {
            try await device.checkSaved(earlier)
        }
        let login = try await makeLogin(device, earlier)
        // Tested before it is saved, so that a mistake shows immediately and an earlier login isn't lost.
        let (outcome, counts) = try await device.withMail(login, secret: { login.secret }) { mail in
            (try await SyncOutcome.attempt(mail, offline: false), try await mail.counts())
        }
        let isOther = earlier.map { $0.user != login.user || $0.server != login.server } ?? false
        switch outcome {
        case .failed where isOther && !Self.isRejection(outcome):
            // The mail of the earlier one would be deleted, for one that perhaps doesn't work.
            await remove(login, device, isOther: true)
            let reason = outcome.reason(login: login.command) ?? ""
            throw Failure("The login couldn't be verified: \(reason). Nothing was changed.", code: .notLoggedIn)
        case .failed(let error) where error.code == .unauthorized || error.code == .otherPerson:
            await remove(login, device, isOther: isOther)
            // Deletes the files that were created for the test.
            if isNew { try? FileManager.default.removeItem(at: device.directory) }
            throw Failure(
                login.scheme == .oauth
                    ? "The mail server doesn't accept the sign-in."
                    : "The server doesn't accept the user name and \(login.scheme.secret). Nothing was changed.",
                code: .notLoggedIn
            )
        case .failed(let error) where error.code == .serverError || error.code == .invalidAnswer:
            await remove(login, device, isOther: isOther)
            if isNew { try? FileManager.default.removeItem(at: device.directory) }
            throw Failure("\(error.description) Is \(login.server.absoluteString) a mail server with JMAP?")
        case .synced:
            try await replace(earlier, with: login, device)
            Output.line(
                """
                Logged in as \(login.user.plainLine) at \(login.server.absoluteString). \
                \(counted(counts.total, "thread")), \(counts.unreadInInbox) unread in the inbox.
                """
            )
        default:
            try await replace(earlier, with: login, device)
            Output.line("The login as \(login.user.plainLine) at \(login.server.absoluteString) is stored.")
            Output.note("inbox: The login couldn't be verified: \(outcome.reason(login: login.command) ?? "").")
        }
    }

    /// Whether the server was reached, and isn't one or doesn't accept the login.
    private static func isRejection(_ outcome: SyncOutcome) -> Bool {
        guard case .failed(let error) = outcome else { return false }
        return [.unauthorized, .otherPerson, .serverError, .invalidAnswer].contains(error.code)
    }

    /// Stores a login. The mail of another one is deleted from this device, and its tokens are revoked.
    ///
    /// - Throws: ``Failure`` if some of that mail is on this device alone, and nothing has changed.
    private func replace(_ earlier: MailLogin?, with login: MailLogin, _ device: Device) async throws {
        if let earlier, earlier.user != login.user || earlier.server != login.server {
            let result: Device.SignOut
            do {
                result = try await device.signOut(earlier, discardsDrafts: discardDrafts)
            } catch {
                await revoke(login, device)
                throw error
            }
            Output.note("inbox: Logged out as \(earlier.user.plainLine) at \(earlier.server.absoluteString).")
            if result.lost > 0 {
                Output.note("inbox: \(counted(result.lost, "mail")) had changes that couldn't be sent.")
            }
        }
        try device.save(login)
        // Not revoked where the same user signs in once more: a server may end all of the user's tokens then.
        if let earlier, earlier.tokens != login.tokens { device.removeTokens(of: earlier) }
    }

    /// Removes the files of a login that isn't kept.
    ///
    /// - Parameter isOther: Whether the device has another login, so that it has a file of its own for this one.
    private func remove(_ login: MailLogin, _ device: Device, isOther: Bool) async {
        if isOther {
            _ = try? await device.withMail(login, secret: { login.secret }) { mail in
                try await mail.signOut(discardsDrafts: true)
            }
        }
        await revoke(login, device)
    }

    /// Revokes the tokens of a login that isn't kept.
    private func revoke(_ login: MailLogin, _ device: Device) async {
        guard login.scheme == .oauth else { return }
        _ = try? await device.keeper(of: login).signOut()
        device.removeTokens(of: login)
    }

    private func makeLogin(_ device: Device, _ earlier: MailLogin?) async throws -> MailLogin {
        var login: MailLogin
        if let address {
            let grant = try await BrowserSignIn(address: address, server: server, clientID: clientID).run()
            login = MailLogin(server: grant.server, user: grant.address, scheme: .oauth, secret: "", sender: sender)
            // Those of the login before stay valid until this one is verified.
            if earlier?.scheme == .oauth { login.tokens += "-\(RandomSource.system.token(length: 16))" }
            try await device.keep(grant, of: login)
        } else {
            login = try readLogin()
        }
        // That of the login before, which isn't given again.
        if let earlier, from == nil, (earlier.server, earlier.user) == (login.server, login.user) {
            login.sender = earlier.sender
        }
        return login
    }

    private var sender: EmailAddress? { from.flatMap { EmailAddress.read($0).addresses.first } }

    private func readLogin() throws -> MailLogin {
        guard let server, let user else { throw Failure("There is no server or user name.") }
        let scheme = tokenStdin ? MailLogin.Scheme.bearer : .basic
        let text = try SecretPrompt.read(scheme.secret.capitalized)
        // A password may begin or end with a space. The line break isn't part of it.
        let secret =
            scheme == .basic
            ? String(text.prefix { !$0.isNewline }) : text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !secret.isEmpty else { throw Failure("There is no \(scheme.secret) on standard input.") }
        return MailLogin(server: server, user: user, scheme: scheme, secret: secret, sender: sender)
    }
}
