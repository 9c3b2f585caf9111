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
    /// The people who are in the server's address book too, and the groups there.
    private static let (cards, groups) = (20_000, 1_000)

    private static let texts = ["a", "an", "anna", "mail", "mailbox", "an mail", "host17"]

    static func run(_ context: Context) async throws -> [Line] {
        let folder = try context.workspace.subfolder("contacts")
        let mail = try await open(in: folder)
        try await fill(mail)
        try await fillAddressBook(mail)
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
        lines.append(try await groupLine(context, mail, raw))
        await mail.close()
        return lines
    }

    /// Completes a text that is the beginning of all groups' names and of some people's. C finds the people.
    private static func groupLine(_ context: Context, _ mail: Mail, _ raw: RawDatabase) async throws -> Line {
        let text = "an"
        let sql = """
            SELECT person.id, person.name, person.email FROM personText JOIN person ON person.id = personText.rowid
                WHERE personText MATCH '"\(text)"*' ORDER BY person.used DESC LIMIT \(limit)
            """
        let found = try await mail.completions(matching: text, limit: limit)
        // The best contact comes first.
        guard found.count == limit, case .group(let group) = found[1], group.members.count == 20 else {
            throw BenchmarkError("no groups are found")
        }
        var rounds: [(ours: Double, raw: Double)] = []
        for round in 0...context.effort.rounds {
            var (ours, others): ([Double], [Double]) = ([], [])
            for _ in 0..<repeats {
                ours.append(try await seconds { _ = try await mail.completions(matching: text, limit: limit) })
                others.append(try seconds { try raw.execute(sql) })
            }
            if round > 0 { rounds.append((median(ours), median(others))) }
        }
        return Line(
            "complete \"\(text)\" among \(count) people and \(groups) groups",
            .time,
            rounds: rounds,
            note: "3 groups of 20 and the 17 most used people, by mail.completions(matching:); C: people alone"
        )
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

    /// Stores cards of some people, and groups of them.
    private static func fillAddressBook(_ mail: Mail) async throws {
        let people = try await mail.contacts(Query(sort: [SortDescriptor(\.id, comparator: .lexical)], limit: cards))
        let cards = people.enumerated().map { number, person -> JSON in
            [
                "id": .string("c\(number)"), "uid": .string("c\(number)"),
                "name": ["full": .string(person.name ?? person.email)],
                "emails": ["e": ["address": .string(person.email)]],
            ]
        }
        let groups = (0..<groups).map { number -> JSON in
            let members = (0..<20).map { ("c\((number * 20 + $0) % cards.count)", true as JSON) }
            return [
                "id": .string("g\(number)"), "uid": .string("g\(number)"), "kind": "group",
                "name": ["full": .string("Anglers \(number)")], "members": .object(JSONObject(members)),
            ]
        }
        let all = cards + groups
        for start in stride(from: 0, to: all.count, by: 500) {
            let batch = try all[start..<min(start + 500, all.count)].map { try JSONText(checking: $0.utf8) }
            try await mail.store.write { writer in _ = try writer.apply(.contactCard, batch) }
        }
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
