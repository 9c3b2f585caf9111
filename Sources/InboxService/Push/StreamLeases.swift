package import Foundation
package import Groundwork
import ServiceLifecycle

/// The lease of an event stream. A stream stays open for as long as a request with its token would be accepted.
package struct StreamLease: Sendable {
    /// The token with which the stream was opened.
    let token: TokenID
    /// The time from which the token is rejected, at the latest.
    let until: Date
    /// Verifies the token again. Returns the new ``until``, or nil if the token is rejected.
    package let renew: @Sendable () async throws -> Date?

    package init(token: TokenID, until: Date, renew: @escaping @Sendable () async throws -> Date?) {
        self.token = token
        self.until = until
        self.renew = renew
    }

    /// A lease without end, for streams that were opened without a token.
    static let unlimited = StreamLease(token: .none, until: .distantFuture) { .distantFuture }
}

/// Ends the event streams whose tokens expire, and verifies all tokens again when keys have changed.
package struct StreamLeases: Service {
    let watchers: Watchers
    let clock: any WallClock
    /// Signalled when a key for people's tokens has been removed.
    let keysChanged: WakeUp

    package init(watchers: Watchers, clock: any WallClock, keysChanged: WakeUp) {
        self.watchers = watchers
        self.clock = clock
        self.keysChanged = keysChanged
    }

    /// The minimum interval in seconds between checks. Streams whose tokens expire within it end together.
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
