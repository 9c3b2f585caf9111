import Groundwork

extension SyncEngine {
    /// Sends the pending writes and queued records of a store after its sign-out, with the current token. Then closes
    /// the engine.
    ///
    /// - Parameter seconds: The time limit, by the clock.
    /// - Returns: The number of records with writes that weren't answered.
    package func sendRemainingWrites(within seconds: Double) async -> Int {
        await connection.keepToken()
        let isWaiting = await isWaiting()
        // No other process may begin to sync the remaining writes.
        beginSigningOut()
        if isWaiting {
            let (ended, end) = AsyncStream.makeStream(of: Void.self)
            let sending = Task {
                try? await self.sync()
                end.finish()
            }
            let limit = Task { [clock] in
                try? await clock.sleep(seconds: seconds)
                end.finish()
            }
            // The round itself isn't awaited, because a transport may be slow to react to the cancellation.
            for await _ in ended {}
            sending.cancel()
            limit.cancel()
        }
        let left = isWaiting ? await pendingCount() : 0
        close()
        return left
    }

    private func isWaiting() async -> Bool {
        await ReplicaStore.$isSyncing.withValue(true) {
            (try? await store.read { [types] db in try db.hasPending(types) || db.hasQueued(types) }) ?? false
        }
    }

    private func pendingCount() async -> Int {
        await ReplicaStore.$isSyncing.withValue(true) {
            // Writes that can't be read can't be sent.
            (try? await store.read { [types] db in try db.pendingCount(types) }) ?? 0
        }
    }
}
