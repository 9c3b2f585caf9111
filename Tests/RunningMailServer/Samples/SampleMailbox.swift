import SeededRandom

/// Random ordinary mailboxes of any size, the same in each run with the same seed.
///
/// A few dozen people write to Alice and each other over two years: threads of one to twelve mails, most of them read,
/// some with attachments, a few flagged. Alice's mails are in `Sent`, old threads are in `Archive`, some are
/// newsletters.
package enum SampleMailbox {
    package struct Mail: Sendable {
        package let bytes: [UInt8]
        /// The arrival in seconds since 1970.
        package let date: Int
        /// IMAP flags, such as `\Seen`.
        package let flags: [String]
        /// The folder: `INBOX`, `Archive` or `Sent`.
        package let folder: String
    }

    package struct Thread: Sendable {
        /// The first mail's subject; the others have `Re: ` before it.
        package let subject: String
        /// The mails by date.
        package let mails: [Mail]
    }

    /// The last date of any mailbox: 1 March 2026.
    package static let end = 1_772_323_200
    static let seconds = 730 * 86_400

    /// Returns a number of threads, ordered by the dates of their first mails.
    package static func threads(count: Int, seed: UInt64) -> [Thread] {
        var maker = ThreadMaker(random: Seeded(seed))
        return sorted((0..<count).map { maker.thread(named: "\(seed)-\($0)") })
    }

    /// Returns threads with a total number of mails. The last thread is shortened if it would exceed it.
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
