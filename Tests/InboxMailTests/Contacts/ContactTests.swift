import Foundation
import GRDB
import Groundwork
import InboxTesting
import MailComposing
import Replica
import SeededRandom
import Testing

@testable import InboxMail

/// The people that are derived from mails.
@Suite(.timeLimit(.minutes(10))) struct ContactTests {
    @Test func `authors of received mails and recipients of sent ones are counted`() async throws {
        try await withStore { mail in
            try await mail.pull(
                letter("1", at: 1, from: "Anna <anna@example.com>", to: "me@example.com", "Other <other@example.com>"),
                letter("2", at: 2, from: "anna@example.com", to: "me@example.com"),
                letter(
                    "3",
                    at: 3,
                    from: "Me <me@example.com>",
                    to: "Anna <anna@example.com>",
                    cc: "Bob <bob@example.com>",
                    "me@example.com",
                    in: "sent"
                ),
                letter("4", at: 9, from: "Draft <draft@example.com>", to: "draft2@example.com", keywords: "$draft"),
                letter("5", at: 9, from: "Spam <spam@example.com>", in: "junk"),
                letter("6", at: 9, from: "Gone <gone@example.com>", in: "trash"),
                letter("7", at: 9, from: "Marked <marked@example.com>", keywords: "$junk")
            )
            let contacts = try await mail.contacts()
            #expect(contacts.map(\.id) == ["anna@example.com", "bob@example.com"])
            let anna = try #require(contacts.first)
            #expect(anna.name == "Anna" && anna.email == "anna@example.com" && anna.displayName == "Anna")
            #expect(anna.writtenCount == 1 && anna.receivedCount == 2 && anna.lastUsedAt == minute(3))
            #expect(contacts.last?.writtenCount == 1 && contacts.last?.receivedCount == 0)
            #expect(!"\(anna)".contains("nna") && anna.descriptionWithTexts.contains("anna@example.com"))
        }
    }

    @Test func `spellings of an address are one contact with the most used name`() async throws {
        try await withStore { mail in
            try await mail.pull(
                letter("1", at: 1, from: "Anna <anna@bücher.example>"),
                letter("2", at: 2, from: "A. Berger <ANNA@xn--bcher-kva.example>"),
                letter("3", at: 3, from: "Anna@BÜCHER.example")
            )
            func anna() async throws -> MailContact? {
                let all = try await mail.contacts()
                #expect(all.count == 1 && all[0].id == "anna@xn--bcher-kva.example")
                return all.first
            }
            #expect(try await anna()?.name == "A. Berger", "each once, so the latest")
            #expect(try await anna()?.receivedCount == 3)
            try await mail.pull(letter("4", at: 0, from: "Anna <anna@bücher.example>"))
            let mostUsed = try await anna()
            #expect(mostUsed?.name == "Anna" && mostUsed?.email == "anna@bücher.example")
            try await mail.remove("1", "4", "3")
            let left = try await anna()
            #expect(left?.name == "A. Berger" && left?.receivedCount == 1)
        }
    }

    @Test func `addresses of lists and automated senders are no contacts`() async throws {
        let cases: [String] = [
            "no-reply@shop.example", "noreply+7@shop.example", "do_not_reply@shop.example", "MAILER-DAEMON@example.com",
            "postmaster@example.com", "newsletter@shop.example", "news-bounces@example.org",
            "swift-request@example.org",
            "owner-swift@example.org", "bounce-77@example.org", "anna=example.com@example.org",
            "swift@lists.example.org",
            "swift@googlegroups.com",
        ]
        try await withStore { mail in
            for (number, address) in cases.enumerated() {
                try await mail.pull(
                    letter("\(number)", at: 1, from: "Name <\(address)>"),
                    letter("to \(number)", at: 1, to: address, in: "sent")
                )
                #expect(try await mail.contacts().isEmpty, "\(address)")
                #expect(
                    try await mail.number("SELECT count(*) FROM contactSpelling WHERE address <> 'me@example.com'")
                        == 0,
                    "\(address)"
                )
            }
        }
    }

    @Test func `addresses of people are contacts`() async throws {
        let cases: [String] = [
            "anna@example.com", "anna+lists@example.com", "reply@example.com", "anna.owner@lister.example",
            "info@shop.example", "o'brien@example.com", "anna@list.com", "jürgen@example.com", "\"a b\"@example.com",
        ]
        try await withStore { mail in
            for address in cases {
                try await mail.pull(letter("1", at: 1, from: "Name <\(address)>"))
                #expect(try await mail.contacts().map(\.email) == [address], "\(address)")
                try await mail.remove("1")
            }
        }
    }

    @Test func `the account's own addresses are no contacts, and mails from them are written`() async throws {
        try await withStore { mail in
            try await mail.pull(
                letter("1", at: 1, from: "work@example.org", to: "Bob <bob@example.com>", in: "archive"),
                letter("2", at: 2, from: "Me <me@example.com>", to: "Carl <carl@example.com>", in: "sent"),
                letter("3", at: 3, from: "Me@Example.com", to: "work@example.org", in: "inbox")
            )
            #expect(try await mail.contacts().map(\.id) == ["carl@example.com", "work@example.org"], "unknown so far")
            try await mail.pullIdentities("WORK@example.org")
            let known = try await mail.contacts()
            #expect(known.map(\.id) == ["carl@example.com", "bob@example.com"])
            #expect(known.map(\.writtenCount) == [1, 1])
            try await mail.pullIdentities("other@example.org")
            #expect(try await mail.contacts().map(\.id) == ["carl@example.com", "work@example.org"], "as before")
            try await mail.store.write { writer in
                try writer.set(setting: AccountAddresses.setting, to: "carl@example.com\nwork@example.org")
            }
            #expect(try await mail.contacts().map(\.id) == ["bob@example.com"])
        }
    }

    @Test func `a mail that is moved, marked or destroyed is counted where it is`() async throws {
        try await withStore { mail in
            let anna = "Anna <anna@example.com>"
            try await mail.pull(letter("1", at: 1, from: anna), letter("2", at: 2, from: "Bob <bob@example.com>"))
            func ids() async throws -> [String] { try await mail.contacts().map(\.name!) }
            #expect(try await ids() == ["Bob", "Anna"])
            try await mail.pull(letter("1", at: 1, from: anna, in: "trash"))
            #expect(try await ids() == ["Bob"])
            try await mail.pull(letter("1", at: 1, from: anna, in: "trash", "work"))
            #expect(try await ids() == ["Bob", "Anna"])
            try await mail.pull(letter("1", at: 1, from: anna, in: "work", keywords: "$junk"))
            #expect(try await ids() == ["Bob"])
            try await mail.pull(letter("1", at: 1, from: anna, in: "work", keywords: "$seen"))
            #expect(try await ids() == ["Bob", "Anna"])
            // The person's own change, before the server has it.
            try await mail.store.write { writer in
                let places = ["inbox": false, "junk": true]
                _ = try writer.update(.email, RecordType.mailboxIds, members: places, ids: ["2"])
            }
            #expect(try await ids() == ["Anna"])
            try await mail.remove("1", "2")
            #expect(try await ids() == [])
            #expect(try await mail.number("SELECT count(*) FROM contactUse") == 0)
            #expect(try await mail.number("SELECT count(*) FROM contactSpelling") == 0)
            #expect(try await mail.number("SELECT count(*) FROM contactText") == 0)
        }
    }

    @Test func `a mailbox's role decides what is counted, also when it changes`() async throws {
        try await withStore { mail in
            try await mail.pull(letter("1", at: 1, from: "me@example.com", to: "Anna <anna@example.com>", in: "work"))
            #expect(try await mail.contacts().map(\.id) == ["me@example.com"])
            try await mail.pullMailboxes(["id": "work", "name": "Work", "role": "sent"])
            #expect(try await mail.contacts().map(\.id) == ["anna@example.com"])
            try await mail.pullMailboxes(["id": "work", "name": "Work", "role": "trash"])
            #expect(try await mail.contacts().isEmpty)
            try await mail.pullMailboxes(["id": "work", "name": "Work", "role": .null])
            #expect(try await mail.contacts().map(\.id) == ["me@example.com"])
        }
    }

    @Test func `one mail written outweighs all received ones, and each doubling is 30 days`() throws {
        let day = 86_400_000
        func rank(_ written: Int, _ received: Int, day number: Int) -> Int {
            ContactRank.rank(written: written, received: received, lastUsedAt: number * day)
        }
        #expect(rank(1, 0, day: 100) > rank(0, 100_000, day: 100))
        #expect(rank(2, 0, day: 100) == rank(1, 0, day: 130))
        #expect(rank(0, 2, day: 100) == rank(0, 1, day: 130))
        #expect(rank(0, 1, day: 101) > rank(0, 1, day: 100))
        for (written, received, time) in [(0, 0, Int.min), (.max, .max, .max), (-1, -1, 0)] {
            let rank = ContactRank.rank(written: written, received: received, lastUsedAt: time)
            #expect((0...ContactRank.max).contains(rank))
        }
    }

    /// Each step is compared with a store that gets the mails of the moment at once.
    /// One, or 40 where `SWIFT_INBOX_LONG_TESTS` is set.
    private static let seeds: Range<UInt64> =
        ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] == nil ? 0..<1 : 0..<40

    @Test(arguments: seeds) func `after random changes, contacts match the stored mails`(
        seed: UInt64
    ) async throws {
        var random = Seeded(seed)
        let mail = try MailStore()
        try await mail.pull()
        let people = (0..<6).map { "p\($0)@example.com" } + ["P1@EXAMPLE.com", "no-reply@example.com", "nonsense", ""]
        let names = ["", "Anna ", "Bob ", "Åsa "]
        let places = [["inbox"], ["archive"], ["sent"], ["trash"], ["junk"], ["inbox", "trash"], []]
        var present: [String: JSON] = [:]
        var identities: [String] = []
        for step in 0..<60 {
            func anyone() -> String {
                "\(names.randomElement(using: &random)!)<\(people.randomElement(using: &random)!)>"
            }
            let id = "m\(Int.random(in: 0..<12, using: &random))"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                // A mail's contents never change.
                let now = (from: anyone(), to: [anyone(), anyone()], at: Int.random(in: 0..<99, using: &random))
                var json = present[id]?.objectValue ?? letter(id, at: now.at, from: now.from, to: now.to).objectValue!
                json["mailboxIds"] = MemberSet(places.randomElement(using: &random)!).json
                json["keywords"] = MemberSet(random.chance(0.2) ? ["$draft"] : random.chance(0.2) ? ["$junk"] : []).json
                present[id] = .object(json)
                try await mail.pull(.object(json))
            case 6, 7:
                present[id] = nil
                try await mail.remove(id)
            case 8:
                identities = Array(people.shuffled(using: &random).prefix(1))
                try await mail.pullIdentities(identities[0])
            default:
                let role: JSON = random.chance(0.5) ? "sent" : .null
                try await mail.pullMailboxes(["id": "archive", "name": "Archive", "role": role])
            }
            guard step % 6 == 5 else { continue }
            let other = try MailStore()
            try await other.pull()
            let roles = try await mail.store.read { db in
                try Row.fetchAll(db, sql: "SELECT id, role FROM mailbox").map { ($0[0] as String, $0[1] as String?) }
            }
            for (id, role) in roles {
                try await other.pullMailboxes(["id": .string(id), "name": "x", "role": role.map(JSON.string) ?? .null])
            }
            if let identity = identities.first { try await other.pullIdentities(identity) }
            for json in present.values.sorted(by: { "\($0)" < "\($1)" }) { try await other.pull(json) }
            let (found, expected) = (try await mail.contacts(), try await other.contacts())
            #expect(found == expected, "seed \(seed), step \(step)")
            let (index, all) = try await mail.store.read { db in
                try (
                    Set(String.fetchAll(db, sql: "SELECT words FROM contactText")),
                    Set(String.fetchAll(db, sql: "SELECT words FROM contact"))
                )
            }
            #expect(index == all, "the index has the contacts")
            await other.close()
        }
        await mail.close()
    }

    @Test func `a new mail costs the same, however many the sender has sent`() async throws {
        try await withStore { mail in
            let many = (0..<2_000).map { letter("m\($0)", at: $0, from: "Anna <anna@example.com>") }
            try await mail.pull(many)
            let changes = try await mail.store.write { writer in
                let before = writer.db.totalChangesCount
                let text = try JSONText(checking: letter("new", at: 3_000, from: "Anna <anna@example.com>").utf8)
                try writer.apply(.email, [text])
                try writer.deriveContacts()
                return writer.db.totalChangesCount - before
            }
            #expect(changes < 30)
            #expect(try await mail.contacts().first?.receivedCount == 2_001)
        }
    }

    @Test func `a store from before contacts counts its mails in the background`() async throws {
        try await withStore { mail in
            try await mail.pull((0..<1_200).map { letter("m\($0)", at: $0, from: "Anna <anna\($0 % 3)@example.com>") })
            // As after the migration.
            try await mail.store.write { writer in
                for table in ["contactUse", "contactSpelling", "contact", "changedContact"] {
                    try writer.db.execute(sql: "DELETE FROM \(table)")
                }
                try writer.db.execute(sql: "INSERT INTO uncountedContactMail SELECT rowid FROM email")
            }
            try await mail.store.write { writer in try writer.db.execute(sql: "DELETE FROM changedContact") }
            #expect(try await mail.contacts().isEmpty)
            try await mail.pull(letter("new", at: 2_000, from: "New <new@example.com>"))
            try await mail.remove("m0")
            #expect(try await mail.contacts().map(\.id) == ["new@example.com"])
            await mail.store.countEarlierMails()
            #expect(try await mail.contacts().count == 4)
            #expect(try await mail.contacts().map(\.receivedCount).sorted() == [1, 399, 400, 400])
            #expect(try await mail.store.read { db in try !db.hasUncountedMails() })
        }
    }
}

