import Foundation
import Groundwork
import ServiceLifecycle

/// Ends the event streams whose tokens expire, and looks at all tokens again when keys have changed.
struct StreamLeases: Service {
    let watchers: Watchers
    let clock: any WallClock
    /// Signalled when a key of people's tokens has gone.
    let keysChanged: WakeUp

    /// In seconds: streams whose tokens expire within so long end together.
    private static let step: TimeInterval = 1

    func run() async throws {
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
