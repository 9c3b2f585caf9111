import Groundwork
import Testing

@testable import MailComposing

/// Which addresses a mail can be sent to, and their forms.
@Suite(.timeLimit(.minutes(5))) struct EmailAddressTests {
    private func problem(_ email: String) -> AddressProblem? { EmailAddress(email: email).problem }

    @Test(arguments: [
        "anna@example.com", "a@b", "a.b+c@x-y.example", "!#$%&'*+-/=?^_`{|}~@x.de", "\"a b\"@x.de", "\"a@b\"@x.de",
        "\"\\\"\"@x.de",
        "\"\"@x.de", "anna@bücher.example", "anna@BÜCHER.example", "anna@xn--bcher-kva.example", "anna@例え.テスト",
        "anna@пример.рф",
        "jürgen@bücher.example", "用户@例え.jp", "anna@[192.0.2.1]", "anna@[IPv6:2001:db8::1]", "anna@[ipv6:::1]",
        "ANNA@EXAMPLE.COM",
        "anna@例え。テスト", "anna@ｅｘａｍｐｌｅ.com", "anna@straße.de", "anna@क्‍ष.example", "1@1.de",
    ])
    func `addresses of every script and form are accepted`(email: String) {
        #expect(problem(email) == nil)
    }

    @Test(arguments: [
        ("", AddressProblem.empty), (" ", .empty), ("anna", .missingAt), ("@x.de", .missingLocalPart),
        ("anna@", .missingDomain),
        ("a@b@x.de", .severalAts), (".@x.de", .misplacedDot), ("...@x.de", .misplacedDot),
        ("a b@x.de", .localPartCharacter(" ")), ("a,b@x.de", .localPartCharacter(",")),
        ("a\"b@x.de", .localPartCharacter("\"")),
        ("<a@x.de", .localPartCharacter("<")), ("a@x.de>", .domainCharacter(">")), ("a@x de", .domainCharacter(" ")),
        ("a@x_y.de", .domainCharacter("_")), ("a@x/y.de", .domainCharacter("/")), ("a@℀.de", .domainCharacter("/")),
        ("a@.de", .emptyLabel), ("a@x.", .emptyLabel), ("a@x..de", .emptyLabel), ("a@-x.de", .hyphenAtEnd),
        ("a@x-.de", .hyphenAtEnd),
        ("a@xn--zzzzzz.de", .encodedLabel), ("a@xn--.de", .hyphenAtEnd), ("a@ab--ü.de", .encodedLabel),
        ("a@[x]", .domainLiteral),
        ("a@[192.0.2.1", .domainLiteral), ("a@[2001:db8::1]", .domainLiteral), ("a@[IPv6:192.0.2.1]", .domainLiteral),
        ("\"a\"b@x.de", .notReadable), ("\"a@x.de", .notReadable), ("\"a\\\"@x.de", .notReadable),
        ("a@x.\u{301}x.de", .domainCharacter("\u{301}")), ("a@a\u{200D}b.de", .domainCharacter("\u{200D}")),
    ])
    func `an invalid address has a problem with a message`(email: String, expected: AddressProblem) {
        #expect(problem(email) == expected)
        #expect(expected.message.hasSuffix("."))
    }

    @Test(arguments: ["\r", "\n", "\r\n", "\u{0}", "\t", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}", "\u{1B}"])
    func `control characters are never part of an address`(character: String) {
        for email in [
            "a\(character)b@x.de", "a@x\(character).de", "\"a\(character)b\"@x.de", "a@x.de\(character)Bcc: eve@x.de",
        ] {
            #expect(problem(email) == .controlCharacter)
            let wire = EmailAddress(email: email).wireJSON?["email"]?.stringValue
            #expect(wire?.unicodeScalars.contains(where: EmailAddress.isControl) != true)
        }
        let wire = EmailAddress(name: "N\(character)Bcc: eve@x.de", email: "a@x.de").wireJSON
        #expect(wire?["email"] == "a@x.de")
        #expect(wire?["name"]?.stringValue?.unicodeScalars.contains(where: EmailAddress.isControl) == false)
    }

    @Test(arguments: ["\u{202E}", "\u{200F}", "\u{2066}", "\u{200B}", "\u{FEFF}", "\u{AD}"])
    func `invisible characters aren't part of the name of a mailbox`(character: String) {
        #expect(problem("a\(character)b@x.de") == .localPartCharacter(Character(character)))
        #expect(AddressProblem.localPartCharacter(Character(character)).message.contains("U+"))
        let domain = EmailAddress(email: "a@x\(character)y.de")
        #expect(domain.problem != nil || domain.wireEmail == "a@xy.de")
    }

    @Test func `lengths are limited as they are sent`() {
        let local = String(repeating: "a", count: 64)
        // Addresses for replies have more bytes before the @ than servers have to accept.
        #expect(problem("\(String(repeating: "a", count: 249))@x.de") == nil)
        #expect(problem("\(String(repeating: "a", count: 250))@x.de") == .tooLong)
        #expect(problem("\(String(repeating: "ü", count: 125))@x.de") == .tooLong)
        let label = String(repeating: "b", count: 63)
        #expect(problem("a@\(label).de") == nil && problem("a@\(label)b.de") == .labelTooLong)
        #expect(problem("a@\(String(repeating: "ü", count: 60)).de") == .labelTooLong)
        let domain = "\(label).\(label).\(String(repeating: "c", count: 59)).d"
        #expect(problem("a@\(domain)") == nil && problem("\(local)@\(domain)e") == .tooLong)
        let long = Array(repeating: label, count: 4).joined(separator: ".")
        #expect(problem("a@\(long)e") == .labelTooLong && problem("a@\(long).e") == .domainTooLong)
        let clock = ContinuousClock()
        let time = clock.measure {
            #expect(problem("a@\(String(repeating: "ü.", count: 1_000_000))") == .domainTooLong)
            #expect(problem(String(repeating: "a.", count: 1_000_000) + "@x.de") != nil)
        }
        #expect(time < .seconds(20))
    }

    // MARK: Forms

    @Test(arguments: [
        ("anna@Bücher.Example", "anna@xn--bcher-kva.example"), ("Anna@EXAMPLE.com", "Anna@example.com"),
        ("anna@例え。テスト", "anna@xn--r8jz45g.xn--zckzah"), ("anna@ｅｘａｍｐｌｅ.com", "anna@example.com"),
        ("anna@faß.de", "anna@xn--fa-hia.de"), ("jürgen@bücher.example", "jürgen@xn--bcher-kva.example"),
        ("a@[IPv6:2001:DB8:0::1]", "a@[IPv6:2001:db8::1]"),
        ("anna@bu\u{308}cher.example", "anna@xn--bcher-kva.example"),
        ("notAnAddress", "notAnAddress"), ("a@x_y.de", "a@x_y.de"),
    ])
    func `an address is sent with its domain in ASCII`(email: String, wire: String) {
        #expect(EmailAddress(email: email).wireEmail == wire)
        #expect(EmailAddress(email: email).wireJSON?["email"]?.stringValue == wire)
    }

    /// Providers in Japan had given them away.
    @Test(arguments: ["foo.@docomo.ne.jp", "a..b@docomo.ne.jp", ".a@x.de", "ü.@x.de"])
    func `an address with full stops that need quotation marks is sent with them`(email: String) {
        let address = EmailAddress(email: email)
        let parts = email.split(separator: "@")
        let wire = "\"\(parts[0])\"@\(parts[1])"
        #expect(address.problem == nil && address.wireEmail == wire && address.wireJSON?["email"] == .string(wire))
        #expect(EmailAddress(email: wire).problem == nil && EmailAddress(email: wire).wireEmail == wire)
        // It is shown, compared and read as it is written.
        #expect(address.displayEmail == email && EmailAddress.read(email).addresses.map(\.email) == [email])
        #expect(EmailAddress(email: "b.@bücher.example").isSame(as: EmailAddress(email: "B.@xn--bcher-kva.example")))
        let long = EmailAddress(email: String(repeating: "a", count: 247) + ".@x.de")
        #expect(long.problem == .tooLong)
    }

    /// A server would take the part before the space, or the one after it, for the address.
    @Test(arguments: ["not an address", "carol@exa mple", "carol@example.org ben@"])
    func `an invalid address with a space isn't sent`(email: String) {
        #expect(EmailAddress(email: email).wireJSON == nil)
        #expect(EmailAddress(email: "\"a b\"@example.org").wireJSON?["email"] == "\"a b\"@example.org")
    }

    @Test(arguments: [
        ("anna@xn--bcher-kva.example", "anna@bücher.example"), ("anna@XN--BCHER-KVA.example", "anna@bücher.example"),
        ("anna@xn--r8jz45g.xn--zckzah", "anna@例え.テスト"), ("anna@xn--e1afmkfd.example", "anna@пример.example"),
        // “аррӏе” in Cyrillic, “аpple” of both scripts.
        ("anna@xn--80ak6aa92e.com", "anna@xn--80ak6aa92e.com"), ("anna@xn--pple-43d.com", "anna@xn--pple-43d.com"),
        ("anna@xn--zzzzzz.de", "anna@xn--zzzzzz.de"), ("anna@example.com", "anna@example.com"), ("anna", "anna"),
    ])
    func `a domain is shown in its own script unless it can be mistaken`(email: String, shown: String) {
        #expect(EmailAddress(email: email).displayEmail == shown)
    }

    @Test func `addresses are equal in capitals, with another name, and in either form`() {
        let anna = EmailAddress(name: "Anna", email: "Anna@Bücher.example")
        for email in ["anna@xn--bcher-kva.example", "ANNA@BÜCHER.EXAMPLE", "anna@bu\u{308}cher.example"] {
            #expect(anna.isSame(as: EmailAddress(email: email)))
        }
        for email in ["anna@bucher.example", "anna.@bücher.example", "hanna@bücher.example", ""] {
            #expect(!anna.isSame(as: EmailAddress(email: email)))
        }
    }

    @Test func `only a local part that isn't ASCII needs servers that support it`() {
        #expect(!EmailAddress(email: "anna@bücher.example").needsInternationalMail)
        #expect(EmailAddress(email: "jürgen@example.com").needsInternationalMail)
    }

    @Test func `the name is shown, or else the address`() {
        #expect(EmailAddress(name: "Anna", email: "a@x.de").displayName == "Anna")
        #expect(EmailAddress(name: "", email: "a@x.de").displayName == "a@x.de")
        #expect(EmailAddress(email: "a@x.de").displayName == "a@x.de")
    }

    @Test func `an address object without an address isn't sent`() {
        #expect(EmailAddress(name: "Anna", email: " \r\n").wireJSON == nil)
        #expect(EmailAddress(name: " ", email: "a@x.de").wireJSON == ["name": .null, "email": "a@x.de"])
        let long = EmailAddress(name: String(repeating: "é", count: 1_000), email: "a@x.de").wireJSON
        #expect((long?["name"]?.stringValue?.utf8.count ?? 0) <= 500)
    }
}
