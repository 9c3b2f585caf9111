public import Foundation
import Groundwork
import InboxModel
public import Replica

/// One person's inbox on this device.
///
/// ```swift
/// let inbox = try await Inbox.open(server: url, person: "alice", directory: folder) {
///     try await myBackend.inboxToken()
/// }
/// for try await snapshot in inbox.observe() {
///     show(snapshot.items, badge: snapshot.counts.unread)
/// }
/// ```
///
/// Reads come from a file on the device and work without a network. A change is stored in that file before the call
/// returns, is visible at once, and is sent when the server can be reached. A list, its counts and its pending writes
/// always come from one transaction. All work happens off the main actor.
///
/// The connection lives as long as the inbox is retained. ``close()`` ends it earlier.
///
/// An inbox may be opened several times in a process. All instances share the file and the connection, which are closed
/// with the last instance. Each instance is closed separately. The connection's configuration (limits, clock,
/// transport, poll intervals, logger) is that of the first instance. The connection is kept while at least one instance
/// is live, and tokens are requested from the instance that was opened last. Signing out through one instance closes
/// all of them.
public final class Inbox: Sendable {
    /// The server's URL.
    public let server: URL
    /// The app's id for the person.
    public let person: String
    /// The repair of a damaged file when the inbox was opened. Nil if the file was intact.
    public let repair: ReplicaRepair?

    package let store: ReplicaStore
    let engine: SyncEngine
    let clock: any WallClock
    let random: RandomSource
    /// The consent for categories without a choice of the person.
    let trackingConsent: TrackingConsent
    /// Whether a push that doesn't name its recipient is accepted.
    let acceptsPushesWithoutPerson: Bool
    /// Sends an element for each change of the store, until this inbox is closed.
    let changes: Broadcast<Void>
    /// The connection's states and the refused writes, until this inbox is closed.
    let states: Broadcast<ConnectionState>
    let refusals: Broadcast<RefusedWrite>
    let open: OpenStore
    /// Identifies this inbox among the users of the store.
    private let user: UUID
    // Guarded by its lock.
    private let isMarkedClosed = Locked(false)
    @MainActor var liveObjects: LiveObjects<Message>?

    private init(
        server: URL,
        person: String,
        open: OpenStore,
        user: UUID,
        _ configuration: InboxConfiguration
    ) {
        self.server = server
        self.person = person
        (self.open, self.user) = (open, user)
        (store, engine) = (open.store, open.engine)
        changes = store.changes.branch()
        states = engine.connectionState.branch()
        refusals = engine.refusals.branch()
        clock = store.clock
        random = configuration.random
        trackingConsent = configuration.trackingConsent
        acceptsPushesWithoutPerson = configuration.acceptsPushesWithoutPerson
        repair = store.repair
    }

    deinit {
        if markClosed() { endStreams() }
        guard open.leave(user) else { return }
        let open = open
        Task { await open.close() }
    }

    /// Opens a person's inbox. It waits for the file on this device only, never for the network.
    ///
    /// - Parameters:
    ///   - server: The URL of the inbox server: `https`, or `http` of this machine itself (`localhost`, 127.0.0.0/8,
    ///   `::1`).
    ///   - person: The app's own id of the person, 1 to 256 bytes of UTF-8. A token of another person is rejected.
    ///   - directory: A folder for the app's inboxes, with a file for each person on each server. It is created if it
    ///   doesn't exist. By default ``defaultDirectory``. An app whose extensions show the inbox too gives a folder of
    ///   their app group.
    ///   - configuration: The settings.
    ///   - token: Returns a token of the person, which the app's backend gets from the server
    ///   (`POST /v1/people/{id}/tokens`). It is called when a token is needed, and once more when the server rejects
    ///   it. If it throws, it is called again later, as after any retryable failure. After a rejected token it is
    ///   called from time to time, until it returns another one (`ConnectionState.unauthorized(reason:)`).
    /// - Throws: ``InboxError``: `invalidArgument`; `storage` or `diskFull` if the file can't be opened; `newerVersion`
    ///   if a newer version of the app changed it. A damaged file is rebuilt from the server; ``repair`` reports it.
    @concurrent
    public static func open(
        server: URL,
        person: String,
        directory: URL = Inbox.defaultDirectory,
        configuration: InboxConfiguration = InboxConfiguration(),
        token: @escaping @Sendable () async throws -> String
    ) async throws -> Inbox {
        guard (1...MessageLimits.person).contains(person.utf8.count) else {
            throw InboxError(.invalidArgument, "A person's id has 1 to \(MessageLimits.person) bytes.")
        }
        guard server.allowsCredentials else {
            throw InboxError(
                .invalidArgument,
                """
                The server's URL must start with https:// and have a host. http:// is allowed only for this machine, \
                such as http://127.0.0.1:8080.
                """
            )
        }
        do {
            let location = StoreLocation(directory: directory, server: server, person: person)
            let user = UUID()
            let open = try await OpenStore.open(
                location,
                server: server,
                person: person,
                for: user,
                configuration,
                token: token
            )
            return Inbox(server: server, person: person, open: open, user: user, configuration)
        } catch {
            throw InboxError.wrapping(error)
        }
    }

    /// The folder of this app's inboxes: `Inboxes`, in a folder named by the app's bundle identifier (or by the
    /// program, if it has none) in the user's Application Support directory. On Linux that is `$XDG_DATA_HOME`, by
    /// default `~/.local/share`.
    public static var defaultDirectory: URL { StoreLocation.appDirectory("Inboxes") }

    /// Closes this inbox. Ends the connection and closes the file, unless another inbox of this process uses them.
    /// Every later call throws ``InboxError`` with the code `closed`.
    public func close() async {
        let isFirst = markClosed()
        if open.leave(user) { await open.close() }
        // After the store is closed, so that observers of the streams can't read any more.
        if isFirst { endStreams() }
    }

    /// Makes every later call through this inbox throw.
    ///
    /// - Returns: False if the inbox was already closed.
    private func markClosed() -> Bool {
        isMarkedClosed.withLock { isMarkedClosed in
            defer { isMarkedClosed = true }
            return !isMarkedClosed
        }
    }

    /// Ends the streams of this inbox.
    private func endStreams() {
        changes.finish()
        states.send(.closed)
        states.finish()
        refusals.finish()
    }

    /// Whether this inbox was closed with ``close()``. The store may be closed without that.
    var isClosed: Bool { isMarkedClosed.withLock { $0 } }

    func checkOpen() throws(StoreError) {
        if isClosed { throw .closed }
    }
}
