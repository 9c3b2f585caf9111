import Foundation
package import Groundwork
import ServiceLifecycle

/// The rate limit for waking devices after a broadcast. A state machine without I/O.
///
/// Each woken device requests the changes. Thousands of simultaneous requests would delay each other and all other
/// requests. So after a first burst, devices are woken no faster than the server answers them.
package struct WakeUpRateLimiter: Sendable {
    /// The number of devices that are woken at once after a pause.
    let burst: Int
    /// The number of devices that are woken per second after the burst.
    let perSecond: Int
    private let rate: TokenBucket.Rate
    private var bucket: TokenBucket

    /// The minimum interval between steps in seconds, which bounds the cost of the steps themselves.
    private static let step: TimeInterval = 0.05

    init(burst: Int = 10_000, perSecond: Int = 10_000) {
        (self.burst, self.perSecond) = (burst, perSecond)
        rate = TokenBucket.Rate(burst: burst, adding: Double(perSecond))
        bucket = TokenBucket(rate)
    }

    /// Returns how many of the waiting devices may be woken now, and counts them as woken.
    mutating func acquire(upTo waiting: Int, now: Date) -> Int {
        bucket.take(upTo: waiting, of: rate, now: now)
    }

    /// Returns the time of the next step, if devices are still waiting.
    func next(after now: Date) -> Date { now.addingTimeInterval(max(Self.step, 1 / Double(perSecond))) }
}

/// Wakes, in steps, the devices that couldn't all be woken at once.
package struct WakeUpService: Service {
    let watchers: Watchers
    let clock: any WallClock

    package init(watchers: Watchers, clock: any WallClock) {
        self.watchers = watchers
        self.clock = clock
    }

    package func run() async throws {
        var sleeper: Task<Void, Never>?
        for await _ in watchers.wakeUpsPending.signals.cancelOnGracefulShutdown() {
            sleeper?.cancel()
            sleeper = watchers.wakePending().map { watchers.wakeUpsPending.signal(at: $0, by: clock) }
        }
        sleeper?.cancel()
    }
}
