import Groundwork
import ServiceLifecycle

/// Wakes, step by step, the devices that couldn't all be woken at once.
struct PacedWaking: Service {
    let watchers: Watchers
    let clock: any WallClock

    func run() async throws {
        var sleeper: Task<Void, Never>?
        for await _ in watchers.someWait.signals.cancelOnGracefulShutdown() {
            sleeper?.cancel()
            sleeper = watchers.wakeWaiting().map { watchers.someWait.signal(at: $0, by: clock) }
        }
        sleeper?.cancel()
    }
}
