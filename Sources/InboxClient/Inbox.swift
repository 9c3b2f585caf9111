public import Foundation
import Groundwork
import InboxModel
package import Replica
import class GRDB.Database

/// One person's inbox on this device.
///
/// ```swift
/// let inbox = try await Inbox.open(server: url, person: "alice", directory: folder) { try await myBackend.inboxToken() }
/// for try await snapshot in inbox.observe() {
///     show(snapshot.messages, badge: snapshot.counts.unread)
/// }
/// ```
///
/// What is read comes from a file on the device, so that it works without network. What the person does is stored in that file
/// before the call returns, shows at once, and is sent when the server can be reached; a list, its counts and what is still to be sent
/// always come out of one transaction. Nothing runs on the caller's thread but handing over.
///
/// Its connection lives as long as somebody holds the inbox; ``close()`` ends it earlier.
public final class Inbox: Sendable {
    /// The server's URL.
    public let server: URL
    /// The app's id for the person.
    public let person: String
    /// What was done about a damaged file when this inbox was opened; nil where it was sound.
    public let repair: InboxRepair?

    package let store: ReplicaStore
    let engine: SyncEngine
    let clock: any WallClock
    let random: RandomSource
    /// How the person stands to categories of which they said nothing.
    let trackingConsent: TrackingConsent
    let tasks: [Task<Void, Never>]
    @MainActor var liveObjects: LiveObjects<Message>?

    private init(
        server: URL,
        person: String,
        store: ReplicaStore,
        engine: SyncEngine,
        _ configuration: InboxConfiguration
    ) {
        self.server = server
        self.person = person
        self.store = store
        self.engine = engine
        clock = store.clock
        random = configuration.random
        trackingConsent = configuration.trackingConsent
        repair = store.repair.map(InboxRepair.init)
        // The tasks hold the store and the engine, never the inbox, so that it goes when nobody holds it.
        var tasks = [
            Task {
                await store.keepTime()
                // Where the person signed out in another process, nobody here has closed it.
                if store.isClosed { await engine.close() }
            }
        ]
        if configuration.isLive { tasks.append(Task { await engine.runLive() }) }
        self.tasks = tasks
    }

    deinit {
        for task in tasks { task.cancel() }
        let (engine, store) = (engine, store)
        Task {
            await engine.close()
            await store.close()
        }
    }

    /// Opens a person's inbox. Waits for the file on this device only, never for the network.
    ///
    /// - Parameters:
    ///   - server: Where the inbox server is, an `http` or `https` URL.
    ///   - person: The app's own id for the person, 1–256 bytes of UTF-8. A token of somebody else is refused.
    ///   - directory: A folder for the app's inboxes; each person on each server has a file of its own in it. Made where it doesn't exist.
    ///   - configuration: What may be set.
    ///   - token: Gives a token of the person's, which the app's backend gets from the server
    ///     (`POST /v1/people/{id}/tokens`). Called when one is needed, and again once when the server no longer takes it. Where it
    ///     throws, it is called again later, as after any failure that passes.
    /// - Throws: ``InboxError``: `invalidArgument`; `storage` or `diskFull` when the file can't be opened. A damaged file is rebuilt
    ///   from the server; ``repair`` tells of it.
    @concurrent
    public static func open(
        server: URL,
        person: String,
        directory: URL,
        configuration: InboxConfiguration = InboxConfiguration(),
        token: @escaping @Sendable () async throws -> String
    ) async throws -> Inbox {
        guard (1...MessageLimits.person).contains(person.utf8.count) else {
            throw InboxError(.invalidArgument, "A person's id has 1 to \(MessageLimits.person) bytes.")
        }
        guard let scheme = server.scheme?.lowercased(), ["http", "https"].contains(scheme), server.host() != nil else {
            throw InboxError(
                .invalidArgument,
                "The server's URL has to start with http:// or https:// and name a host."
            )
        }
        do {
            let location = StoreLocation(directory: directory, server: server, person: person)
            let store = try ReplicaStore(
                at: location,
                types: RecordType.inbox,
                clock: configuration.clock,
                writeHook: configuration.writeHook
            )
            let connection = ServerConnection(
                server: server,
                person: person,
                token: token,
                transport: configuration.transport ?? URLSessionTransport(),
                clock: configuration.clock
            )
            let engine = SyncEngine(
                store: store,
                connection: connection,
                settings: configuration.syncSettings,
                clock: configuration.clock,
                random: configuration.random
            )
            return Inbox(server: server, person: person, store: store, engine: engine, configuration)
        } catch {
            throw InboxError.wrapping(error)
        }
    }

    /// Ends the connection and closes the file. Every later call throws ``InboxError`` with the code `closed`.
    public func close() async {
        for task in tasks { task.cancel() }
        await engine.close()
        await store.close()
    }

    /// Reads from the store.
    func read<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws -> T {
        engine.noteUse()
        do {
            return try await store.read(body)
        } catch {
            throw InboxError.wrapping(error)
        }
    }
}
