import Foundation
package import Groundwork
import ServiceLifecycle

/// Ends the event streams whose tokens expire, and looks at all tokens again when keys have changed.
package struct StreamLeases: Service {
    package let watchers: Watchers
    package let clock: any WallClock
    /// Signalled when a key of people's tokens has gone.
    package let keysChanged: WakeUp

    package init(watchers: Watchers, clock: any WallClock, keysChanged: WakeUp) {
        self.watchers = watchers
        self.clock = clock
        self.keysChanged = keysChanged
    }

    /// In seconds: streams whose tokens expire within so long end together.
    private static let step: TimeInterval = 1

    package func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask {
                for await _ in keysChanged.signals.cancelOnGracefulShutdown() { await watchers.renewLeases() }
            }
            group.addTask { await endExpired() }
        }
    }

    private func endExpired() async {
        var sleeper: Task<Void, Never>?
        for await _ in watchers.leaseAdded.signals.cancelOnGracefulShutdown() {
            sleeper?.cancel()
            let now = clock.now
            sleeper = watchers.endExpired(at: now).map { next in
                watchers.leaseAdded.signal(at: max(next, now.addingTimeInterval(Self.step)), by: clock)
            }
        }
        sleeper?.cancel()
    }
}
