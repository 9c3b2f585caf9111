import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct DeliveryMachineTests {
    private let now = Date(milliseconds: 1_777_622_400_000)

    private func decide(_ outcome: DeliveryMachine.Outcome, attempt: Int = 1, jitter: Double = 0)
        -> DeliveryMachine.Decision
    {
        DeliveryMachine.decide(after: outcome, attempt: attempt, now: now, jitter: jitter)
    }

    @Test(arguments: [200, 201, 202, 204, 299])
    func `a 2xx response is delivered`(_ status: Int) {
        #expect(decide(.responded(status: status, retryAfter: 60)) == .delivered)
    }

    @Test func `status 410 ends the webhook`() {
        #expect(decide(.responded(status: 410, retryAfter: nil)) == .gone(reason: "status 410"))
    }

    @Test(arguments: [100, 199, 300, 302, 304, 400, 401, 404, 409, 429, 500, 502, 503, 504])
    func `any other status is retried`(_ status: Int) {
        #expect(
            decide(.responded(status: status, retryAfter: nil))
                == .retry(at: now.addingTimeInterval(5), pausedUntil: nil, reason: "status \(status)")
        )
    }

    @Test func `no response is retried, also where connecting isn't allowed`() {
        #expect(decide(.failed) == .retry(at: now.addingTimeInterval(5), pausedUntil: nil, reason: "no answer"))
        #expect(
            decide(.blockedAddress) == .retry(at: now.addingTimeInterval(5), pausedUntil: nil, reason: "not allowed")
        )
    }

    @Test func `retries back off over about three days, then the delivery is dead`() {
        var total = 0.0
        var last = 0.0
        for attempt in 1..<DeliveryMachine.attempts {
            guard case .retry(let time, nil, _) = decide(.failed, attempt: attempt) else {
                Issue.record("attempt \(attempt) was the last")
                return
            }
            let wait = time.timeIntervalSince(now)
            #expect(wait >= last)
            total += wait
            last = wait
        }
        #expect((2.5 * 86_400...3 * 86_400).contains(total))
        #expect(decide(.failed, attempt: DeliveryMachine.attempts) == .dead(reason: "no answer"))
        #expect(decide(.responded(status: 500, retryAfter: 9), attempt: 99) == .dead(reason: "status 500"))
    }

    @Test func `jitter adds at most a tenth`() {
        #expect(
            decide(.failed, jitter: 0.5)
                == .retry(at: now.addingTimeInterval(5.25), pausedUntil: nil, reason: "no answer")
        )
    }

    @Test func `Retry-After is never undercut and is limited to a day`() {
        func pausedUntil(_ seconds: Double) -> DeliveryMachine.Decision {
            decide(.responded(status: 503, retryAfter: seconds))
        }
        func expected(at: Double, pausedUntil: Double) -> DeliveryMachine.Decision {
            .retry(
                at: now.addingTimeInterval(at),
                pausedUntil: now.addingTimeInterval(pausedUntil),
                reason: "status 503"
            )
        }
        #expect(pausedUntil(120) == expected(at: 120, pausedUntil: 120))
        #expect(pausedUntil(1) == expected(at: 5, pausedUntil: 1))
        #expect(pausedUntil(-1) == expected(at: 5, pausedUntil: 0))
        #expect(pausedUntil(1e9) == expected(at: 86_400, pausedUntil: 86_400))
    }
}
