package import Foundation
import Groundwork

/// A rate limit for log lines of one kind. A state machine without I/O.
///
/// It allows ten lines at once and a sustained rate of one per minute, so that input from outside can't fill the disk.
package struct LogRateLimiter: Sendable {
    private static let rate = TokenBucket.Rate(burst: 10, adding: 1, in: 60)

    private var bucket = TokenBucket(rate)
    private var dropped = 0

    package init() {}

    /// Counts a line against the limit.
    ///
    /// - Returns: The number of lines that were dropped since the last one, or nil if this line has to be dropped too.
    package mutating func admit(at now: Date) -> Int? {
        guard bucket.take(of: Self.rate, now: now) == nil else {
            dropped += 1
            return nil
        }
        defer { dropped = 0 }
        return dropped
    }
}
