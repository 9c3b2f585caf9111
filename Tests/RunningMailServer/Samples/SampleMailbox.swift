import SeededRandom

/// Ordinary mailboxes of any size, made by chance; the same in each run with the same seed.
///
/// A few dozen people write to Alice and each other over two years: threads of one to twelve mails, most of them read,
/// some with files, a few flagged; what Alice wrote is in `Sent`, old threads are in `Archive`, some are newsletters.
package enum SampleMailbox {
    package struct Mail: Sendable {
        package let bytes: [UInt8]
        /// When it came, in seconds since 1970.
        package let date: Int
        /// Of IMAP, such as `\Seen`.
        package let flags: [String]
        /// `INBOX`, `Archive` or `Sent`.
        package let folder: String
    }

    package struct Thread: Sendable {
        /// Of the first; the others have a `Re: ` before it.
        package let subject: String
        /// By date.
        package let mails: [Mail]
    }

    /// The last moment of any mailbox: the first of March 2026.
    package static let end = 1_772_323_200
    static let seconds = 730 * 86_400

    /// So many threads, by the dates of their first mails.
    package static func threads(count: Int, seed: UInt64) -> [Thread] {
        var maker = ThreadMaker(random: Seeded(seed))
        return sorted((0..<count).map { maker.thread(named: "\(seed)-\($0)") })
    }

    /// Threads with so many mails in all; one of them is cut where it would have too many.
    package static func threads(mails count: Int, seed: UInt64) -> [Thread] {
        var maker = ThreadMaker(random: Seeded(seed))
        var threads: [Thread] = []
        var left = count
        while left > 0 {
            let thread = maker.thread(named: "\(seed)-\(threads.count)")
            let mails = Array(thread.mails.prefix(left))
            left -= mails.count
            threads.append(Thread(subject: thread.subject, mails: mails))
        }
        return sorted(threads)
    }

    private static func sorted(_ threads: [Thread]) -> [Thread] {
        threads.sorted { $0.mails[0].date < $1.mails[0].date }
    }
}
