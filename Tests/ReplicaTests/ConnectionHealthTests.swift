import Foundation
import Groundwork
import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct ConnectionHealthTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private var health = ConnectionHealth()

    private static let reason = OfflineReason(.notConnected, description: "broken")

    @Test(arguments: [
        (ConnectionHealth.Stream.off, ConnectionState.idle), (.connecting, .connecting), (.open, .live),
        (.polling, .polling), (.otherProcess, .otherProcess),
        (.broken(reason, nextTry: nil), .offline(reason: reason, nextTry: nil)),
    ])
    func `without failures, the state is that of the stream`(stream: ConnectionHealth.Stream, state: ConnectionState) {
        var health = health
        health.setStream(stream)
        #expect(health.state(at: now) == state)
    }

    @Test mutating func `a failure is shown in place of the stream, with the time of the next attempt`() {
        health.setStream(.open)
        health.failed(SyncError.transport(.timedOut(after: 30)), at: now, jitter: 1)
        guard case .offline(let reason, let next) = health.state(at: now) else {
            Issue.record("\(health.state(at: now))")
            return
        }
        #expect(reason.code == .timedOut)
        #expect(next == now.addingTimeInterval(1) && health.earliest(at: now) == next)
        guard case .offline(_, nextTry: nil) = health.state(at: now.addingTimeInterval(2)) else {
            Issue.record("the time has passed")
            return
        }
        health.succeeded()
        #expect(health.state(at: now) == .live)
    }

    @Test mutating func `a failure of the store is shown until one of the server follows`() {
        health.failed(StoreError.directory(path: "a", reason: "b"), at: now, jitter: 0)
        #expect(code(health) == .storage)
        health.failed(SyncError.otherProcess, at: now, jitter: 0)
        #expect(code(health) == .otherProcess)
    }

    @Test mutating func `a cancellation and a closed store are no failures`() {
        health.failed(CancellationError(), at: now, jitter: 0)
        health.failed(StoreError.closed, at: now, jitter: 0)
        #expect(health.state(at: now) == .idle)
        #expect(health.earliest(at: now) == now)
    }

    @Test mutating func `a rejected token pauses until another one, or a manual sync`() {
        let refusal = TokenRefusal(.expired)
        health.failed(SyncError.unauthorized(refusal), at: now, jitter: 0)
        #expect(health.state(at: now) == .unauthorized(reason: refusal))
        #expect(health.earliest(at: now) == nil && health.tokenRequest == now.addingTimeInterval(5))
        health.noTokenReceived(at: now, jitter: 0)
        #expect(health.tokenRequest == now.addingTimeInterval(10))
        let hasEnded = health.tokenReceived()
        #expect(hasEnded && health.state(at: now) == .idle)
        let isPaused = health.tokenReceived()
        #expect(!isPaused)
        health.failed(SyncError.otherPerson, at: now, jitter: 0)
        #expect(health.state(at: now) == .otherPerson)
        let (ended, again) = (health.retryNow(), health.retryNow())
        #expect(ended && !again && health.earliest(at: now) == now)
    }

    @Test mutating func `a wait that the server requested isn't cut short`() {
        let error = SyncError.status(503, retryAfter: 60, detail: nil)
        health.failed(error, at: now, jitter: 0)
        health.retryNow()
        #expect(health.earliest(at: now) == now.addingTimeInterval(60))
    }

    private func code(_ health: ConnectionHealth) -> OfflineReason.Code? {
        if case .offline(let reason, _) = health.state(at: now) { reason.code } else { nil }
    }
}
