import Foundation
import Groundwork
import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct ReconnectionTests {
    let now = Date(timeIntervalSince1970: 1_000_000)
    let unreachable = SyncError.transport(.unreachable("no network"))

    /// Ends a stream that was requested some seconds before, and returns what follows.
    func end(
        _ machine: inout Reconnection,
        after seconds: Double = 0,
        wasOpen: Bool = false,
        _ failure: SyncError? = nil
    ) -> Reconnection.Step {
        let requestedAt = now.addingTimeInterval(-seconds)
        let end = Reconnection.End(requestedAt: requestedAt, wasOpen: wasOpen, failure: failure)
        return machine.ended(end, ping: 30, at: now, jitter: 1)
    }

    func wait(_ seconds: Double, endsEarly: Bool) -> Reconnection.Step {
        .wait(until: now.addingTimeInterval(seconds), endsEarly: endsEarly)
    }

    @Test func `the wait for an unreachable server ends early, but not twice in a row`() {
        var machine = Reconnection()
        let first = end(&machine, unreachable)
        #expect(first == wait(1, endsEarly: true))
        machine.waited(until: now.addingTimeInterval(1), endsEarly: true, at: now)
        let second = end(&machine, unreachable)
        #expect(second == wait(2, endsEarly: false))
        machine.waited(until: now.addingTimeInterval(2), endsEarly: false, at: now.addingTimeInterval(2))
        let third = end(&machine, unreachable)
        #expect(third == wait(4, endsEarly: true))
    }

    @Test func `the wait after an open stream or for a Retry-After doesn't end early`() {
        var machine = Reconnection()
        let closed = end(&machine, wasOpen: true)
        #expect(closed == wait(1, endsEarly: false))
        let refused = end(&machine, .status(503, retryAfter: 60, detail: nil))
        #expect(refused == wait(60, endsEarly: false))
    }

    @Test func `a stream that lasted longer than a ping ends the back-off`() {
        var machine = Reconnection()
        for _ in 0..<3 { _ = end(&machine, wasOpen: true) }
        let short = end(&machine, after: 30, wasOpen: true)
        #expect(short == wait(8, endsEarly: false))
        let long = end(&machine, after: 31, wasOpen: true)
        #expect(long == wait(1, endsEarly: false))
    }

    @Test func `after a rejected token the next one is awaited, and the back-off begins again`() {
        var machine = Reconnection()
        for _ in 0..<3 { _ = end(&machine, unreachable) }
        let rejected = end(&machine, .otherPerson)
        #expect(rejected == .awaitToken)
        let next = end(&machine, unreachable)
        #expect(next == wait(1, endsEarly: true))
    }
}
