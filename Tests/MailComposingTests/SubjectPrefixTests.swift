import Testing

@testable import MailComposing

/// The words before a subject that say that a mail is a reply or forwarded.
@Suite(.timeLimit(.minutes(5))) struct SubjectPrefixTests {
    @Test(arguments: [
        "Hello", "Re: Hello", "RE: Hello", "re:Hello", "Re : Hello", "Re: Re: Hello", "Re: Fwd: Aw: Hello", "AW: Hello",
        "Antw: Hello",
        "SV: Hello", "Vs: Hello", "Wg: Hello", "Fw: Hello", "FWD: Hello", "VB: Hello", "Tr: Hello", "RV: Hello",
        "Rif: Hello",
        "R: Hello", "I: Hello", "Odp: Hello", "Ynt: Hello", "RE[2]: Hello", "Re(3): Hello", "Re^4: Hello",
        "Re*5: Hello",
        "Re [2]: Hello", "Re：Hello", "回复：Hello", "答复: Hello", "转发：Hello", "返信: Hello", "転送: Hello", "회신: Hello",
        "תגובה: Hello",
        "رد: Hello", "ΑΠ: Hello", "RÉP: Hello", "  Re:\r\n Hello  ", "Re:\u{A0}Hello", "\u{0}Re: Hello",
        "Re: AW: Re: WG: FW: Hello", "İLT: Hello", "Re\u{301}p: Hello", "\u{200F}RE: Hello",
        "Re: \u{202B}\u{200F}Fwd: Hello",
    ])
    func `prefixes of every language are replaced by one`(subject: String) {
        #expect(SubjectPrefix.base(of: subject) == "Hello")
        #expect(SubjectPrefix.reply(to: subject) == "Re: Hello")
        #expect(SubjectPrefix.forward(subject) == "Fwd: Hello")
        // Not piled up, however often.
        #expect(SubjectPrefix.reply(to: SubjectPrefix.forward(SubjectPrefix.reply(to: subject))) == "Re: Hello")
    }

    @Test(arguments: [
        "Report: figures", "Regarding: Hello", "Reply", "Re", "Re Hello", "Re[a]: Hello", "Re[12345]: Hello",
        "Rex: Hello", "A re: b",
        "Re;: Hello", "10:30 Hello", ": Hello", "\u{200F}Hello",
    ])
    func `other words with a colon stay`(subject: String) {
        #expect(SubjectPrefix.base(of: subject) == subject)
        #expect(SubjectPrefix.reply(to: subject) == "Re: \(subject)")
    }

    @Test(arguments: [
        ("[list] Hello", "[list] Hello"), ("Re: [list] Hello", "[list] Hello"), ("[list] Re: Hello", "[list] Hello"),
        ("Re: [list] Re: [list] Hello", "[list] Hello"), ("Re: [a] Re: [b] Hello", "[a] [b] Hello"),
        ("[LIST] Re: [list] Hello", "[list] Hello"),
        ("[] Re: Hello", "[] Re: Hello"), ("[a [b] Hello", "[a [b] Hello"),
        ("[list] [tag] Hello", "[list] [tag] Hello"),
    ])
    func `tags of mailing lists are kept, each once`(subject: String, base: String) {
        #expect(SubjectPrefix.base(of: subject) == base)
    }

    @Test(arguments: ["", " ", "Re:", "Re: Fwd:", "\r\n"])
    func `a subject without words is a prefix alone`(subject: String) {
        #expect(SubjectPrefix.reply(to: subject) == "Re:")
        #expect(SubjectPrefix.forward(subject) == "Fwd:")
        #expect(SubjectPrefix.reply(to: SubjectPrefix.reply(to: subject)) == "Re:")
    }

    @Test func `a subject is one line of limited length`() {
        let reply = SubjectPrefix.reply(to: "Hello\r\nBcc: eve@example.org\u{0}\u{2028}x")
        #expect(reply == "Re: Hello Bcc: eve@example.org x")
        #expect(SubjectPrefix.reply(to: String(repeating: "é", count: 5_000)).utf8.count <= 2_000)
    }

    @Test func `many prefixes take linear time`() {
        let clock = ContinuousClock()
        for piece in ["Re: ", "[a] ", "Re:[a]", "[", "Re[", "Re[2]", " "] {
            let time = clock.measure { _ = SubjectPrefix.base(of: String(repeating: piece, count: 50_000)) }
            #expect(time < .seconds(20), "\(piece): \(time)")
        }
    }
}
