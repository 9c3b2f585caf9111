import ArgumentParser
import Foundation
import InboxClient

/// `inbox login`: makes a directory the device of a person.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Log this device in as a person.",
        discussion: """
            Stores the server, the person and a token in the device's directory, readable only by you. The token comes \
            from the app's backend (POST /v1/people/{id}/tokens). With an API key, the tool requests a token itself. \
            The key is stored only with --remember-key, to renew expired tokens automatically.

            Options take precedence over environment variables, and INBOX_TOKEN takes precedence over INBOX_KEY.

            Examples:
              export INBOX_SERVER=http://127.0.0.1:8080
              inbox login --person alice --token-file token
              INBOX_KEY=… inbox login --person alice --directory second-device
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Option(
        help: ArgumentHelp("The server's address. (default: $INBOX_SERVER)", valueName: "url"),
        transform: { try ServerAddress.parse($0) }
    )
    var server: URL?

    @Option(help: ArgumentHelp("The person's id in the app.", valueName: "person"))
    var person: String

    @Option(
        help: ArgumentHelp("A file with a token for the person. (default: $INBOX_TOKEN)", valueName: "file"),
        completion: .file()
    )
    var tokenFile: String?

    @Option(help: ArgumentHelp("The token itself. Other users of this machine can see it.", valueName: "token"))
    var token: String?

    @Flag(help: "Read the token from standard input. At a terminal, prompt for it without echo.")
    var tokenStdin = false

    @Option(
        help: ArgumentHelp("A file with an API key, to request a token. (default: $INBOX_KEY)", valueName: "file"),
        completion: .file()
    )
    var keyFile: String?

    @Option(help: ArgumentHelp("The API key itself. Other users of this machine can see it.", valueName: "key"))
    var key: String?

    @Flag(help: "Store the API key too, to renew tokens.")
    var rememberKey = false

    /// Whether the options or, without any, the environment contain a token.
    private var hasToken: Bool {
        if token != nil || tokenFile != nil || tokenStdin { return true }
        return key == nil && keyFile == nil && Environment.value("INBOX_TOKEN") != nil
    }

    private func serverAddress() throws -> URL {
        guard let server = try server ?? Environment.value("INBOX_SERVER").map({ try ServerAddress.parse($0) }) else {
            throw ValidationError("The server is missing. Give --server URL, or set INBOX_SERVER.")
        }
        return server
    }

    func validate() throws {
        try PersonArgument.check(person)
        let given = [token != nil, tokenFile != nil, tokenStdin, key != nil, keyFile != nil]
        guard given.count(where: { $0 }) <= 1 else {
            throw ValidationError("Give one of --token-file, --token-stdin and --key-file.")
        }
        if rememberKey, hasToken { throw ValidationError("--remember-key requires an API key.") }
    }

    func run() async throws {
        let server = try serverAddress()
        guard hasToken || key != nil || keyFile != nil || Environment.value("INBOX_KEY") != nil else {
            throw ValidationError("Give --token-file, --token-stdin or --key-file (or set INBOX_TOKEN or INBOX_KEY).")
        }
        let device = deviceOptions.device { device in
            (try? device.login()).map { ($0.server, $0.person) == (server, person) } ?? false
        }
        let login = try await makeLogin(server)
        let isNew = !FileManager.default.fileExists(atPath: device.directory.path)
        // Tested before it is saved, so that a mistake shows immediately and an earlier login isn't lost.
        let inbox = try await device.open(login, token: TokenSource(device, fixed: login.token))
        let outcome = try await SyncOutcome.attempt(inbox, offline: false)
        let counts = try await inbox.counts()
        await inbox.close()
        switch outcome {
        case .failed(let error) where error.code == .unauthorized || error.code == .otherPerson:
            // Deletes the files that were created for the test.
            if isNew { try? FileManager.default.removeItem(at: device.directory) }
            let why =
                error.code == .otherPerson
                ? "The token belongs to another person."
                : error.tokenRefusal?.description ?? "The server doesn't accept the token."
            throw Failure("\(why) Nothing was changed. Get a new token and try again.", code: .notLoggedIn)
        case .failed(let error) where error.code == .serverError || error.code == .invalidAnswer:
            throw Failure("\(error.description) Is \(login.server.absoluteString) an inbox server?")
        case .synced:
            try device.save(login)
            Output.line(
                """
                Logged in as \(login.person.plainLine) at \(login.server.absoluteString). \
                \(counted(counts.total, "message")), \(counts.unread) unread.
                """
            )
        default:
            try device.save(login)
            Output.line("The login as \(login.person.plainLine) at \(login.server.absoluteString) is stored.")
            Output.note("inbox: The login couldn't be verified: \(outcome.reason ?? "").")
        }
    }

    private func makeLogin(_ server: URL) async throws -> Login {
        if hasToken, !tokenStdin, let token = try Secret.token.read(token, file: tokenFile) {
            return Login(server: server, person: person, token: token)
        }
        if tokenStdin {
            let text = try SecretPrompt.read("Token")
            let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
            guard !token.isEmpty else { throw Failure("There is no token on standard input.") }
            return Login(server: server, person: person, token: token)
        }
        let key = try Secret.key.read(key, file: keyFile) ?? ""
        let token = try await ServerAPI(url: server, key: key).makeToken(for: person)
        return Login(
            server: server,
            person: person,
            token: token.text,
            tokenExpiresAt: token.expiresAt,
            key: rememberKey ? key : nil
        )
    }
}
