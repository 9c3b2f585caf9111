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
        "Re: \u{202B}\u{200F}Fwd: Hello", "Redir.: Hello", "Odp.: Hello", "Re.[2]: Hello",
    ])
    func `prefixes of every language are replaced by one`(subject: String) {
        #expect(SubjectPrefix.base(of: subject) == "Hello")
        #expect(SubjectPrefix.reply(to: subject) == "Re: Hello")
        #expect(SubjectPrefix.forward(subject) == "Fwd: Hello")
        // Not piled up, however often.
        #expect(SubjectPrefix.reply(to: SubjectPrefix.forward(SubjectPrefix.reply(to: subject))) == "Re: Hello")
    }

    private static let languages: [(String, [String])] = [
        ("Arabic", ["رد", "إعادة توجيه"]), ("Chinese", ["回复", "回覆", "转发", "轉發", "轉寄"]),
        ("Croatian", ["Odg", "Prosl"]), ("Danish", ["SV", "VS"]), ("Dutch", ["Antw", "Doorst"]),
        ("Finnish", ["VS", "VL"]), ("French", ["RE", "TR"]), ("German", ["AW", "WG"]),
        ("Greek", ["ΑΠ", "ΣΧΕΤ", "ΠΡΘ"]), ("Hebrew", ["השב", "הועבר"]), ("Hungarian", ["Vá", "Továbbítás"]),
        ("Icelandic", ["SV", "FS"]), ("Indonesian", ["BLS", "TRS"]), ("Italian", ["R", "RIF", "I"]),
        ("Japanese", ["返信", "転送"]), ("Korean", ["답장", "회신", "전달"]), ("Latvian", ["Atb", "Pārs"]),
        ("Norwegian", ["SV", "Videresend", "Videresendt"]), ("Polish", ["Odp", "PD"]), ("Portuguese", ["RES", "ENC"]),
        ("Romanian", ["RE", "Redir."]), ("Russian", ["Отв", "ПЕРЕСЛ"]), ("Slovenian", ["ODG", "POSR"]),
        ("Spanish", ["RE", "RV"]), ("Swedish", ["SV", "VB"]), ("Thai", ["ตอบกลับ", "ส่งต่อ"]),
        ("Turkish", ["YNT", "İLT"]), ("Ukrainian", ["Відп", "Пересл"]), ("Vietnamese", ["Trả lời", "Chuyển tiếp"]),
        ("Welsh", ["ATB", "YML"]),
    ]

    /// As programs write them.
    @Test(arguments: languages)
    func `each language's prefixes are known`(language: String, prefixes: [String]) {
        for prefix in prefixes {
            for colon in [":", " :", "：", "[2]:"] {
                #expect(SubjectPrefix.base(of: "\(prefix)\(colon) Hello") == "Hello", "\(language)")
            }
        }
    }

    @Test(arguments: [
        "Report: figures", "Regarding: Hello", "Reply", "Re", "Re Hello", "Re[a]: Hello", "Re[12345]: Hello",
        "Rex: Hello", "A re: b",
        "Re;: Hello", "10:30 Hello", ": Hello", "\u{200F}Hello", "I.: Introduction", "Re..: Hello", "CT: the scan",
        "Betr.: Rechnung 12", "Res.: two nights", "Resp.: Ana", "Rep. : figures", "Enc.: the contract",
        "TL;DR: Hello", "ATS: candidates", "回復: Hello", "Vedr.: Hello", "Trả: Hello", "Trảlời: Hello", "توجيه: Hello",
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
