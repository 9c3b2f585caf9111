package import Foundation

/// How often lines of one kind may be written into the log. A state machine without I/O.
///
/// Ten at once, and one a minute in the long run: what comes from outside must not fill the disk.
package struct LogPace: Sendable {
    static let burst = 10.0
    /// In seconds, for each line that may be written again.
    static let interval = 60.0

    private var left = burst
    private var last: Date?
    private var leftOut = 0

    package init() {}

    /// Whether a line may be written.
    ///
    /// - Returns: How many were left out since the last one; nil where this one is to be left out too.
    package mutating func take(at now: Date) -> Int? {
        // A clock that was set back gives nothing.
        let passed = max(0, last.map { now.timeIntervalSince($0) } ?? 0)
        left = min(Self.burst, left + passed / Self.interval)
        last = now
        guard left >= 1 else {
            leftOut += 1
            return nil
        }
        left -= 1
        defer { leftOut = 0 }
        return leftOut
    }
}
