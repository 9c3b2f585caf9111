public import Foundation
import Groundwork
import InboxClient
import Replica
import class GRDB.Database

/// One person's mail on this device, from any server that speaks JMAP (RFC 8620, RFC 8621).
///
/// ```swift
/// let mail = try await Mail.open(server: url, credentials: .basic(user: "anna") { password }, directory: folder)
/// for try await snapshot in mail.observeThreads(Query(where: #Predicate { $0.isInInbox })) {
///     show(snapshot.items, badge: snapshot.counts.unreadInInbox)
/// }
/// ```
///
/// What is read comes from a file on the device, so that it works without network. What the person does is stored in that file before the
/// call returns, shows at once, and is sent when the server can be reached. Nothing runs on the caller's thread but handing over.
///
/// All mails of the account are held, or what queries ask for (``MailScope``), without their bodies; a body is fetched when it is opened, and kept
/// within a budget.
///
/// Its connection lives as long as somebody holds it; ``close()`` ends it earlier.
public final class Mail: Sendable {
    /// The server's URL.
    public let server: URL
    /// The name under which the person signs in.
    public let user: String

    let store: ReplicaStore
    let engine: SyncEngine
    let connection: ServerConnection
    let configuration: MailConfiguration
    let files: FileCache
    /// Nil where everything is held.
    let slices: SliceRegistry?
    private let tasks: [Task<Void, Never>]
    @MainActor var liveThreads: LiveObjects<MailThread>?
    @MainActor var liveMessages: LiveObjects<MailMessage>?

    private init(
        server: URL,
        user: String,
        store: ReplicaStore,
        connection: ServerConnection,
        scope: MailScope,
        _ configuration: MailConfiguration
    ) {
        self.server = server
        self.user = user
        self.store = store
        self.connection = connection
        self.configuration = configuration
        let engine = SyncEngine(
            store: store,
            connection: connection,
            settings: configuration.syncSettings,
            clock: configuration.clock,
            random: configuration.random
        )
        self.engine = engine
        slices = SliceRegistry(store, engine.slices, scope)
        files = FileCache(
            folder: store.location.files,
            budget: configuration.fileBudget,
            connection: connection,
            clock: configuration.clock,
            account: { try await engine.account(for: .email) }
        )
        // The task holds the engine, never the mail, so that it goes when nobody holds it.
        tasks = configuration.isLive ? [Task { await engine.runLive() }] : []
    }

    deinit {
        for task in tasks { task.cancel() }
        let (engine, store) = (engine, store)
        Task {
            await engine.close()
            await store.close()
        }
    }

    /// Opens a person's mail. Waits for the file on this device only, never for the network.
    ///
    /// - Parameters:
    ///   - server: Where the mail server is: an `https` URL, or an `http` one of this machine itself. The session is looked for at its
    ///     `/.well-known/jmap` (RFC 8620 §2.2), or at the URL itself where it has a path.
    ///   - credentials: How the person shows who they are.
    ///   - directory: A folder for the app's mail; each person on each server has a file of their own in it. Made where it doesn't exist.
    ///   - scope: How much of the mail is to be on the device; another one than last time is taken with the next sync. The same in all processes
    ///     of the app.
    ///   - configuration: What may be set.
    /// - Throws: `InboxError`: `invalidArgument`; `storage` or `diskFull` when the file can't be opened. A damaged file is rebuilt from
    ///   the server.
    @concurrent
    public static func open(
        server: URL,
        credentials: MailCredentials,
        directory: URL,
        scope: MailScope = .everything,
        configuration: MailConfiguration = MailConfiguration()
    ) async throws -> Mail {
        try check(server, credentials)
        do {
            let store = try ReplicaStore(
                at: StoreLocation(directory: directory, server: server, person: "mail\u{0}\(credentials.user)"),
                types: RecordType.mail(scope),
                clock: configuration.clock
            )
            try await store.take(scope)
            let connection = ServerConnection(
                server: server,
                person: nil,
                scheme: credentials.scheme,
                token: credentials.token,
                transport: configuration.transport ?? URLSessionTransport(),
                clock: configuration.clock
            )
            return Mail(
                server: server,
                user: credentials.user,
                store: store,
                connection: connection,
                scope: scope,
                configuration
            )
        } catch {
            throw InboxError.wrapping(error)
        }
    }

    private static func check(_ server: URL, _ credentials: MailCredentials) throws {
        guard let scheme = server.scheme?.lowercased(), ["http", "https"].contains(scheme), let host = server.host()
        else {
            throw InboxError(.invalidArgument, "The server's URL has to start with https:// and name a host.")
        }
        let isHere = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
        guard scheme == "https" || isHere else {
            throw InboxError(
                .invalidArgument,
                "A password or token goes over https:// only, or to this machine itself."
            )
        }
        guard (1...256).contains(credentials.user.utf8.count) else {
            throw InboxError(.invalidArgument, "The user's name has 1 to 256 bytes.")
        }
        guard credentials.scheme != .basic || !credentials.user.contains(":") else {
            throw InboxError(.invalidArgument, "The user's name must not contain a colon (RFC 7617).")
        }
    }

    /// Ends the connection and closes the file. Every later call throws `InboxError` with the code `closed`.
    public func close() async {
        endTasks()
        await files.close()
        await engine.close()
        await store.close()
    }

    func endTasks() {
        for task in tasks { task.cancel() }
    }

    /// Reads from the store.
    func read<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws -> T {
        do {
            return try await store.read(body)
        } catch {
            throw InboxError.wrapping(error)
        }
    }

    /// Writes into the store.
    @discardableResult
    func write<T: Sendable>(_ body: @Sendable (StoreWriter) throws -> T) async throws -> T {
        do {
            return try await store.write(body)
        } catch {
            throw InboxError.wrapping(error)
        }
    }
}
