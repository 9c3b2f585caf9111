import Foundation

/// The place of a contact by use and recency.
///
/// The number is the time of the last mail, and each doubling of the number of mails counts as much as 30 days. A mail
/// written to an address counts as much as 16 received ones, of which more than 15 don't count. So the order doesn't
/// depend on the present time, and many mails from one sender don't outweigh an answer.
enum ContactRank {
    /// The highest possible rank.
    static let max = (1 << 34) - 1

    /// Returns the rank.
    ///
    /// - Parameter lastUsedAt: In milliseconds since 1970.
    static func rank(written: Int, received: Int, lastUsedAt: Int) -> Int {
        let weight = 16 * Double(Swift.max(0, written)) + Double(min(Swift.max(0, received), 15))
        let minutes = Swift.max(0, lastUsedAt) / 60_000
        return min(max, minutes + Int(30 * 24 * 60 * log2(Swift.max(1, weight))))
    }
}
