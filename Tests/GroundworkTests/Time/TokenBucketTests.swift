import Foundation
import Groundwork
import Testing

@Suite(.timeLimit(.minutes(5))) struct TokenBucketTests {
    private let rate = TokenBucket.Rate(burst: 4, adding: 2)

    @Test func `a bucket allows the burst, then the rate`() {
        let start = Date(timeIntervalSince1970: 1_000)
        var bucket = TokenBucket(rate, now: start)
        #expect(bucket.take(4, of: rate, now: start) == nil)
        #expect(bucket.take(1, of: rate, now: start) == 0.5)
        #expect(bucket.take(1, of: rate, now: start + 0.25) == 0.25)
        #expect(bucket.take(1, of: rate, now: start + 0.5) == nil)
        // It grows to the burst and no further.
        #expect(bucket.take(4, of: rate, now: start + 1_000) == nil)
        #expect(bucket.take(1, of: rate, now: start + 1_000) == 0.5)
    }

    @Test func `a clock set back neither adds nor removes tokens`() {
        let start = Date(timeIntervalSince1970: 1_000)
        var bucket = TokenBucket(rate, now: start)
        _ = bucket.take(4, of: rate, now: start)
        #expect(bucket.take(1, of: rate, now: start - 500) == 0.5)
        #expect(bucket.take(1, of: rate, now: start - 499.5) == nil)
    }

    @Test func `a cost above the burst is allowed when the bucket is full`() {
        let start = Date(timeIntervalSince1970: 1_000)
        var bucket = TokenBucket(rate, now: start)
        #expect(bucket.take(100, of: rate, now: start) == nil)
        #expect(bucket.take(100, of: rate, now: start) == 2)
    }

    @Test func `a wait takes nothing, and a part takes no more than there is`() {
        let start = Date(timeIntervalSince1970: 1_000)
        var bucket = TokenBucket(rate)
        #expect(bucket.wait(for: 4, of: rate, now: start) == nil)
        #expect(bucket.take(upTo: 3, of: rate, now: start) == 3)
        #expect(bucket.wait(for: 2, of: rate, now: start) == 0.5)
        #expect(bucket.take(upTo: 10, of: rate, now: start + 0.25) == 1)
        #expect(bucket.take(upTo: 10, of: rate, now: start + 0.25) == 0)
    }
}
