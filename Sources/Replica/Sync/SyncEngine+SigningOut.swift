import Groundwork

extension SyncEngine {
    /// Sends what waits in a store that was left, for the last time, with the token at hand. Closes then.
    ///
    /// - Parameter seconds: How long it may take, by the clock.
    /// - Returns: How many records have writes that weren't answered.
    package func sendForTheLastTime(within seconds: Double) async -> Int {
        await connection.keepToken()
        let isWaiting = await isWaiting()
        // What is left to do isn't for another process to begin anew.
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
            // Not for the round itself: a transport may be slow to hear that it was cancelled.
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
            // What can't be read can't be sent.
            (try? await store.read { [types] db in try db.pendingCount(types) }) ?? 0
        }
    }
}
