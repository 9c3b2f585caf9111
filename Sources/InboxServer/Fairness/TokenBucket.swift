import Foundation
import InboxService

/// A token bucket, which refills with time up to the burst. A state machine without I/O.
struct TokenBucket: Hashable, Sendable {
    private var left: Double
    private var asOf: Date

    init(_ rate: FairUse.Rate, now: Date) {
        left = Double(rate.burst)
        asOf = now
    }

    /// Takes tokens, all or none.
    ///
    /// More tokens than the burst count as the burst, since the bucket never holds more.
    ///
    /// - Returns: Nil if the tokens were taken, otherwise the time in seconds until the bucket holds them.
    mutating func take(_ count: Int, of rate: FairUse.Rate, now: Date) -> Double? {
        grow(rate, now)
        let wanted = min(Double(count), Double(rate.burst))
        guard left < wanted else {
            left -= wanted
            return nil
        }
        return (wanted - left) / rate.perSecond
    }

    /// Returns whether the bucket holds the whole burst.
    mutating func isFull(_ rate: FairUse.Rate, now: Date) -> Bool {
        grow(rate, now)
        return left >= Double(rate.burst)
    }

    private mutating func grow(_ rate: FairUse.Rate, _ now: Date) {
        // A clock that was set back neither adds nor removes tokens.
        left = min(Double(rate.burst), left + max(0, now.timeIntervalSince(asOf)) * rate.perSecond)
        asOf = now
    }
}
