package import Foundation

/// A rate limit for log lines of one kind. A state machine without I/O.
///
/// It allows ten lines at once and a sustained rate of one per minute, so that input from outside can't fill the disk.
package struct LogRateLimiter: Sendable {
    static let burst = 10.0
    /// The time after which another line is allowed, in seconds.
    static let interval = 60.0

    private var left = burst
    private var last: Date?
    private var dropped = 0

    package init() {}

    /// Counts a line against the limit.
    ///
    /// - Returns: The number of lines that were dropped since the last one, or nil if this line is to be dropped too.
    package mutating func admit(at now: Date) -> Int? {
        // A clock that is set back adds no lines.
        let passed = max(0, last.map { now.timeIntervalSince($0) } ?? 0)
        left = min(Self.burst, left + passed / Self.interval)
        last = now
        guard left >= 1 else {
            dropped += 1
            return nil
        }
        left -= 1
        defer { dropped = 0 }
        return dropped
    }
}