/// Runs a test with a mail store.
func withStore(_ body: (MailStore) async throws -> Void) async throws {
    let mail = try MailStore()
    do {
        try await body(mail)
    } catch {
        await mail.close()
        throw error
    }
    await mail.close()
}

/// Returns the JSON of a mail. An address is `Name <address>` or the address alone.
func letter(
    _ id: String,
    at minutes: Int,
    from: String = "me@example.com",
    to: String...,
    cc: String...,
    in mailboxes: String...,
    keywords: String...
) -> JSON {
    letter(id, at: minutes, from: from, to: to, cc: cc, in: mailboxes, keywords: keywords)
}

/// Returns the JSON of a mail, with addresses in lists.
func letter(
    _ id: String,
    at minutes: Int,
    from: String,
    to: [String],
    cc: [String] = [],
    in mailboxes: [String] = [],
    keywords: [String] = []
) -> JSON {
    func addresses(_ list: [String]) -> JSON {
        .array(
            list.map { text in
                guard let open = text.lastIndex(of: "<") else { return EmailAddress(email: text).json }
                let name = text[..<open].trimmingCharacters(in: .whitespaces)
                let email = String(text[text.index(after: open)...].dropLast())
                return EmailAddress(name: name.isEmpty ? nil : name, email: email).json
            }
        )
    }
    return [
        "id": .string(id), "threadId": .string("T" + id), "subject": "Hello", "preview": "…",
        "receivedAt": .string(RFC3339.string(from: minute(minutes))), "from": addresses([from]), "to": addresses(to),
        "cc": addresses(cc), "mailboxIds": MemberSet(mailboxes.isEmpty ? ["inbox"] : mailboxes).json,
        "keywords": MemberSet(keywords).json, "hasAttachment": false, "size": 1_000,
    ]
}

extension MailStore {
    func contacts() async throws -> [MailContact] {
        try await store.read { db in try StoreQuery(Query(), .contact).fetch(db) }
    }

    func number(_ sql: String) async throws -> Int { try await store.read { db in try db.number(sql) } }

    /// Applies mails as if a server had sent them in one answer.
    func pull(_ mails: [JSON]) async throws {
        try await pull()
        try await store.write { writer in
            let errors = try writer.apply(.email, mails.map { try JSONText(checking: $0.utf8) })
            guard errors.isEmpty else { throw errors[0] }
        }
    }

    /// Replaces the identities by one.
    func pullIdentities(_ email: String) async throws {
        let json: JSON = ["id": .string(email + "!"), "name": "Me", "email": .string(email)]
        try await store.write { writer in
            let old = try String.fetchAll(writer.db, sql: "SELECT id FROM identity")
            try writer.remove(.identity, old)
            try writer.apply(.identity, [try JSONText(checking: json.utf8)])
        }
    }

    func contacts(matching text: String, limit: Int = 20) async throws -> [MailContact] {
        guard let search = ContactIndex.Search(text) else { return [] }
        return try await store.read { db in try db.contacts(matching: search, limit: limit) }
    }
}
