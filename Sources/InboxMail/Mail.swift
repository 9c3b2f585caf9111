public import Foundation
import Groundwork
import InboxClient
package import Replica
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
/// All mails of the account are held, or what queries ask for (``MailScope``), without their bodies. Those of the newest are fetched too, others
/// when they are opened; they are kept within a budget (``MailConfiguration``).
///
/// Its connection lives as long as somebody holds it; ``close()`` ends it earlier.
public final class Mail: Sendable {
    /// The server's URL.
    public let server: URL
    /// The name under which the person signs in.
    public let user: String
    /// The id of the account whose mail this is; nil for the primary one (``accounts()``).
    public let account: String?

    /// The inbox in whose file it is; nil for one of its own.
    public let inbox: Inbox?

    package let store: ReplicaStore
    /// Told of each change of the store, until the mail is closed.
    let changes: Broadcast<Void>
    // Guarded by its lock.
    private let isShut = Locked(false)
    let engine: SyncEngine
    let connection: ServerConnection
    let configuration: MailConfiguration
    let files: FileCache
    let bodySource: BodySource
    let fileLists: FileLists
    /// Nil where everything is held.
    let slices: SliceRegistry?
    private let tasks: [Task<Void, Never>]
    @MainActor var liveThreads: LiveObjects<MailThread>?
    @MainActor var liveMessages: LiveObjects<MailMessage>?
    @MainActor var liveMailboxes: LiveObjects<Mailbox>?
    @MainActor var liveAttachments: LiveObjects<MailAttachment>?

