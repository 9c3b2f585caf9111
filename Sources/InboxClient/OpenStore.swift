import Foundation
import Groundwork
import Replica

/// The open file of one person's inbox and the engine that syncs it: what all ``Inbox`` objects for it in this process share.
///
/// The engine keeps the settings of the first of them. It is live while one of them is meant to be; both are closed with the last.
final class OpenStore: Sendable {
    let store: ReplicaStore
    let engine: SyncEngine
    private let tokens: TokenClosures
    private let timekeeper: Task<Void, Never>

    private struct State {
        /// The inboxes that use it, and whether each wants a connection.
        var users: [UUID: Bool] = [:]
        /// Keeps the engine live.
        var live: Task<Void, Never>?
        /// The last has closed it: nobody joins any more.
        var isOver = false
    }

    // Guarded by the lock: inboxes come and go on any thread.
    private let state = Locked(State())

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
            settings: configuration.syncSettings,
            clock: configuration.clock,
            random: configuration.random
        )
        (self.store, self.engine, self.tokens) = (store, engine, tokens)
        // Holds the store and the engine, never an inbox, so that these go when nobody holds them.
        timekeeper = Task {
            await store.keepTime()
            // Where the person signed out in another process, nobody here has closed it.
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
        let join: @Sendable (OpenStore) -> Bool = { $0.join(user, isLive: configuration.isLive, token) }
        guard configuration.sharesEngine, configuration.writeHook == nil else {
            let own = try OpenStore(location, server: server, person: person, configuration)
            _ = join(own)
            return own
        }
        let key = location.file.resolvingSymlinksInPath().standardizedFileURL.path
        if let open = openStores.withLock({ $0[key] }), join(open) { return open }
        let new = try OpenStore(location, server: server, person: person, configuration)
        // Another may have been opened meanwhile.
        let chosen = openStores.withLock { all in
            if let open = all[key], join(open) { return open }
            _ = join(new)
            all[key] = new
            return new
        }
        if chosen !== new { await new.close() }
        return chosen
    }

    /// - Returns: False where it is of no more use to anybody who opens the inbox now.
    private func join(_ user: UUID, isLive: Bool, _ token: @escaping TokenClosures.Closure) -> Bool {
        guard store.isInUse, !store.hasToBeReopened else { return false }
        return state.withLock { state in
            guard !state.isOver else { return false }
            state.users[user] = isLive
            tokens.add(token, of: user)
            if isLive, state.live == nil { state.live = Task { [engine] in await engine.runLive() } }
            return true
        }
    }

    /// An inbox uses it no longer.
    ///
    /// - Returns: Whether it was the last: ``close()`` has to follow.
    func leave(_ user: UUID) -> Bool {
        let isLast = state.withLock { state in
            guard state.users.removeValue(forKey: user) != nil else { return false }
            tokens.remove(of: user)
            state.isOver = state.users.isEmpty
            // A connection that is there goes on for those who are left, unless none of them wants one.
            if !state.users.values.contains(true) {
                state.live?.cancel()
                state.live = nil
            }
            return state.isOver
        }
        if isLast { forget() }
        return isLast
    }

    /// From now on, whoever opens the inbox opens the file again.
    private func forget() {
        openStores.withLock { all in
            for (key, open) in all where open === self { all[key] = nil }
        }
    }

    /// Hides everything from everybody at once: the person signs out.
    ///
    /// - Returns: False where it is closed or hidden already.
    func hide() -> Bool {
        guard store.hide() else { return false }
        forget()
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
        state.withLock { state in
            state.live?.cancel()
            state.live = nil
        }
    }
}

/// The closures that give tokens of one person, of all who have their inbox open. The newest is asked.
final class TokenClosures: Sendable {
    typealias Closure = @Sendable () async throws -> String

    // Guarded by the lock: inboxes come and go on any thread.
    private let all = Locked<[(user: UUID, closure: Closure)]>([])

    func add(_ closure: @escaping Closure, of user: UUID) { all.withLock { $0.append((user, closure)) } }

    func remove(of user: UUID) {
        // The last stays: what waits when the inbox is closed may still be sent.
        all.withLock { all in if all.count > 1 { all.removeAll { $0.user == user } } }
    }

    func newest() async throws -> String {
        guard let closure = all.withLock({ $0.last?.closure }) else { throw CancellationError() }
        return try await closure()
    }
}

/// The stores that are open in this process, by their paths.
///
/// The one variable of the package that belongs to a process. A process may open an inbox in two places that know nothing of each other, such
/// as a screen and what handles a push; two engines would contend for the lock of the file and one of them would wait for the
/// other, and neither place has anything that the other could hand in.
private let openStores = Locked<[String: OpenStore]>([:])
