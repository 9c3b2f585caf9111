import Foundation
import Groundwork
import HTTPTypes
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(1))) struct RateTests {
    private let rate = FairUse.Rate(perSecond: 2, burst: 4)

    @Test func `one id past its rate is rejected, others aren't`() throws {
        let clock = ManualClock()
        let limiter = RateLimiter("requests", rate, clock: clock)
        for _ in 0..<4 { try limiter.count(of: 1) }
        let problem = #expect(throws: Problem.self) { try limiter.count(of: 1) }
        #expect(problem?.status == .tooManyRequests)
        #expect(problem?.headers[.retryAfter] == "1")
        #expect(problem?.headers[HTTPField.Name("RateLimit-Policy")!] == "\"requests\";q=4;w=2")
        #expect(problem?.headers[HTTPField.Name("RateLimit")!] == "\"requests\";r=0;t=1")
        try limiter.count(of: 2)
        clock.advance(by: 0.5)
        try limiter.count(of: 1)
        #expect(throws: Problem.self) { try limiter.count(of: 1) }
    }

    @Test func `a limited id stays limited among thousands of others`() throws {
        let clock = ManualClock()
        let limiter = RateLimiter("requests", rate, clock: clock)
        for _ in 0..<4 { try limiter.count(of: 0) }
        for id in 1...5_000 {
            try limiter.count(of: id)
            if id % 1_000 == 0 { #expect(throws: Problem.self) { try limiter.count(of: 0) } }
        }
    }

    @Test func `without a rate there is no limit`() throws {
        let limiter = RateLimiter("requests", nil, clock: ManualClock())
        for _ in 0..<10_000 { try limiter.count(of: 1) }
    }
}
