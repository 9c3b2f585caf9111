import Foundation
import InboxService

/// How much of a rate is left: it grows with time up to the burst. A state machine without I/O.
struct TokenBucket: Hashable, Sendable {
    private var left: Double
    private var asOf: Date

    init(_ rate: FairUse.Rate, now: Date) {
        left = Double(rate.burst)
        asOf = now
    }

    /// Takes some, all or nothing.
    ///
    /// More than the burst are taken as the burst: they would never be there.
    ///
    /// - Returns: Nil where they were taken, else after how many seconds they would be there.
    mutating func take(_ count: Int, of rate: FairUse.Rate, now: Date) -> Double? {
        grow(rate, now)
        let wanted = min(Double(count), Double(rate.burst))
        guard left < wanted else {
            left -= wanted
            return nil
        }
        return (wanted - left) / rate.perSecond
    }

    /// Whether nothing has been taken that hasn't grown again.
    mutating func isFull(_ rate: FairUse.Rate, now: Date) -> Bool {
        grow(rate, now)
        return left >= Double(rate.burst)
    }

    private mutating func grow(_ rate: FairUse.Rate, _ now: Date) {
        // A clock that was set back gives nothing and takes nothing.
        left = min(Double(rate.burst), left + max(0, now.timeIntervalSince(asOf)) * rate.perSecond)
        asOf = now
    }
}
