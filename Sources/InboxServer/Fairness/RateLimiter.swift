import Foundation
import Groundwork
import HTTPTypes
import Hummingbird
import InboxService

/// A rate limiter per person or per API key.
final class RateLimiter: Sendable {
    fileprivate struct Buckets: Sendable {
        var byID: [Int: TokenBucket] = [:]
        /// The number of buckets at which full ones, which hold no information, are removed.
        var sweepAt = 1_024
    }

    private let name: String
    private let rate: FairUse.Rate?
    private let clock: any WallClock
    // Accessed only in `withLock`, from any thread. Nothing blocks while the lock is held.
    private let buckets = Locked(Buckets())

    /// - Parameters:
    ///   - name: The name in the headers of a refusal, such as `requests`.
    ///   - rate: The rate, or nil for no limit.
    init(_ name: String, _ rate: FairUse.Rate?, clock: any WallClock) {
        (self.name, self.rate, self.clock) = (name, rate, clock)
    }

    /// Counts uses by a person or a key.
    ///
    /// - Parameter count: The number of uses, such as the number of records that a request changes.
    /// - Throws: ``Problem`` 429 if the rate is exceeded. Nothing is counted then.
    func count(_ count: Int = 1, of id: Int) throws(Problem) {
        guard let rate, count > 0 else { return }
        let now = clock.now
        let wait = buckets.withLock { buckets in
            let wait = buckets.byID[id, default: TokenBucket(rate.tokens, now: now)]
                .take(count, of: rate.tokens, now: now)
            if buckets.byID.count >= buckets.sweepAt { buckets.sweep(rate.tokens, now) }
            return wait
        }
        guard let wait else { return }
        let seconds = Int(secondsOfWait: wait)
        throw Problem(
            .tooManyRequests,
            "Too many \(name): at most \(rate.burst) at once, and \(Self.text(rate.perSecond)) per second on average."
                + " Retry in \(seconds) s.",
            kind: .rateLimited,
            headers: headers(rate, seconds)
        )
    }

    /// Returns the headers of RFC 9110, section 10.2.3, and of the IETF draft "RateLimit header fields for HTTP"
    /// (draft-ietf-httpapi-ratelimit-headers).
    private func headers(_ rate: FairUse.Rate, _ seconds: Int) -> HTTPFields {
        var headers: HTTPFields = [.retryAfter: String(seconds)]
        let window = Int(secondsOfWait: Double(rate.burst) / rate.perSecond)
        if let policy = HTTPField.Name("RateLimit-Policy"), let limit = HTTPField.Name("RateLimit") {
            headers[policy] = "\"\(name)\";q=\(rate.burst);w=\(window)"
            headers[limit] = "\"\(name)\";r=0;t=\(seconds)"
        }
        return headers
    }

    private static func text(_ number: Double) -> String {
        Int(exactly: number).map { String($0) } ?? String(number)
    }
}

extension RateLimiter.Buckets {
    fileprivate mutating func sweep(_ rate: TokenBucket.Rate, _ now: Date) {
        byID = byID.filter { _, bucket in
            var bucket = bucket
            return !bucket.isFull(rate, now: now)
        }
        sweepAt = max(1_024, 2 * byID.count)
    }
}

extension Int {
    /// A time in whole seconds for `Retry-After` and the headers beside it: rounded up, at least 1 and at most a year,
    /// also for a rate by which a client would wait forever.
    init(secondsOfWait seconds: Double) {
        let year = 365 * 86_400.0
        self = seconds < year ? Swift.max(1, Int(Swift.max(seconds, 1).rounded(.up))) : Int(year)
    }
}

extension FairUse.Rate {
    fileprivate var tokens: TokenBucket.Rate { TokenBucket.Rate(burst: burst, adding: perSecond) }
}
