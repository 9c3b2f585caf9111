import Foundation
import Groundwork
import MailComposing

/// Derives a contact from the spellings of its address.
struct ContactSummary {
    /// A name and a spelling of an address, and the numbers of mails that have them.
    struct Spelling {
        let email, name: String
        let received, written, authored: Int
        /// The time of the latest mail, in milliseconds since 1970.
        let usedAt: Int

        var count: Int { received + written }
    }

    /// The maximum number of spellings of an address that are kept apart, so that a sender who changes the name with
    /// each mail costs no more than others.
    static let maxSpellings = 32

    private let address, email: String
    private let name: String?
    private let written, received, lastUsedAt: Int

    /// - Parameter card: The address and the name in the server's address books, which come first; nil if it isn't
    /// there.
    /// - Returns: Nil if the address is in no card and no counted mail, or if it is an author of the account's mails.
    init?(address: String, _ spellings: [Spelling], card: EmailAddress?) {
        guard spellings.allSatisfy({ $0.authored == 0 }),
            let email = card?.email ?? Self.mostUsed(spellings.map { ($0.email, $0.count, $0.usedAt) })
        else { return nil }
        (self.address, self.email) = (address, email)
        name =
            card?.name ?? Self.mostUsed(spellings.filter { !$0.name.isEmpty }.map { ($0.name, $0.count, $0.usedAt) })
        written = spellings.reduce(0) { $0 + $1.written }
        received = spellings.reduce(0) { $0 + $1.received }
        lastUsedAt = spellings.map(\.usedAt).max() ?? 0
    }

    /// Returns the text of most uses; of equally frequent ones that of the last use.
    private static func mostUsed(_ uses: [(text: String, count: Int, usedAt: Int)]) -> String? {
        var sums: [String: (count: Int, usedAt: Int)] = [:]
        for use in uses where use.count > 0 {
            let sum = sums[use.text] ?? (0, 0)
            sums[use.text] = (sum.count + use.count, max(sum.usedAt, use.usedAt))
        }
        return sums.max { ($0.value.count, $0.value.usedAt, $0.key) < ($1.value.count, $1.value.usedAt, $1.key) }?.key
    }

    /// The contact as a record of its type.
    var json: JSON {
        [
            "id": .string(address), "email": .string(email), "name": name.map(JSON.string) ?? .null,
            "written": JSON(written), "received": JSON(received),
            "lastUsedAt": .string(RFC3339.string(from: Date(milliseconds: lastUsedAt))),
            "rank": JSON(ContactRank.rank(written: written, received: received, lastUsedAt: lastUsedAt)),
            "words": .string(ContactIndex.words(EmailAddress(name: name, email: email))),
        ]
    }
}

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
