package import Foundation
import Groundwork

/// A rate limit for log lines of one kind. A state machine without I/O.
///
/// It allows some lines at once and a sustained rate of one per minute, so that input from outside can't fill the disk.
package struct LogRateLimiter: Sendable {
    private let rate: TokenBucket.Rate
    private var bucket: TokenBucket
    private var dropped = 0

    /// - Parameter burst: The number of lines at once.
    package init(burst: Int = 10) {
        rate = TokenBucket.Rate(burst: burst, adding: 1, in: 60)
        bucket = TokenBucket(rate)
    }

    /// Counts a line against the limit.
    ///
    /// - Returns: The number of lines that were dropped since the last one, or nil if this line has to be dropped too.
    package mutating func admit(at now: Date) -> Int? {
        guard bucket.take(of: rate, now: now) == nil else {
            dropped += 1
            return nil
        }
        defer { dropped = 0 }
        return dropped
    }
}