    private init(
        server: URL,
        user: String,
        account: String?,
        inbox: Inbox?,
        store: ReplicaStore,
        connection: ServerConnection,
        scope: MailScope,
        _ configuration: MailConfiguration
    ) {
        self.server = server
        self.user = user
        self.account = account
        self.inbox = inbox
        self.store = store
        self.connection = connection
        self.configuration = configuration
        let engine = SyncEngine(
            store: store,
            connection: connection,
            types: RecordType.mail(scope),
            part: inbox == nil ? .first : .second,
            account: account,
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
        // The tasks hold the engine, never the mail, so that it goes when nobody holds it.
        let bodySource = BodySource(store: store, engine: engine, connection: connection, configuration: configuration)
        self.bodySource = bodySource
        let fileLists = FileLists(bodySource)
        self.fileLists = fileLists
        var tasks: [Task<Void, Never>] = []
        if inbox == nil {
            changes = store.changes
        } else {
            // What listens here ends with the mail, not with the inbox.
            let changes = Broadcast<Void>()
            self.changes = changes
            let stream = store.changes.stream()
            tasks.append(
                Task {
                    for await _ in stream { changes.send(()) }
                    changes.finish()
                }
            )
        }
        if configuration.isLive {
            let rounds = engine.rounds()
            tasks.append(Task { await fileLists.run(after: rounds) })
            if configuration.recentBodies > 0 {
                // Listened to from before the first sync on.
                let rounds = engine.rounds()
                tasks.append(Task { await RecentBodies(bodySource).run(after: rounds) })
            }
            tasks.append(Task { await engine.runLive() })
        }
        self.tasks = tasks
    }

    deinit {
        for task in tasks { task.cancel() }
        let (engine, store, inbox) = (engine, store, inbox)
        Task {
            await engine.close()
            if inbox == nil { await store.close() } else { store.stopKeeping(RecordType.mail) }
        }
    }

    /// Opens a person's mail. Waits for the file on this device only, never for the network.
    ///
    /// - Parameters:
    ///   - server: Where the mail server is: an `https` URL, or an `http` one of this machine itself. The session is looked for at its
    ///     `/.well-known/jmap` (RFC 8620 §2.2), or at the URL itself where it has a path.
    ///   - credentials: How the person shows who they are.
    ///   - account: The id of one of the accounts that ``accounts()`` tells; nil for the primary one.
    ///   - directory: A folder for the app's mail; each person on each server, and each account that is named, has a file of its own in it. Made
    ///     where it doesn't exist.
    ///   - scope: How much of the mail is to be on the device; another one than last time is taken with the next sync. The same in all processes
    ///     of the app.
    ///   - configuration: What may be set.
    /// - Throws: `InboxError`: `invalidArgument`; `storage` or `diskFull` when the file can't be opened. A damaged file is rebuilt from
    ///   the server.
    @concurrent
    public static func open(
        server: URL,
        credentials: MailCredentials,
        account: String? = nil,
        directory: URL,
        scope: MailScope = .everything,
        configuration: MailConfiguration = MailConfiguration()
    ) async throws -> Mail {
        try check(server, credentials)
        do {
            let store = try ReplicaStore(
                at: StoreLocation(directory: directory, server: server, person: person(credentials.user, account)),
                types: RecordType.mail(scope),
                clock: configuration.clock
            )
            try await store.take(scope)
            return Mail(server, credentials, account: account, inbox: nil, store: store, scope: scope, configuration)
        } catch {
            throw InboxError.wrapping(error)
        }
    }

    /// Opens a person's mail in the file of their inbox, so that both can be shown in one list (``observeTogether(limit:)``): out of one
    /// transaction, with one count of what is unread.
    ///
    /// It needs the inbox to be open, and lives in the same file: to sign out of the inbox deletes both.
    ///
    /// - Parameters:
    ///   - server: Where the mail server is, as in ``open(server:credentials:account:directory:scope:configuration:)``.
    ///   - credentials: How the person shows who they are. Where they are somebody else's than the last time, what was there is removed first.
    ///   - account: The id of one of the accounts that ``accounts()`` tells; nil for the primary one.
    ///   - inbox: The person's inbox. One mail can be open beside it at a time.
    ///   - scope: How much of the mail is to be on the device, as in ``open(server:credentials:account:directory:scope:configuration:)``.
    ///   - configuration: What may be set; the time is the inbox's.
    /// - Throws: `InboxError`: `invalidArgument`, also where there is mail beside this inbox already; `storage`, `diskFull`, `closed`.
    @concurrent
    public static func open(
        server: URL,
        credentials: MailCredentials,
        account: String? = nil,
        beside inbox: Inbox,
        scope: MailScope = .everything,
        configuration: MailConfiguration = MailConfiguration()
    ) async throws -> Mail {
        try check(server, credentials)
        let store = inbox.store
        do {
            guard try store.add(RecordType.mail(scope)) else {
                throw store.isClosed
                    ? InboxError.wrapping(StoreError.closed)
                    : InboxError(.invalidArgument, "There is mail beside this inbox already: close it first.")
            }
        } catch {
            throw InboxError.wrapping(error)
        }
        do {
            let whose = StoreLocation.digest(of: server.absoluteString + "\u{0}" + person(credentials.user, account))
            if try await store.read({ db in try db.setting(whoseSetting) }) != whose {
                // The files first: where the process ends in between, all of it is done again.
                try FileCache.deleteAll(in: store.location.files)
                try await store.write { writer in
                    try writer.forgetMail()
                    try writer.set(setting: whoseSetting, to: whose)
                }
            }
            try await store.take(scope)
        } catch {
            store.stopKeeping(RecordType.mail)
            throw InboxError.wrapping(error)
        }
        var configuration = configuration
        configuration.clock = store.clock
        return Mail(server, credentials, account: account, inbox: inbox, store: store, scope: scope, configuration)
    }

    /// Whose mail is in the file of an inbox.
    private static var whoseSetting: String { "mail of" }

    private convenience init(
        _ server: URL,
        _ credentials: MailCredentials,
        account: String?,
        inbox: Inbox?,
        store: ReplicaStore,
        scope: MailScope,
        _ configuration: MailConfiguration
    ) {
        let connection = ServerConnection(
            server: server,
            person: nil,
            scheme: credentials.scheme,
            token: credentials.token,
            transport: configuration.transport ?? URLSessionTransport(),
            clock: configuration.clock
        )
        self.init(
            server: server,
            user: credentials.user,
            account: account,
            inbox: inbox,
            store: store,
            connection: connection,
            scope: scope,
            configuration
        )
    }

    /// Names the store. The zero byte can be part of neither the user's name nor an account's id.
    private static func person(_ user: String, _ account: String?) -> String {
        (["mail", user] + (account.map { [$0] } ?? [])).joined(separator: "\u{0}")
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

    /// Ends the connection and closes the file, unless it is an inbox's. Every later call throws `InboxError` with the code `closed`.
    public func close() async {
        guard shut() else { return }
        await files.close()
        await engine.close()
        if inbox == nil { await store.close() } else { store.stopKeeping(RecordType.mail) }
    }

    /// Ends everything but the last sync: calls throw, and whoever listens is told the end.
    ///
    /// - Returns: False where that was done before.
    func shut() -> Bool {
        let isFirst = isShut.withLock { isShut in
            defer { isShut = true }
            return !isShut
        }
        for task in tasks { task.cancel() }
        return isFirst
    }

    private func checkOpen() throws(StoreError) {
        if isShut.withLock({ $0 }) { throw .closed }
    }

    /// Reads from the store.
    func read<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws -> T {
        engine.noteUse()
        do {
            try checkOpen()
            return try await store.read(body)
        } catch {
            throw InboxError.wrapping(error)
        }
    }

    /// Writes into the store.
    @discardableResult
    func write<T: Sendable>(_ body: @Sendable (StoreWriter) throws -> T) async throws -> T {
        engine.noteUse()
        do {
            try checkOpen()
            return try await store.write(body)
        } catch {
            throw InboxError.wrapping(error)
        }
    }
}
