/// A mailbox as a person has it, made by chance, the same at each run: two years of threads of one to twelve mails that
/// quote each other, of 2 to 20 kB each with the headers that servers put before them, most with HTML beside the text,
/// some with a file.
enum MailCorpus {
    struct Mail: Sendable {
        /// `INBOX`, `Archive` or `Sent`.
        let folder: String
        let bytes: [UInt8]
        let flags: [String]
        /// When it came, in seconds since 1970.
        let date: Int
    }

    static let words = MailWords()

    /// So many mails, by their dates.
    static func mails(_ count: Int) -> [Mail] {
        var maker = MailMaker()
        var mails: [Mail] = []
        while mails.count < count { mails += maker.thread().prefix(count - mails.count) }
        return mails.sorted { $0.date < $1.date }
    }
}
