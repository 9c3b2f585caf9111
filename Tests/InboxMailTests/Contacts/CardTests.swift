import Foundation
import GRDB
import Groundwork
import MailComposing
import Replica
import SeededRandom
import Testing

@testable import InboxMail

/// The server's cards, and the contacts and groups that follow from them and from mails.
@Suite(.timeLimit(.minutes(10))) struct CardTests {
    // MARK: - Reading

    private static let names: [(name: JSON, shown: String?)] = [
        (["full": "Dr. Anna Berger"], "Dr. Anna Berger"),
        (
            ["components": [["kind": "surname", "value": "Berger"], ["kind": "given", "value": "Anna"]]], "Anna Berger"
        ),
        (
            [
                "isOrdered": true,
                "components": [["kind": "surname", "value": "Nagy"], ["kind": "given", "value": "Béla"]],
            ], "Nagy Béla"
        ),
        (
            [
                "isOrdered": true, "defaultSeparator": "",
                "components": [["kind": "surname", "value": "山田"], ["kind": "given", "value": "太郎"]],
            ], "山田太郎"
        ),
        // The example of RFC 9553, section 2.2.1.
        (
            [
                "isOrdered": true, "defaultSeparator": " ",
                "components": [
                    ["kind": "given", "value": "Jean"], ["kind": "separator", "value": "-"],
                    ["kind": "given", "value": "Luc"], ["kind": "surname", "value": "Picard"],
                ],
            ], "Jean-Luc Picard"
        ),
        (["full": "  ", "components": [["kind": "given", "value": "Anna"]]], "Anna"),
        (["components": []], nil), ([:], nil), ("Anna", nil), (["full": 7], nil), (["components": "x"], nil),
    ]

    @Test func `the name of a card is its full one, or its components in their order`() {
        for (name, shown) in Self.names {
            let card = ContactCard(jsContact: ["id": "1", "uid": "u", "name": name])
            #expect(card.name == shown, "\(name)")
        }
        let nick: JSON = ["id": "1", "nicknames": ["n": ["name": "Anni"]], "organizations": ["o": ["name": "ACME"]]]
        #expect(ContactCard(jsContact: nick).name == "Anni")
        #expect(ContactCard(jsContact: ["id": "1", "organizations": ["o": ["name": "ACME"]]]).name == "ACME")
    }

    @Test func `addresses of a card are in order of preference, and only a group has members`() {
        let json: JSON = [
            "id": "1", "uid": "u1", "kind": "individual", "members": ["x": true],
            "emails": [
                "a": ["address": "a@example.com"], "b": ["address": "b@example.com", "pref": 50], "c": ["address": 7],
                "d": ["address": "d@example.com", "pref": 1], "e": "nonsense",
            ],
        ]
        let card = ContactCard(jsContact: json)
        #expect(card.emails == ["d@example.com", "b@example.com", "a@example.com"] && card.members == nil)
        let group = ContactCard(jsContact: ["id": "2", "kind": "group", "members": ["u1": true, "u2": false]])
        #expect(group.members == ["u1"] && group.uid == "2")
    }

    // MARK: - Contacts

    @Test func `a card's name comes first, and with its deletion the mails' is back`() async throws {
        try await withStore { mail in
            try await mail.pull(
                letter("1", at: 1, from: "anni <ANNA@example.com>"),
                letter("2", at: 2, from: "Bob <bob@example.com>")
            )
            try await mail.pullCards(
                card("c1", "Anna Berger", "anna@example.com", "anna@work.example"),
                card("c2", "Carl", "carl@example.com")
            )
            let contacts = try await mail.contacts()
            #expect(Set(contacts.map(\.displayName)) == ["Anna Berger", "Bob", "Carl"] && contacts.count == 4)
            let anna = try #require(contacts.first { $0.id == "anna@example.com" })
            #expect(anna.name == "Anna Berger" && anna.email == "anna@example.com" && anna.receivedCount == 1)
            let carl = try #require(contacts.first { $0.id == "carl@example.com" })
            #expect(
                carl.writtenCount == 0 && carl.receivedCount == 0 && carl.lastUsedAt == Date(timeIntervalSince1970: 0)
            )
            #expect(contacts.first?.id == "bob@example.com", "those of mails come first")
            #expect(
                try await mail.contacts(matching: "berger").map(\.id).sorted() == [
                    "anna@example.com", "anna@work.example",
                ]
            )
            // Another mail counts for the same contact.
            try await mail.pull(letter("3", at: 3, from: "Charles <Carl@example.com>"))
            let used = try #require(try await mail.contacts().first)
            #expect(used.id == "carl@example.com" && used.name == "Carl" && used.receivedCount == 1)
            // The name and an address change on the server.
            try await mail.pullCards(card("c1", "Anna Huber", "anna@work.example"))
            var names = try await mail.contacts().map { "\($0.displayName) \($0.id)" }
            #expect(
                Set(names) == [
                    "Carl carl@example.com", "Bob bob@example.com", "anni anna@example.com",
                    "Anna Huber anna@work.example",
                ]
            )
            try await mail.removeCards("c1", "c2")
            names = try await mail.contacts().map { "\($0.displayName) \($0.email)" }
            #expect(names == ["Charles Carl@example.com", "Bob bob@example.com", "anni ANNA@example.com"])
            for table in ["cardEntry", "cardAddress", "cardMember", "changedCard", "changedCardGroup"] {
                #expect(try await mail.number("SELECT count(*) FROM \(table)") == 0, "\(table)")
            }
        }
    }

    @Test func `of several cards with one address, the first with a name determines the name`() async throws {
        try await withStore { mail in
            try await mail.pullCards(
                card("c3", "Third", "team@lists.example.org"),
                card("c1", nil, "Team@lists.example.org"),
                card("c2", "Second", "team@lists.example.org"),
                card("c4", "x", "no address", "", "a@b@c"),
                card("c5", "boss@bank.example", "mallory@example.com"),
                card("c6", "A\u{202E}B\n", "ab@example.com")
            )
            let found = try await mail.contacts().map { "\($0.name ?? "-") \($0.email)" }.sorted()
            #expect(found == ["- mallory@example.com", "AB ab@example.com", "Second team@lists.example.org"])
            try await mail.removeCards("c2")
            #expect(try await mail.contacts().first { $0.id == "team@lists.example.org" }?.name == "Third")
            // Mails of a list aren't counted, its card stays one.
            try await mail.pull(letter("1", at: 1, from: "team@lists.example.org"))
            #expect(try await mail.contacts().first { $0.id == "team@lists.example.org" }?.receivedCount == 0)
        }
    }

    @Test func `the account's own address is no contact, though it has a card`() async throws {
        try await withStore { mail in
            try await mail.pullIdentities("me@example.com")
            try await mail.pullCards(card("c1", "Me", "me@example.com", "old@example.com"))
            #expect(try await mail.contacts().map(\.id) == ["old@example.com"])
            try await mail.pull(letter("1", at: 1, from: "old@example.com", to: "Bob <bob@example.com>", in: "sent"))
            #expect(try await mail.contacts().map(\.id) == ["bob@example.com"], "an author of sent mails")
        }
    }

    @Test func `a card in no book that is subscribed isn't shown`() async throws {
        try await withStore { mail in
            try await mail.pullBook("own", isSubscribed: true)
            try await mail.pullBook("company", isSubscribed: false)
            try await mail.pullCards(
                card("c1", "Anna", "anna@example.com", in: ["company"]),
                card("c2", "Bob", "bob@example.com", in: ["company", "own"]),
                card("c3", "Carl", "carl@example.com"),
                group("g", "Friends", "c1", "c2", in: ["own"])
            )
            #expect(try await mail.contacts().compactMap(\.name).sorted() == ["Bob", "Carl"])
            #expect(try await mail.groups().map(\.members) == [["Bob <bob@example.com>"]])
            try await mail.pullBook("company", isSubscribed: true)
            #expect(try await mail.contacts().compactMap(\.name).sorted() == ["Anna", "Bob", "Carl"])
            #expect(try await mail.groups().map(\.members) == [["Anna <anna@example.com>", "Bob <bob@example.com>"]])
            try await mail.pullBook("company", isSubscribed: false)
            try await mail.pullBook("own", isSubscribed: false)
            #expect(try await mail.contacts().isEmpty)
            #expect(try await mail.groups().isEmpty)
            try await mail.store.write { writer in try writer.remove(.addressBook, ["own", "company"]) }
            #expect(try await mail.contacts().count == 3)
        }
    }

    // MARK: - Groups

    @Test func `a group has its members' preferred addresses in any order of arrival`() async throws {
        try await withStore { mail in
            try await mail.pullCards(group("g", "Familie", "a", "b", "c", "gone"))
            #expect(try await mail.groups().isEmpty, "no member is known")
            try await mail.pullCards(
                card("a", "Zoë", "zoe@example.com", "zoe@work.example"),
                card("b", "Émile", "emile@example.com"),
                card("c", "Without an address"),
                card("d", "Dora", "dora@example.com")
            )
            func members() async throws -> [[String]] { try await mail.groups().map(\.members) }
            #expect(try await members() == [["Émile <emile@example.com>", "Zoë <zoe@example.com>"]])
            try await mail.pullCards(card("b", "Émile", "neu@example.com"), card("c", "Chloé", "zoe@example.com"))
            #expect(try await members() == [["Émile <neu@example.com>", "Zoë <zoe@example.com>"]], "each address once")
            // A member with another uid is none any more.
            try await mail.pullCards(card("b", "Émile", "neu@example.com", uid: "other"))
            #expect(try await members() == [["Zoë <zoe@example.com>"]])
            try await mail.pullCards(group("g", "Family", "d"))
            #expect(try await mail.groups().map(\.name) == ["Family"])
            #expect(try await members() == [["Dora <dora@example.com>"]])
            try await mail.removeCards("d")
            #expect(try await members().isEmpty)
            try await mail.pullCards(card("d", "Dora", "dora@example.com"))
            #expect(try await members().count == 1)
            // It becomes a person, and a group again.
            try await mail.pullCards(card("g", "Family", "family@example.com"))
            #expect(try await members().isEmpty)
            try await mail.pullCards(group("g", "Family", "d"))
            #expect(try await members().count == 1)
            try await mail.removeCards("g")
            #expect(try await members().isEmpty)
            #expect(try await mail.number("SELECT count(*) FROM contactGroupText") == 0)
        }
    }

    @Test func `a group is completed by its name, after the best contact`() async throws {
        try await withStore { mail in
            try await mail.pullCards(
                card("a", "Anna", "anna@example.com"),
                card("b", "Fabian", "fabian@example.com"),
                group("g1", "Família Berger", "a", "b"),
                group("g2", "Football", "b"),
                group("g3", "Empty")
            )
            func found(_ text: String, limit: Int = 20) async throws -> [String] {
                try await mail.completions(matching: text, limit: limit)
                    .map { "\($0.displayName): \($0.addresses.map(\.email).joined(separator: " "))" }
            }
            let family = "Família Berger: anna@example.com fabian@example.com"
            #expect(try await found("fa") == ["Fabian: fabian@example.com", family])
            #expect(try await found("f", limit: 2) == ["Fabian: fabian@example.com", family])
            #expect(try await found("f", limit: 1) == ["Fabian: fabian@example.com"])
            #expect(try await found("foot", limit: 1) == ["Football: fabian@example.com"])
            #expect(try await found("f", limit: 0).isEmpty)
            #expect(try await found("familia berger") == [family])
            #expect(try await found("berger FAM") == [family])
            #expect(try await found("an") == ["Anna: anna@example.com"])
            #expect(try await found("\" OR words:*").isEmpty)
            try await mail.pullCards(group("g2", "Chess", "b"))
            #expect(try await found("foot").isEmpty)
            #expect(try await found("chess") == ["Chess: fabian@example.com"])
        }
    }

    // MARK: - Hostile cards

    @Test func `malformed cards are read without an error, and their parts are limited`() async throws {
        let deep = String(repeating: "[", count: 50) + String(repeating: "]", count: 50)
        let texts = [
            #"{"id":"h1","emails":[],"members":[],"name":[],"kind":{}}"#, #"{"id":"h2","emails":{"a":null},"uid":7}"#,
            #"{"id":"h3","kind":"group","members":{"":true,"h3":true},"name":{"full":"Itself"}}"#,
            #"{"id":"h4","name":{"components":[null,1,{"value":1}],"isOrdered":1}}"#, #"{"id":"h5","name":\#(deep)}"#,
            #"{"id":"h6","name":{"full":"\#(String(repeating: "x", count: 100_000))"},"emails":{"a":{"address":"x@example.com"}}}"#,
            #"{"id":"h7","uid":"","emails":{"a":{"address":"y@example.com","pref":-9e99}}}"#,
        ]
        try await withStore { mail in
            for text in texts {
                _ = try await mail.store.write { writer in
                    try writer.apply(.contactCard, [try JSONText(checking: Array(text.utf8))])
                }
            }
            let contacts = try await mail.contacts()
            #expect(contacts.map(\.id).sorted() == ["x@example.com", "y@example.com"])
            #expect(contacts.allSatisfy { ($0.name?.utf8.count ?? 0) <= ContactAddress.maxNameLength })
            #expect(try await mail.groups().isEmpty)
            let emails = JSON.object(
                JSONObject((0..<5_000).map { ("e\($0)", ["address": .string("p\($0)@example.org")]) })
            )
            try await mail.pullCards(["id": "many", "uid": "many", "emails": emails])
            #expect(try await mail.contacts().count == 2 + ContactCard.maxEmails)
            let members = JSON.object(JSONObject((0..<5_000).map { ("m\($0)", true) }))
            try await mail.pullCards([
                "id": "g", "uid": "g", "kind": "group", "name": ["full": "G"], "members": members,
            ])
            #expect(
                try await mail.number("SELECT count(*) FROM cardMember WHERE uid LIKE 'm%'") == ContactCard.maxMembers
            )
        }
    }

    /// One, or 40 where `SWIFT_INBOX_LONG_TESTS` is set.
    private static let seeds: Range<UInt64> =
        ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] == nil ? 0..<1 : 0..<40

    @Test(arguments: seeds) func `after random changes, contacts and groups match the cards and mails`(
        seed: UInt64
    ) async throws {
        var random = Seeded(seed)
        let mail = try MailStore()
        var (cards, mails): ([String: JSON], [String: JSON]) = ([:], [:])
        let people = (0..<5).map { "p\($0)@example.com" } + ["P1@example.com", "news-bounces@example.org"]
        for step in 0..<80 {
            let id = "c\(Int.random(in: 0..<8, using: &random))"
            func any() -> String { people.randomElement(using: &random)! }
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<3:
                cards[id] = card(
                    id,
                    ["A", "B", nil].randomElement(using: &random)!,
                    any(),
                    any(),
                    uid: random.chance(0.2) ? "c0" : nil
                )
                try await mail.pullCards(cards[id]!)
            case 3..<6:
                let members = (0..<3).map { _ in "c\(Int.random(in: 0..<8, using: &random))" }
                cards[id] = group(id, ["G", "H"].randomElement(using: &random)!, members[0], members[1], members[2])
                try await mail.pullCards(cards[id]!)
            case 6:
                cards[id] = nil
                try await mail.removeCards(id)
            default:
                let name = "m\(step)"
                mails[name] = letter(
                    name,
                    at: step,
                    from: "X <\(any())>",
                    to: [any()],
                    in: [random.chance(0.3) ? "sent" : "inbox"]
                )
                try await mail.pull(mails[name]!)
                if random.chance(0.5), let old = mails.keys.sorted().randomElement(using: &random) {
                    mails[old] = nil
                    try await mail.remove(old)
                }
            }
            guard step % 8 == 7 else { continue }
            let other = try MailStore()
            for json in mails.sorted(by: { $0.key < $1.key }) { try await other.pull(json.value) }
            for json in cards.sorted(by: { $0.key > $1.key }) { try await other.pullCards(json.value) }
            let (found, expected) = (try await mail.contacts(), try await other.contacts())
            #expect(Set(found) == Set(expected), "seed \(seed), step \(step)")
            let (groups, expectedGroups) = (try await mail.groups(), try await other.groups())
            #expect(groups.map { "\($0)" } == expectedGroups.map { "\($0)" }, "seed \(seed), step \(step)")
            await other.close()
        }
        await mail.close()
    }
}

