import SeededRandom
import Testing

@testable import MailComposing

/// Addresses as people type and paste them.
@Suite(.timeLimit(.minutes(5))) struct TypedAddressesTests {
    /// Addresses as `name|email`, and what isn't readable as `!text`, in the order of the text.
    private func read(_ text: String, isForBlindCopies: Bool = false) -> [String] {
        let typed = EmailAddress.read(text, isForBlindCopies: isForBlindCopies)
        return typed.addresses.map { address in (address.name.map { "\($0)|" } ?? "") + address.email }
            + typed.unreadable.map { "!\($0.text)" }
    }

    @Test(arguments: [
        (
            "Bob Ärmel <bob@example.org>, \"Doe, Jane\" <jane@x.de>; carol@x.de",
            [
                "Bob Ärmel|bob@example.org", "Doe, Jane|jane@x.de", "carol@x.de",
            ]
        ),
        ("a@x.de,b@x.de;c@x.de\nd@x.de\r\ne@x.de", ["a@x.de", "b@x.de", "c@x.de", "d@x.de", "e@x.de"]),
        (
            "a@x.de、b@x.de，c@x.de；d@x.de، e@x.de؛f@x.de",
            [
                "a@x.de", "b@x.de", "c@x.de", "d@x.de", "e@x.de", "f@x.de",
            ]
        ),
        (" , ;;\n ", []), ("", []), ("<bob@x.de>", ["bob@x.de"]), ("<<bob@x.de>>", ["bob@x.de"]),
        ("Bob<bob@x.de>", ["Bob|bob@x.de"]), ("< bob@x.de >", ["bob@x.de"]),
        ("<a@x.de><b@x.de>", ["a@x.de", "b@x.de"]),
        ("Bob <a@x.de> Carol <c@x.de>", ["Bob|a@x.de", "Carol|c@x.de"]), ("a@x.de b@x.de", ["a@x.de", "b@x.de"]),
        ("Bob Ärmel bob@x.de", ["Bob Ärmel|bob@x.de"]), ("bob@x.de <bob@x.de>", ["bob@x.de"]),
        ("山田太郎 <taro@x.jp>", ["山田太郎|taro@x.jp"]), ("דוד <david@x.il>", ["דוד|david@x.il"]),
    ])
    func `addresses are read with every separator, with and without names`(text: String, expected: [String]) {
        #expect(read(text) == expected)
    }

    @Test(arguments: [
        ("\"Jane \\\"JD\\\" Doe\" <j@x.de>", ["Jane \"JD\" Doe|j@x.de"]), ("\"a\\\\b\" <j@x.de>", ["a\\b|j@x.de"]),
        ("“Doe, Jane” <j@x.de>", ["Doe, Jane|j@x.de"]), ("„Doe, Jane“ <j@x.de>", ["Doe, Jane|j@x.de"]),
        ("'Doe Jane' <j@x.de>", ["Doe Jane|j@x.de"]), ("'j@x.de'", ["j@x.de"]), ("\"j@x.de\" <j@x.de>", ["j@x.de"]),
        ("Bob \"the builder\" Smith <b@x.de>", ["Bob \"the builder\" Smith|b@x.de"]),
        ("O'Brien <o'brien@x.ie>, D'Arcy <d@x.ie>", ["O'Brien|o'brien@x.ie", "D'Arcy|d@x.ie"]),
        ("\"john doe\"@x.de", ["\"john doe\"@x.de"]), ("\"a,b\"@x.de, c@x.de", ["\"a,b\"@x.de", "c@x.de"]),
        ("J <\"a b\"@x.de>", ["J|\"a b\"@x.de"]), ("  Jane   Q.  Doe   <j@x.de>", ["Jane Q. Doe|j@x.de"]),
    ])
    func `names and local parts in quotation marks keep what is in them`(text: String, expected: [String]) {
        #expect(read(text) == expected)
    }

    @Test(arguments: [
        ("bob@x.de (Bob Ärmel)", ["Bob Ärmel|bob@x.de"]), ("(Bob, of course) bob@x.de", ["Bob, of course|bob@x.de"]),
        ("<bob@x.de> (Bob), c@x.de", ["Bob|bob@x.de", "c@x.de"]), ("Bob <b@x.de> (at home (often))", ["Bob|b@x.de"]),
        ("Bob (Sales) <bob@x.de>", ["Bob (Sales)|bob@x.de"]), ("bob@x.de ()", ["bob@x.de"]),
        ("Team: a@x.de, B <b@x.de>; c@x.de", ["a@x.de", "B|b@x.de", "c@x.de"]), ("undisclosed-recipients:;", []),
        ("To: a@x.de, b@x.de\nCc: c@x.de", ["a@x.de", "b@x.de", "c@x.de"]), ("An：a@x.de", ["a@x.de"]),
        ("mailto:a@x.de?subject=Hi, MAILTO:b@x.de", ["a@x.de", "b@x.de"]), ("<mailto:a@x.de>", ["a@x.de"]),
        ("Bob [mailto:bob@x.de], c@x.de", ["Bob|bob@x.de", "c@x.de"]), ("a@[192.0.2.1]", ["a@[192.0.2.1]"]),
        ("a@[IPv6:2001:db8::1], b@x.de", ["a@[IPv6:2001:db8::1]", "b@x.de"]),
    ])
    func `comments, groups, header lines and links are understood`(text: String, expected: [String]) {
        #expect(read(text) == expected)
    }

    @Test func `where semicolons separate, a name can have commas`() {
        let text = "Doe, Jane <jane@x.de>; Ärmel, Bob, Dr. <bob@x.de>; carol@x.de"
        #expect(read(text) == ["Doe, Jane|jane@x.de", "Ärmel, Bob, Dr.|bob@x.de", "carol@x.de"])
        #expect(read("Doe, Jane <jane@x.de>, carol@x.de") == ["Jane|jane@x.de", "carol@x.de", "!Doe"])
        #expect(read("a@x.de, Jane <jane@x.de>; Doe, <b@x.de>") == ["a@x.de", "Jane|jane@x.de", "b@x.de", "!Doe"])
    }

    @Test(
        arguments: [
            ("Bob", ["!Bob"], AddressProblem.missingAt), ("carol@", ["!carol@"], .missingDomain),
            ("@x.de", ["!@x.de"], .missingLocalPart),
            ("a@b@x.de", ["!a@b@x.de"], .severalAts), ("..@x.de", ["!..@x.de"], .misplacedDot),
            ("a@x..de", ["!a@x..de"], .emptyLabel),
            ("Bob <bob>, c@x.de", ["c@x.de", "!Bob <bob>"], .missingAt), ("Bob <>", ["!Bob <>"], .empty),
            ("(bob@x.de, c@x.de", ["c@x.de", "!(bob@x.de"], .notReadable),
            ("\"bob@x.de", ["!\"bob@x.de"], .notReadable),
            ("\"Bob <b@x.de>, C <c@x.de", ["\"Bob|b@x.de", "C|c@x.de"], nil),
            ("bob @x.de", ["!bob @x.de"], .missingLocalPart),
            ("Team:", ["!Team:"], .missingAt), ("a@x.de and b@x.de", ["!a@x.de and b@x.de"], .severalAts),
            ("a@x_y.de", ["!a@x_y.de"], .domainCharacter("_")),
            ("a\u{0}b@x.de", ["!a\u{0}b@x.de"], .controlCharacter),
            ("a\u{202E}b@x.de", ["!a\u{202E}b@x.de"], .localPartCharacter("\u{202E}")),
            ("()", ["!()"], .missingAt),
        ] as [(String, [String], AddressProblem?)]
    )
    func `invalid addresses are returned with their reason`(text: String, expected: [String], problem: AddressProblem?)
    {
        #expect(read(text) == expected)
        #expect(EmailAddress.read(text).unreadable.first?.problem == problem)
    }

    @Test(arguments: [
        ("a@x.de\nBcc: b@x.de", ["a@x.de", "!Bcc: b@x.de"], ["a@x.de", "b@x.de"]),
        (
            "BCC : b@x.de, C <c@x.de>\r\nCc: d@x.de", ["d@x.de", "!BCC : b@x.de, C <c@x.de>"],
            ["b@x.de", "C|c@x.de", "d@x.de"]
        ),
        (
            "Bcc: b@x.de,\n c@x.de\nd@x.de", ["d@x.de", "!Bcc: b@x.de,\n c@x.de"],
            ["b@x.de", "c@x.de", "d@x.de"]
        ),
        ("Cci\u{A0}: b@x.de; c@x.de", ["!Cci\u{A0}: b@x.de; c@x.de"], ["b@x.de", "c@x.de"]),
        ("Bcc:\nTo: a@x.de", ["a@x.de", "!Bcc:"], ["a@x.de", "!Bcc:"]),
    ])
    func `a line of blind copies is read for a field that the others don't see`(
        text: String,
        open: [String],
        hidden: [String]
    ) {
        #expect(read(text) == open)
        #expect(EmailAddress.read(text).unreadable.map(\.problem) == [.blindCopy])
        #expect(read(text, isForBlindCopies: true) == hidden)
    }

    @Test func `unreadable parts are returned with their range`() throws {
        let text = "Zoë <zoe@x.de>,\n  carol@ , 🎈; d@x.de"
        let unreadable = EmailAddress.read(text).unreadable
        #expect(unreadable.map { String(text[$0.range]) } == ["carol@", "🎈"])
        #expect(unreadable.map(\.text) == ["carol@", "🎈"])
        #expect(text.distance(from: text.startIndex, to: try #require(unreadable.first).range.lowerBound) == 18)
    }

    @Test func `invisible characters around an address are removed, and those within it aren't`() {
        #expect(read("\u{202A}bob@x.de\u{202C}, \u{FEFF}<\u{200B}c@x.de\u{2060}>\u{A0}") == ["bob@x.de", "c@x.de"])
        #expect(EmailAddress.read("a\u{200B}b@x.de").unreadable.map(\.problem) == [.localPartCharacter("\u{200B}")])
    }

    @Test func `line breaks never get into an address or a name`() {
        for breaks in ["\r\n", "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}", "\u{0B}", "\u{0C}"] {
            let typed = EmailAddress.read("\"Bob\(breaks)Bcc: eve@x.de\" <b@x.de>\(breaks)c@x.de\(breaks)Subject: hi")
            #expect(!typed.addresses.contains { "\($0.name ?? "")\($0.email)".contains { $0.isNewline } })
            #expect(typed.addresses.contains { $0.email == "c@x.de" })
        }
    }

    @Test(
        arguments: [
            ("Bob Ärmel", "Bob Ärmel <b@x.de>"), ("Doe, Jane", "\"Doe, Jane\" <b@x.de>"),
            ("a\"b\\c", "\"a\\\"b\\\\c\" <b@x.de>"),
            ("Jane Q. Doe", "Jane Q. Doe <b@x.de>"), (nil, "b@x.de"), ("", "b@x.de"), ("b@x.de", "b@x.de"),
            ("eve@x.de", "\"eve@x.de\" <b@x.de>"), ("two\r\nlines\u{0}", "two lines <b@x.de>"),
            ("'q'", "\"'q'\" <b@x.de>"),
        ] as [(String?, String)]
    )
    func `an address is written as it is typed`(name: String?, text: String) {
        #expect(EmailAddress(name: name, email: "b@x.de").typedText == text)
    }

    @Test func `written addresses are read as they were`() {
        var random = Seeded(1)
        let pieces = [
            "a", "Bob", " ", " ", ",", ";", "\"", "\\", "'", "(", ")", "<", ">", ":", "@", "“", "”", "„", "«", "é",
            "山田", "דוד",
            "🎈", "、", ".", "[", "]", "mailto:", "\u{200F}", "＂", "؛", "\u{A0}", "x@y.de",
        ]
        for _ in 0..<5_000 {
            let addresses = (0..<Int.random(in: 1...3, using: &random)).map { index in
                let raw = (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                    .joined()
                let name = PlainCharacters.line(raw, maxLength: 500)
                let local = ["bob", "\"a, b\"", "o'x", "\"<;>\"", "jürgen", "a+b", "\"q\\\"q\""].randomElement(
                    using: &random
                )!
                let domain = ["x.de", "bücher.example", "[192.0.2.1]", "[IPv6:2001:db8::1]"].randomElement(
                    using: &random
                )!
                let email = "\(local)@\(domain)"
                return EmailAddress(name: name.isEmpty || name == email ? nil : name, email: email)
            }
            let text = EmailAddress.typedText(of: addresses)
            let typed = EmailAddress.read(text)
            guard typed.addresses == addresses, typed.unreadable.isEmpty else {
                Issue.record("\(addresses.map { "\($0.name ?? "nil") | \($0.email)" }): \(text)")
                return
            }
        }
    }

    @Test func `any text is read without loss, in linear time`() {
        var random = Seeded(2)
        let pieces = [
            "a", "@", "x.de", ",", ";", "<", ">", "\"", "\\", "(", ")", ":", " ", "\n", "“", "”", "[", "]", "mailto:",
            "'",
        ]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...24, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            let typed = EmailAddress.read(text)
            #expect(typed.addresses.allSatisfy { $0.problem == nil })
            #expect(typed.unreadable.allSatisfy { !$0.text.isEmpty && text[$0.range] == $0.text })
        }
        let clock = ContinuousClock()
        for piece in ["\"", "“", "(", "<", "a,", "a;", ":", "\\", "(\"", "<(", "a@x.de ", "[mailto:", "\"\\"] {
            let text = ";" + String(repeating: piece, count: 50_000)
            let time = clock.measure { _ = EmailAddress.read(text) }
            #expect(time < .seconds(10), "\(piece): \(time)")
        }
    }
}
