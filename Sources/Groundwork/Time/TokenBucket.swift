package import Foundation

/// A token bucket, which refills with time up to the burst. A state machine without I/O.
package struct TokenBucket: Hashable, Sendable {
    /// The number of tokens in a full bucket, and of those that are added in a time.
    package struct Rate: Hashable, Sendable {
        let burst: Double
        let count: Double
        let seconds: Double

        /// - Parameters:
        ///   - count: The tokens that are added in the time.
        ///   - seconds: The time. Greater than 0.
        package init(burst: Int, adding count: Double, in seconds: Double = 1) {
            (self.burst, self.count, self.seconds) = (Double(burst), count, seconds)
        }
    }

    private var left: Double
    /// The time of the last use.
    package private(set) var asOf: Date

    /// Creates a full bucket.
    package init(_ rate: Rate, now: Date = .distantPast) {
        left = rate.burst
        asOf = now
    }

    /// Takes tokens, all or none.
    ///
    /// More tokens than the burst count as the burst, since the bucket never holds more.
    ///
    /// - Returns: Nil if the tokens were taken, otherwise the time in seconds until the bucket holds them.
    package mutating func take(_ count: Int = 1, of rate: Rate, now: Date) -> Double? {
        if let wait = wait(for: count, of: rate, now: now) { return wait }
        left -= min(Double(count), rate.burst)
        return nil
    }

    /// Takes as many tokens as the bucket holds, up to a number of them.
    ///
    /// - Returns: The number of taken tokens.
    package mutating func take(upTo count: Int, of rate: Rate, now: Date) -> Int {
        grow(rate, now)
        let taken = min(count, Int(left))
        left -= Double(taken)
        return taken
    }

    /// Returns the time in seconds until the bucket holds a number of tokens. Nil if it does.
    package mutating func wait(for count: Int = 1, of rate: Rate, now: Date) -> Double? {
        grow(rate, now)
        let wanted = min(Double(count), rate.burst)
        return left < wanted ? (wanted - left) * rate.seconds / rate.count : nil
    }

    /// Returns whether the bucket holds the whole burst.
    package mutating func isFull(_ rate: Rate, now: Date) -> Bool {
        grow(rate, now)
        return left >= rate.burst
    }

    private mutating func grow(_ rate: Rate, _ now: Date) {
        // A clock that was set back neither adds nor removes tokens.
        left = min(rate.burst, left + max(0, now.timeIntervalSince(asOf)) * rate.count / rate.seconds)
        asOf = now
    }
}
