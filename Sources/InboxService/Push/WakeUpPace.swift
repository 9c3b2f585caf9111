import Foundation
package import Groundwork
import ServiceLifecycle

/// How many devices may be woken by now of what concerns everyone. A state machine without I/O.
///
/// Each device that is woken asks what is new. Where thousands ask in one moment, they wait for each other, and whoever
/// asks for another reason waits with them; so, past a first burst, they are woken no faster than the server answers
/// them.
package struct WakeUpPace: Sendable {
    /// How many are woken at once after a pause.
    let burst: Int
    /// How many are woken in a second where there are more.
    let perSecond: Int
    // What is left of the burst, as of a time; it grows as time passes.
    private var left: Double
    private var asOf = Date.distantPast

    /// In seconds: no step is shorter, so that the steps themselves cost little.
    private static let step: TimeInterval = 0.05

    init(burst: Int = 10_000, perSecond: Int = 10_000) {
        (self.burst, self.perSecond) = (burst, perSecond)
        left = Double(burst)
    }

    /// How many of those that wait may be woken now; they are taken as woken.
    mutating func take(of waiting: Int, now: Date) -> Int {
        // A clock that was set back grants nothing and takes nothing.
        left = min(Double(burst), left + max(0, now.timeIntervalSince(asOf)) * Double(perSecond))
        asOf = now
        let taken = min(waiting, Int(left))
        left -= Double(taken)
        return taken
    }

    /// When to look again, where some still wait.
    func next(after now: Date) -> Date { now.addingTimeInterval(max(Self.step, 1 / Double(perSecond))) }
}

/// Wakes, step by step, the devices that couldn't all be woken at once.
package struct PacedWaking: Service {
    let watchers: Watchers
    let clock: any WallClock

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
