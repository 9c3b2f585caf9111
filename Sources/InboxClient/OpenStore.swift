import Foundation
import Groundwork
import Replica

/// The open file of one person's inbox and the engine that syncs it, shared by all ``Inbox`` instances for it in this
/// process.
///
/// The engine has the configuration of the first instance. It is live while at least one instance is live. The file and
/// the engine are closed with the last instance.
final class OpenStore: Sendable {
    let store: ReplicaStore
    let engine: SyncEngine
    let pictures: PictureSource
    let sharedPictures: SharedPictures
    private let recentPictures: RecentPictures?
    private let tokens: TokenClosures
    private let timekeeper: Task<Void, Never>

    // Guarded by the lock: inboxes are opened and closed on any thread.
    private let users = Locked(SharedUsers())

    private init(_ location: StoreLocation, server: URL, person: String, _ configuration: InboxConfiguration) throws {
        let store = try ReplicaStore(
            at: location,
            types: RecordType.inbox,
            clock: configuration.clock,
            writeHook: configuration.writeHook
        )
        let tokens = TokenClosures()
        let connection = ServerConnection(
            server: server,
            person: person,
            token: { try await tokens.newest() },
            transport: configuration.transport ?? URLSessionTransport(),
            clock: configuration.clock
        )
        let engine = SyncEngine(
            store: store,
            connection: connection,
            domain: .primary,
            settings: configuration.syncSettings,
            clock: configuration.clock,
            random: configuration.random,
            logger: configuration.logger
        )
        (self.store, self.engine, self.tokens) = (store, engine, tokens)
        let pictures = PictureSource(store, transport: configuration.transport, budget: configuration.pictureBudget)
        self.pictures = pictures
        sharedPictures = SharedPictures(
            store,
            type: .message,
            transport: configuration.transport,
            budget: configuration.pictureBudget
        )
        let (count, budget) = (configuration.recentPictures, configuration.pictureBudget)
        recentPictures = count > 0 ? RecentPictures(pictures, of: store, count: count, budget: budget) : nil
        // Retains the store and the engine but no inbox, so that unused ones are deallocated.
        timekeeper = Task {
            await store.advanceWhenDue()
            // After a sign-out in another process, no inbox of this process closes the engine.
            if store.isClosed { await engine.close() }
        }
    }

    /// Opens the file of an inbox, or shares it if this process has it open.
    ///
    /// - Parameter user: Identifies the inbox as a user of the store until ``leave(_:)``.
    /// - Throws: ``StoreError``.
    static func open(
        _ location: StoreLocation,
        server: URL,
        person: String,
        for user: UUID,
        _ configuration: InboxConfiguration,
        token: @escaping TokenClosures.Closure
    ) async throws -> OpenStore {
        let join: (OpenStore) -> Bool = { $0.join(user, isLive: configuration.isLive, token) }
        let new: @Sendable () throws -> OpenStore = {
            try OpenStore(location, server: server, person: person, configuration)
        }
        guard configuration.sharesEngine, configuration.writeHook == nil else {
            let own = try new()
            _ = join(own)
            return own
        }
        return try await openStores.open(location.name, joining: join) { Task { try new() } }
    }

    /// Adds an inbox to the users of the store.
    ///
    /// - Returns: False if the store can't be used by a newly opened inbox.
    private func join(_ user: UUID, isLive: Bool, _ token: @escaping TokenClosures.Closure) -> Bool {
        guard store.isInUse, !store.needsReopening else { return false }
        let hasJoined = users.withLock { users in
            // Before the live task starts, because its first request needs a token.
            tokens.add(token, of: user)
            let hasJoined = users.join(user, isLive: isLive) { [engine, recentPictures] ended in
                Task {
                    await ended?.value
                    // Subscribed before the first sync, so that no round is missed.
                    let rounds = engine.rounds()
                    await withTaskGroup(of: Void.self) { group in
                        if let recentPictures { group.addTask { await recentPictures.run(after: rounds) } }
                        group.addTask { await engine.runLive() }
                    }
                }
            }
            if !hasJoined { tokens.remove(of: user) }
            return hasJoined
        }
        // The app may have signed in again since the last token was rejected.
        if hasJoined { Task { [engine] in await engine.renewRejectedToken() } }
        return hasJoined
    }

    /// Removes an inbox from the users of the store.
    ///
    /// - Returns: Whether it was the last user. Then ``close()`` has to follow.
    func leave(_ user: UUID) -> Bool {
        tokens.remove(of: user)
        let isLast = users.withLock { $0.leave(user) }
        if isLast { openStores.remove(self) }
        return isLast
    }

    /// Hides all data at once, for a sign-out.
    ///
    /// - Returns: False if the store is already closed or hidden.
    func hide() -> Bool {
        guard store.hide() else { return false }
        openStores.remove(self)
        stop()
        return true
    }

    /// Ends the connection and closes the file.
    func close() async {
        stop()
        await pictures.close()
        await sharedPictures.close()
        await engine.close()
        await store.close()
    }

    private func stop() {
        timekeeper.cancel()
        users.withLock { $0.stop() }
    }
}

/// The stores that are open in this process, by the paths of their files.
///
/// This is a global variable. An app may open an inbox in two independent places, such as a screen and a push handler,
/// which have no object in common that could hold the store. With two engines, one would wait for the other's lock on
/// the file.
private let openStores = SharedInstances<OpenStore>()
