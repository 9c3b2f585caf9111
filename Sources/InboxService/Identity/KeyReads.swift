package import Groundwork

/// A limit of the reads of keys before a token or an API key is refused, since another server may have created its key
/// a moment ago.
///
/// Wrong keys cost the database little: beyond five reads a second, they are checked against the keys in memory alone.
package struct KeyReads: Sendable {
    private static let rate = TokenBucket.Rate(burst: 5, adding: 5)

    let storage: Storage
    private let clock: any WallClock
    private let bucket = Locked(TokenBucket(rate))

    package init(of storage: Storage, clock: any WallClock) {
        (self.storage, self.clock) = (storage, clock)
    }

    /// Returns whether keys may be read now, and counts the read. False without other servers: all keys are in memory.
    func admit() -> Bool {
        guard !storage.isAlone else { return false }
        let now = clock.now
        return bucket.withLock { $0.take(of: Self.rate, now: now) } == nil
    }
}
