package import Groundwork
import ServiceLifecycle

/// Wakes, step by step, the devices that couldn't all be woken at once.
package struct PacedWaking: Service {
    package let watchers: Watchers
    package let clock: any WallClock

    package init(watchers: Watchers, clock: any WallClock) {
        self.watchers = watchers
        self.clock = clock
    }

    package func run() async throws {
        var sleeper: Task<Void, Never>?
        for await _ in watchers.someWait.signals.cancelOnGracefulShutdown() {
            sleeper?.cancel()
            sleeper = watchers.wakeWaiting().map { watchers.someWait.signal(at: $0, by: clock) }
        }
        sleeper?.cancel()
    }
}
