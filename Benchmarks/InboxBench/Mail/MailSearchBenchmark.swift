import InboxMail

/// Searching for words in mails on the device, compared with libnotmuch on the same mails as files.
enum MailSearchBenchmark {
    private static let limit = 50
    private static let repeats = 20

    private static let searches = [
        ("rare word", MailCorpus.words.word(5_000)),
        ("common word", MailCorpus.words.word(40)),
        ("prefix", String(MailCorpus.words.word(7_000).prefix(3))),
        ("two words", "\(MailCorpus.words.word(100)) \(MailCorpus.words.word(300))"),
    ]

    static func run(_ context: Context) async throws -> [Line] {
        let setting = try await context.mail()
        let mail = try await setting.device().mail
        let notmuch = try Notmuch(try await setting.maildir(), settings: context.workspace.subfolder("notmuch"))
        let start = try notmuch.timeOfCommand("nosuchwordanywhere")
        var lines: [Line] = []
        for (name, words) in searches {
            // In our search, each word is a prefix.
            let query = words.split(separator: " ").map { "\($0)*" }.joined(separator: " ")
            let found = try await mail.search(words, limit: limit).count
            let theirs = try notmuch.search(query, limit: limit)
            guard found > 0, found == theirs else {
                throw BenchmarkError("\(query): found \(found) mails, but notmuch \(theirs)")
            }
            var rounds: [(ours: Double, raw: Double)] = []
            for round in 0...context.effort.rounds {
                var (ours, theirs): ([Double], [Double]) = ([], [])
                for _ in 0..<repeats {
                    ours.append(try await seconds { try await mail.search(words, limit: limit) })
                    theirs.append(try seconds { try notmuch.search(query, limit: limit) })
                }
                if round > 0 { rounds.append((median(ours), median(theirs))) }
            }
            let command = try notmuch.timeOfCommand(query)
            let note =
                "the newest \(found) with \(query) in headers and bodies, ours with the place in its text; "
                + "raw: libnotmuch, read from C; the command notmuch search takes \(Report.duration(command)), "
                + "\(Report.duration(start)) of them where nothing is found"
            lines.append(Line("search in \(setting.count) mails, \(name)", .time, rounds: rounds, note: note))
        }
        return lines
    }
}
