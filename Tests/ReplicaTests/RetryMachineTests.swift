import Foundation
import Groundwork
import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct RetryMachineTests {
    let now = Date(timeIntervalSince1970: 1_000_000)

    func delay(_ machine: RetryMachine) -> Double? { machine.earliest(at: now)?.timeIntervalSince(now) }

    @Test func `the back-off doubles with each failure up to its maximum`() {
        var machine = RetryMachine()
        var delays: [Double] = []
        for _ in 0..<12 {
            machine.failed(isRetryable: true, retryAfter: nil, at: now, jitter: 1)
            delays.append(delay(machine) ?? -1)
        }
        #expect(delays == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
    }

    @Test func `jitter shortens the back-off by at most half`() {
        var machine = RetryMachine()
        machine.failed(isRetryable: true, retryAfter: nil, at: now, jitter: 0)
        #expect(delay(machine) == 0.5)
    }

    @Test func `a manual retry doesn't shorten the delay of Retry-After`() {
        var machine = RetryMachine()
        machine.failed(isRetryable: true, retryAfter: 120, at: now, jitter: 0)
        #expect(delay(machine) == 120)
        machine.retryNow()
        #expect(delay(machine) == 120)
        machine.failed(isRetryable: true, retryAfter: 1e9, at: now, jitter: 0)
        #expect(delay(machine) == RetryMachine.maxRetryAfter)
    }

    @Test func `a manual retry ends the back-off but keeps the number of failures`() {
        var machine = RetryMachine()
        for _ in 0..<3 { machine.failed(isRetryable: true, retryAfter: nil, at: now, jitter: 1) }
        machine.retryNow()
        #expect(delay(machine) == 0)
        machine.failed(isRetryable: true, retryAfter: nil, at: now, jitter: 1)
        #expect(delay(machine) == 8)
    }

    @Test func `a failure that isn't retryable pauses until a manual retry`() {
        var machine = RetryMachine()
        machine.failed(isRetryable: false, retryAfter: nil, at: now, jitter: 1)
        #expect(machine.tokenRequest != nil)
        #expect(delay(machine) == nil)
        machine.retryNow()
        #expect(machine.tokenRequest == nil)
        #expect(delay(machine) == 0)
    }

    @Test func `a refused token is replaced at growing intervals, also by refused tokens`() {
        var machine = RetryMachine()
        var now = now
        machine.failed(isRetryable: false, retryAfter: nil, at: now, jitter: 1)
        // Concurrent requests are each refused.
        machine.failed(isRetryable: false, retryAfter: nil, at: now, jitter: 1)
        var delays: [Double] = []
        for number in 0..<8 {
            guard let time = machine.tokenRequest else { break }
            delays.append(time.timeIntervalSince(now))
            now = time
            if number % 2 == 0 {
                machine.noTokenReceived(at: now, jitter: 1)
            } else {
                machine.tokenReceived()
                #expect(machine.earliest(at: now) == now)
                machine.failed(isRetryable: false, retryAfter: nil, at: now, jitter: 1)
            }
        }
        #expect(delays == [10, 20, 40, 80, 160, 300, 300, 300])
        machine.tokenReceived()
        machine.succeeded()
        machine.failed(isRetryable: false, retryAfter: nil, at: now, jitter: 0)
        #expect(machine.tokenRequest?.timeIntervalSince(now) == 5)
    }

    @Test func `a token received after the pause has begun changes nothing`() {
        var machine = RetryMachine()
        machine.failed(isRetryable: true, retryAfter: 120, at: now, jitter: 0)
        machine.tokenReceived()
        machine.noTokenReceived(at: now, jitter: 0)
        #expect(delay(machine) == 120)
    }

    @Test func `a wait is over if the clock was set back by more than any wait`() {
        var machine = RetryMachine()
        machine.failed(isRetryable: true, retryAfter: 3_600, at: now, jitter: 0)
        #expect(machine.earliest(at: now.addingTimeInterval(-1)) == now.addingTimeInterval(-1))
        #expect(machine.earliest(at: now) == now.addingTimeInterval(3_600))
    }

    @Test func `a success resets the back-off`() {
        var machine = RetryMachine()
        for _ in 0..<5 { machine.failed(isRetryable: true, retryAfter: nil, at: now, jitter: 1) }
        machine.succeeded()
        machine.failed(isRetryable: true, retryAfter: nil, at: now, jitter: 1)
        #expect(delay(machine) == 1)
    }

    @Test(arguments: [("120", 120.0), (" 0 ", 0), ("-5", 0), ("Mon, 12 Jan 1970 13:47:40 GMT", 60), ("soon", nil)])
    func `Retry-After is a number of seconds or a date`(text: String, seconds: Double?) {
        #expect(RetryAfter.seconds(text, now: now) == seconds)
    }
}
