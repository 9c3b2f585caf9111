package import Foundation
package import Groundwork
import ServiceLifecycle

/// For how long an event stream may go on: as long as a request with its token would be answered.
package struct StreamLease: Sendable {
    /// The token with which it was opened.
    let token: TokenID
    /// When the token is refused at the latest.
    let until: Date
    /// Looks at the token again. Gives the new ``until``; nil where it is refused.
    package let renew: @Sendable () async throws -> Date?

    package init(token: TokenID, until: Date, renew: @escaping @Sendable () async throws -> Date?) {
        self.token = token
        self.until = until
        self.renew = renew
    }

    /// One that nothing ends: for streams that no token opened.
    static let unlimited = StreamLease(token: .none, until: .distantFuture) { .distantFuture }
}

/// Ends the event streams whose tokens expire, and looks at all tokens again when keys have changed.
package struct StreamLeases: Service {
    let watchers: Watchers
    let clock: any WallClock
    /// Signalled when a key of people's tokens has gone.
    let keysChanged: WakeUp

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
