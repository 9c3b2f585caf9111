import Foundation
import Groundwork
import HTTPTypes
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(5))) struct RateTests {
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

    @Test(arguments: [1e-20, 0, -1, .leastNonzeroMagnitude])
    func `a refusal by an extreme rate has a time within a year`(perSecond: Double) throws {
        let limiter = RateLimiter("requests", FairUse.Rate(perSecond: perSecond, burst: 5_000), clock: ManualClock())
        try limiter.count(5_000, of: 1)
        let problem = try #require(throws: Problem.self) { try limiter.count(of: 1) }
        let seconds = try #require(problem.headers[.retryAfter].flatMap(Int.init))
        #expect((1...31_536_000).contains(seconds))
    }

    @Test func `a refusal states a rate larger than every whole number`() throws {
        let limiter = RateLimiter("requests", FairUse.Rate(perSecond: 1e300, burst: 1), clock: ManualClock())
        try limiter.count(of: 1)
        let problem = #expect(throws: Problem.self) { try limiter.count(of: 1) }
        #expect(problem?.headers[.retryAfter] == "1")
        #expect(problem?.json["detail"]?.stringValue?.contains("1e+300 per second") == true)
    }
}
