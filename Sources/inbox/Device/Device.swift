import Foundation
import Groundwork
import InboxClient
import Replica

/// A directory with the data of one person's device: the login and the messages.
struct Device: Sendable {
    let directory: URL

    /// The files with logins: for messages, and for mail. A device has at least one of them.
    static let loginFiles = ["login.json", "mail.json"]

    private var loginFile: URL { directory.appendingPathComponent(Self.loginFiles[0], isDirectory: false) }

    /// Returns the login.
    ///
    /// - Throws: ``Failure`` with the code `notLoggedIn` if there is none.
    func login() throws -> Login {
        guard let bytes = try PrivateFile.read(loginFile) else {
            throw Failure(
                """
                This device has no login (\(directory.path)). Log in with: inbox login --server URL --person ID \
                --token-stdin\(DeviceOptions.again)
                """,
                code: .notLoggedIn
            )
        }
        do {
            let login = try Login(json: JSON(parsing: bytes))
            PrivateFile.protect(loginFile, secret: "token")
            return login
        } catch {
            throw Failure(
                "\(loginFile.path) isn't a login: \(error). Log in again with: \(Login.command)",
                code: .notLoggedIn
            )
        }
    }

    func save(_ login: Login) throws {
        try PrivateFile.replace(loginFile, with: login.json.utf8)
    }

    /// Removes the login.
    func removeLogin() throws {
        do {
            try PrivateFile.remove(loginFile)
        } catch {
            throw Failure("\(loginFile.path) can't be removed: \(error.fileReason).")
        }
    }

    /// Opens the inbox of the logged-in person.
    ///
    /// - Parameter isLive: Whether the inbox keeps a connection. Otherwise it syncs on request.
    func open(isLive: Bool = false) async throws -> Inbox {
        try await open(try login(), isLive: isLive)
    }

    /// Opens the inbox of a login, which may be unsaved.
    func open(_ login: Login, isLive: Bool = false, token: TokenSource? = nil) async throws -> Inbox {
        var configuration = InboxConfiguration()
        configuration.isLive = isLive
        let transport = SystemTransport.make()
        let isStored = token == nil && FileManager.default.fileExists(atPath: storeFile(login).path)
        configuration.transport = isStored && !isLive ? FirstAnswerTransport(transport) : transport
        // Changes are already stored: the other process sends them.
        configuration.otherProcessDeadline = 3
        let source = token ?? TokenSource(self)
        let inbox = try await Inbox.open(
            server: login.server,
            person: login.person,
            directory: directory,
            configuration: configuration
        ) { try await source.token() }
        if let repair = inbox.repair { Output.note("inbox: \(repair)") }
        return inbox
    }

    /// The file that holds a person's messages.
    func storeFile(_ login: Login) -> URL {
        StoreLocation(directory: directory, server: login.server, person: login.person).file
    }
}

/// A transport that waits less for the server's first answer than for all others. A command then shows what is stored
/// without much delay, and stores changes to be sent later.
struct FirstAnswerTransport: Transport {
    private let transport: any Transport
    private let isAnswered = Locked(false)

    /// The time to wait for the first answer, in seconds.
    private static let patience = 15.0

    init(_ transport: any Transport) {
        self.transport = transport
    }

    func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
        if isAnswered.withLock({ $0 }) { return try await transport.send(request, maxBytes: maxBytes) }
        let response = try await withDeadline(seconds: Self.patience, clock: SystemClock()) { [transport] in
            try await transport.send(request, maxBytes: maxBytes)
        }
        isAnswered.withLock { $0 = true }
        return response
    }

    func stream(_ request: TransportRequest) async throws -> TransportStream {
        try await transport.stream(request)
    }
}
