/// A realistic random mailbox, identical in each run: two years of threads of one to twelve mails that quote each
/// other. Each mail has 2 to 20 kB with the headers that servers add. Most have HTML besides the text, some have an
/// attachment.
enum MailCorpus {
    struct Mail: Sendable {
        /// `INBOX`, `Archive` or `Sent`.
        let folder: String
        let bytes: [UInt8]
        let flags: [String]
        /// The date of arrival, in seconds since 1970.
        let date: Int
    }

    static let words = MailWords()

    /// Returns `count` mails, ordered by date.
    static func mails(_ count: Int) -> [Mail] {
        var maker = MailMaker()
        var mails: [Mail] = []
        while mails.count < count { mails += maker.thread().prefix(count - mails.count) }
        return mails.sorted { $0.date < $1.date }
    }
}
