import Foundation
import Groundwork
import InboxMail
import InboxTesting
import JMAP
import Replica

/// Finding the people that a typed text stands for, compared with C that has FTS5 find them and SQLite order
/// them.
enum ContactBenchmark {
    private static let count = 100_000
    private static let limit = 20
    private static let repeats = 20

    private static let texts = ["a", "an", "anna", "mail", "mailbox", "an mail", "host17"]

    static func run(_ context: Context) async throws -> [Line] {
        let folder = try context.workspace.subfolder("contacts")
        let mail = try await open(in: folder)
        try await fill(mail)
        guard try await mail.contactCount() == count else { throw BenchmarkError("not all people are contacts") }
        let people = try context.workspace.subfolder("people").appendingPathComponent("people.sqlite")
        // An empty file is a database without tables.
        try Data().write(to: people)
        let raw = try RawDatabase(people)
        try raw.execute("ATTACH '\(mail.store.location.file.path)' AS ours")
        try raw.execute(
            """
            CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, email TEXT, used INTEGER);
            CREATE VIRTUAL TABLE personText USING fts5(
                name, email, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4');
            INSERT INTO person SELECT rowid, name, email, rank FROM ours.contact;
            INSERT INTO personText(rowid, name, email) SELECT id, name, email FROM person;
            """
        )
        var lines: [Line] = []
        for text in texts {
            let words = text.split(separator: " ").map { "\"\($0)\"*" }.joined(separator: " ")
            let sql = """
                SELECT person.id, person.name, person.email FROM personText JOIN person ON person.id = personText.rowid
                    WHERE personText MATCH '\(words)' ORDER BY person.used DESC LIMIT \(limit)
                """
            let found = try await mail.contacts(matching: text, limit: limit).count
            let theirs = raw.integer("SELECT count(*) FROM (\(sql))")
            guard found == theirs, found > 0 else { throw BenchmarkError("\(text): \(found) people, FTS5: \(theirs)") }
            var rounds: [(ours: Double, raw: Double)] = []
            for round in 0...context.effort.rounds {
                var (ours, others): ([Double], [Double]) = ([], [])
                for _ in 0..<repeats {
                    ours.append(try await seconds { _ = try await mail.contacts(matching: text, limit: limit) })
                    others.append(try seconds { try raw.execute(sql) })
                }
                if round > 0 { rounds.append((median(ours), median(others))) }
            }
            lines.append(
                Line(
                    "complete \"\(text)\" among \(count) people",
                    .time,
                    rounds: rounds,
                    note: "the \(found) most used and latest, by mail.contacts(matching:); C: FTS5, a join and a sort"
                )
            )
        }
        await mail.close()
        return lines
    }

    private static func open(in folder: URL) async throws -> Mail {
        var configuration = MailConfiguration()
        configuration.isLive = false
        configuration.transport = ScriptedTransport { _ in throw TransportError.unreachable("no network") }
        return try await Mail.open(
            server: URL(string: "https://mail.example") ?? folder,
            credentials: .basic(user: "alice") { "" },
            directory: folder,
            configuration: configuration
        )
    }

    /// Stores a mail of each person, and another one of some. A third of them have the same domain.
    private static func fill(_ mail: Mail) async throws {
        let first = ["Anna", "Ben", "Mila", "Jürgen", "Zoë", "Antonio", "Carla", "Daniel", "Olga", "Peter"]
        let last = ["Berger", "Anders", "Smith", "Novák", "Rossi", "Mair", "O'Brien", "Yılmaz", "Larsson", "Ito"]
        let mails = (0..<count * 5 / 4).map { number -> JSON in
            let person = number < count ? number : (number - count) * 3
            let domain = person % 3 == 0 ? "mailbox.example" : "host\(person % 5_000).example"
            let address = EmailAddress(
                name: "\(first[person % 10]) \(last[person / 10 % 10])",
                email: "\(first[person % 7].prefix(2))\(person)@\(domain)"
            )
            let time = Date(timeIntervalSince1970: 1_600_000_000 + Double(number * 7_919 % 100_000) * 1_000)
            return [
                "id": .string("m\(number)"), "threadId": .string("t\(number)"), "from": [address.json],
                "to": [["email": "alice@home.example"]], "subject": "Hello", "preview": "Hello",
                "receivedAt": .string(RFC3339.string(from: time)), "mailboxIds": ["inbox": true],
                "keywords": ["$seen": true],
            ]
        }
        for start in stride(from: 0, to: mails.count, by: 1_000) {
            let batch = try mails[start..<min(start + 1_000, mails.count)].map { try JSONText(checking: $0.utf8) }
            try await mail.store.write { writer in _ = try writer.apply(.email, batch) }
        }
    }
}