// MARK: - Cards

/// Returns a card of RFC 9610 for a person.
func card(_ id: String, _ name: String?, _ emails: String..., uid: String? = nil, in books: [String] = ["own"]) -> JSON
{
    let addresses = emails.enumerated().map { ("e\($0.offset)", ["address": .string($0.element)] as JSON) }
    return [
        "id": .string(id), "uid": .string(uid ?? id), "kind": "individual",
        "name": name.map { ["full": .string($0)] } ?? .null, "emails": .object(JSONObject(addresses)),
        "addressBookIds": MemberSet(books).json,
    ]
}

/// Returns a card of RFC 9610 for a group, whose members are named by uid.
func group(_ id: String, _ name: String, _ members: String..., in books: [String] = ["own"]) -> JSON {
    [
        "id": .string(id), "uid": .string(id), "kind": "group", "name": ["full": .string(name)],
        "members": .object(JSONObject(Set(members).sorted().map { ($0, true) })),
        "addressBookIds": MemberSet(books).json,
    ]
}

extension MailStore {
    /// Applies cards as if a server had sent them in one answer.
    func pullCards(_ cards: JSON...) async throws {
        try await store.write { writer in
            let errors = try writer.apply(.contactCard, cards.map { try JSONText(checking: $0.utf8) })
            guard errors.isEmpty else { throw errors[0] }
        }
    }

    func removeCards(_ ids: String...) async throws {
        try await store.write { writer in try writer.remove(.contactCard, ids) }
    }

    func pullBook(_ id: String, isSubscribed: Bool) async throws {
        let json: JSON = ["id": .string(id), "name": .string(id), "isSubscribed": .bool(isSubscribed)]
        try await store.write { writer in try writer.apply(.addressBook, [try JSONText(checking: json.utf8)]) }
    }

    /// The groups, with their members as text.
    func groups() async throws -> [(name: String, members: [String])] {
        try await store.read { db in try StoreQuery(Query(), .contactGroup).fetch(db) }
            .map { group in (group.name, group.members.map { "\($0.name ?? "-") <\($0.email)>" }) }
    }

    func completions(matching text: String, limit: Int) async throws -> [MailCompletion] {
        guard let search = ContactIndex.Search(text) else { return [] }
        return try await store.read { db in try db.completions(matching: search, limit: limit) }
    }
}
