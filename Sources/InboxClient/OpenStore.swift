import Foundation
import Groundwork
import Replica

/// The open file of one person's inbox and the engine that syncs it: what all ``Inbox`` objects for it in this process
/// share.
///
/// The engine keeps the settings of the first of them. It is live while one of them is meant to be; both are closed
/// with the last.
final class OpenStore: Sendable {
    let store: ReplicaStore
    let engine: SyncEngine
    private let tokens: TokenClosures
    private let timekeeper: Task<Void, Never>

    // Guarded by the lock: inboxes come and go on any thread.
    private let users = Locked(OpenUsers())

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
        // Retains the store and the engine but no inbox, so that unused ones are deallocated.
        timekeeper = Task {
            await store.keepTime()
            // After a sign-out in another process, no inbox of this process has closed it.
            if store.isClosed { await engine.close() }
        }
    }

    /// Opens the file of an inbox, or joins those of this process that have it open.
    ///
    /// - Parameter user: Names the inbox that uses it from now on, until ``leave(_:)``.
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

    /// - Returns: False where it is of no more use to anybody who opens the inbox now.
    private func join(_ user: UUID, isLive: Bool, _ token: @escaping TokenClosures.Closure) -> Bool {
        guard store.isInUse, !store.hasToBeReopened else { return false }
        let hasJoined = users.withLock { users in
            // Before the live task begins: its first request needs a token.
            tokens.add(token, of: user)
            let hasJoined = users.join(user, isLive: isLive) { [engine] ended in
                Task {
                    await ended?.value
                    await engine.runLive()
                }
            }
            if !hasJoined { tokens.remove(of: user) }
            return hasJoined
        }
        // Whoever opens it now may have signed in since the last token was refused.
        if hasJoined { Task { [engine] in await engine.renewRejectedToken() } }
        return hasJoined
    }

    /// An inbox uses it no longer.
    ///
    /// - Returns: Whether it was the last: ``close()`` has to follow.
    func leave(_ user: UUID) -> Bool {
        tokens.remove(of: user)
        let isLast = users.withLock { $0.leave(user) }
        if isLast { openStores.forget(self) }
        return isLast
    }

    /// Hides everything from everybody at once: the person signs out.
    ///
    /// - Returns: False where it is closed or hidden already.
    func hide() -> Bool {
        guard store.hide() else { return false }
        openStores.forget(self)
        stop()
        return true
    }

    /// Ends the connection and closes the file.
    func close() async {
        stop()
        await engine.close()
        await store.close()
    }

    private func stop() {
        timekeeper.cancel()
        users.withLock { $0.stop() }
    }
}

/// The inboxes that are open in this process, by the paths of their files.
///
/// A variable of the process. An app may open an inbox in two places that know nothing of each other, such as a screen
/// and what handles a push; two engines would contend for the lock of the file and one of them would wait for the
/// other, and neither place has anything that the other could hand in.
private let openStores = OpenTogether<OpenStore>()
