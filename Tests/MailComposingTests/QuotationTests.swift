import Foundation
import HTMLCleaning
import Testing

@testable import MailComposing

/// The text of a mail within a reply to it, or within a mail that forwards it.
@Suite(.timeLimit(.minutes(5))) struct QuotationTests {
    private let anna = EmailAddress(name: "Anna Müller", email: "anna@example.org")
    /// 26 November 2026, 9:02 in UTC.
    private let date = Date(timeIntervalSince1970: 1_795_683_720)

    private func quotation(
        _ mail: QuotedMail,
        _ language: QuotationLanguage = .english,
        timeZone: String = "Europe/Berlin",
        maxLength: Int = Quotation.defaultMaxLength
    ) -> Quotation {
        Quotation(of: mail, language: language, timeZone: TimeZone(identifier: timeZone)!, maxLength: maxLength)
    }

    // MARK: Text

    @Test func `each line has a quote mark, and the introduction stands above`() {
        let mail = QuotedMail(from: [anna], date: date, text: "Hello,\n\nall is well.\n> before\n>> earlier\n")
        let text = """
            On 26 November 2026 at 10:02, Anna Müller wrote:
            > Hello,
            >
            > all is well.
            >> before
            >>> earlier
            """
        #expect(quotation(mail).text == text)
    }

    @Test func `the signature and empty lines around the text are left out`() {
        let mail = QuotedMail(from: [anna], text: "\n\n  \nHello\n\n-- \nAnna\nBerlin")
        #expect(quotation(mail).text == "Anna Müller wrote:\n> Hello")
        #expect(quotation(QuotedMail(from: [anna], text: "-- \nAnna")).text == "")
        #expect(quotation(QuotedMail(from: [anna], text: " \n")).text == "")
    }

    @Test func `an author without a name has the address, and no author no introduction`() {
        #expect(quotation(QuotedMail(from: [EmailAddress(email: "a@x.de")], text: "x")).text == "a@x.de wrote:\n> x")
        #expect(quotation(QuotedMail(sender: [anna], text: "x")).attribution == "Anna Müller wrote:")
        #expect(quotation(QuotedMail(text: "x")).text == "> x")
    }

    @Test func `a hostile name stays in one line`() {
        let eve = EmailAddress(name: "Eve\r\n> I owe you\u{2028}x", email: "eve@x.de")
        #expect(quotation(QuotedMail(from: [eve], text: "x")).text == "Eve > I owe you x wrote:\n> x")
        let long = EmailAddress(name: String(repeating: "e", count: 10_000), email: "eve@x.de")
        #expect(quotation(QuotedMail(from: [long], text: "x")).attribution.utf8.count < 300)
        #expect(
            !quotation(QuotedMail(from: [EmailAddress(name: "<b>&", email: "x")], text: "x")).html().contains("<b>")
        )
    }

    /// They would show another address than the author's.
    @Test func `marks that reorder a line are left out of what introduces a quotation`() {
        let eve = EmailAddress(name: "Eve\u{202E}\u{2067}", email: "eve@x.de")
        let mail = QuotedMail(from: [eve], to: [eve], subject: "\u{202E}Plans \u{5E9}\u{200F}", text: "x")
        #expect(quotation(mail).text == "Eve wrote:\n> x")
        let forwarded = quotation(mail).forwardedText
        #expect(forwarded.contains("From: Eve <eve@x.de>\nSubject: Plans \u{5E9}\u{200F}\nTo: Eve <eve@x.de>\n"))
        #expect(!quotation(mail).forwardedHTML().unicodeScalars.contains("\u{202E}"))
    }

    @Test func `quote marks are bounded, and so is the length`() {
        let deep = String(repeating: ">", count: 1_000) + " x"
        #expect(quotation(QuotedMail(text: deep)).text == String(repeating: ">", count: 32) + " x")
        let text = quotation(QuotedMail(text: String(repeating: "word é\n", count: 10_000)), maxLength: 1_000).text
        #expect(text.utf8.count < 1_500 && text.hasSuffix("\n> […]"))
    }

    @Test func `a mail without text is quoted by its HTML`() {
        let mail = QuotedMail(
            from: [anna],
            text: " \n",
            html: "<p>Hello<blockquote>before</blockquote><script>x</script>"
        )
        #expect(quotation(mail).text == "Anna Müller wrote:\n> Hello\n>> before")
    }

    // MARK: Languages

    @Test(arguments: [
        ("en", "On 26 November 2026 at 10:02, Anna Müller wrote:"),
        ("de", "Am 26. November 2026 um 10:02 schrieb Anna Müller:"),
        ("fr", "Le 26 novembre 2026 à 10:02, Anna Müller a écrit\u{A0}:"),
        ("es", "El 26 de noviembre de 2026 a las 10:02, Anna Müller escribió:"),
        ("pt", "Em 26 de novembro de 2026 às 10:02, Anna Müller escreveu:"),
        ("ja", "2026年11月26日 10:02、Anna Müllerのメール:"),
        ("ar", "في 26 نوفمبر 2026 الساعة 10:02، كتب Anna Müller:"),
        ("he", "בתאריך 26 בנובמבר 2026 בשעה 10:02, נכתב על ידי Anna Müller:"),
        ("de-AT", "Am 26. November 2026 um 10:02 schrieb Anna Müller:"),
        ("pt_BR", "Em 26 de novembro de 2026 às 10:02, Anna Müller escreveu:"),
        ("xx", "On 26 November 2026 at 10:02, Anna Müller wrote:"),
        ("", "On 26 November 2026 at 10:02, Anna Müller wrote:"),
    ])
    func `the introduction is in the language of the reply`(tag: String, line: String) {
        let mail = QuotedMail(from: [anna], date: date, text: "x")
        #expect(quotation(mail, QuotationLanguage(tag: tag)).attribution == line)
    }

    @Test(arguments: QuotationLanguage.allCases) func `a reply's quotation isn't the person's own text`(
        language: QuotationLanguage
    ) {
        for date in [date, nil] {
            let mail = QuotedMail(from: [anna], date: date, subject: "S", text: "Hello\n\nbye")
            let quotation = quotation(mail, language)
            let own = "Mine\n\n\(quotation.text)"
            #expect(OwnText.own(own).trimmingCharacters(in: .whitespacesAndNewlines) == "Mine")
            #expect(
                quotation.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().allSatisfy {
                    $0.hasPrefix(">")
                }
            )
            let forwarded = "Mine\n\n\(quotation.forwardedText)"
            #expect(OwnText.own(forwarded).trimmingCharacters(in: .whitespacesAndNewlines) == "Mine")
            #expect(quotation.html().contains("dir=\"rtl\"") == language.isRightToLeft)
        }
    }

    @Test func `the date is in the time zone, and one out of range is left out`() {
        let mail = QuotedMail(from: [anna], date: date, text: "x")
        #expect(quotation(mail, timeZone: "Pacific/Auckland").attribution.hasPrefix("On 26 November 2026 at 22:02"))
        #expect(quotation(mail, timeZone: "America/Los_Angeles").attribution.hasPrefix("On 26 November 2026 at 01:02"))
        let first = QuotedMail(from: [anna], date: date.addingTimeInterval(5 * 86_400), text: "x")
        #expect(quotation(first, .french).attribution == "Le 1er décembre 2026 à 10:02, Anna Müller a écrit\u{A0}:")
        #expect(quotation(first, .german).attribution.hasPrefix("Am 1. Dezember 2026 um 10:02"))
        for seconds in [-1e12, 1e12, .infinity, .nan] {
            let mail = QuotedMail(from: [anna], date: Date(timeIntervalSince1970: seconds), text: "x")
            #expect(quotation(mail).attribution == "Anna Müller wrote:")
        }
    }

    // MARK: HTML

    @Test func `the HTML is quoted in a blockquote, and text becomes HTML`() {
        let html = quotation(QuotedMail(from: [anna], html: "<p>Hello <b>Bob</b></p>")).html()
        #expect(html.hasPrefix("<div>Anna Müller wrote:</div>\n<blockquote type=\"cite\">"))
        #expect(html.contains("Hello <b>Bob</b>") && html.hasSuffix("</blockquote>"))
        let text = quotation(QuotedMail(from: [anna], text: "a < b & \"c\"\n> before\n  in")).html()
        #expect(text.contains("a &lt; b &amp; &quot;c&quot;"))
        #expect(text.contains("<blockquote type=\"cite\">before</blockquote>") && text.contains("\u{A0} in"))
        #expect(quotation(QuotedMail(from: [anna])).html() == "")
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<a href=\"javascript:alert(1)\">x</a>",
        "<iframe src=//evil></iframe>",
        "<style>*{background:url(//evil)}</style>", "<svg><script>alert(1)</script></svg>",
        "<form action=//evil><input></form>",
        "<meta http-equiv=refresh content=\"0;url=//evil\">", "<base href=//evil>", "<object data=//evil></object>",
        "<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>",
        "<p style=\"background:url(javascript:alert(1))\">x",
        "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    ])
    func `hostile HTML is removed from the reply`(hostile: String) {
        for html in [
            hostile, "<p>Hello</p>\(hostile)", "</blockquote></blockquote>\(hostile)", "<table><tr>\(hostile)",
        ] {
            let quotation = quotation(QuotedMail(from: [anna], html: html))
            for output in [quotation.html(), quotation.forwardedHTML()] {
                let parts = ["<script", "<iframe", "<style", "<svg", "<form", "<input", "<meta", "<base", "<object"]
                let markup = output.lowercased()
                for part in parts + ["onerror=alert(1)>", "href=\"javascript", "url(javascript", "url(//"] {
                    #expect(!markup.contains(part), "\(part) in \(output)")
                }
            }
        }
        let header = quotation(QuotedMail(from: [EmailAddress(name: hostile, email: "x")], subject: hostile))
            .forwardedHTML()
        #expect(header.ranges(of: TextMarkup.escaped(hostile)).count == 2)
    }

    @Test func `a quoted mail can't end the quotation`() {
        let html = quotation(QuotedMail(from: [anna], html: "</blockquote></div></body></html><p>not quoted</p><!--"))
            .html()
        let end = html.range(of: "</blockquote>", options: .backwards)
        #expect(end?.upperBound == html.endIndex)
        let starts = html.ranges(of: "<blockquote").count
        #expect(html.ranges(of: "</blockquote>").count == starts)
    }

    @Test func `pictures in the mail are kept, and others as the caller decides`() {
        let mail = QuotedMail(html: "<img src=\"cid:a@b\"><img src=\"https://x.de/t.png\">")
        #expect(quotation(mail).html().contains("cid:a@b"))
        var asked: [String] = []
        let html = quotation(mail).html { picture in
            asked.append("\(picture.url)")
            return .keep
        }
        #expect(asked.count == 2 && html.contains("cid:a@b"))
    }

    @Test func `long HTML is truncated and marked`() {
        let mail = QuotedMail(html: "<p>" + String(repeating: "word ", count: 10_000))
        let html = quotation(mail, maxLength: 1_000).html()
        #expect(html.utf8.count < 2_000 && html.contains("[…]"))
    }

    // MARK: Forwarded

    @Test func `a mail that is forwarded has its header and all its text`() {
        let mail = QuotedMail(
            from: [anna],
            to: [EmailAddress(name: "Bob", email: "bob@x.de"), EmailAddress(email: "c@x.de")],
            date: date,
            subject: "Re: Two\r\nlines",
            text: "Hello\n-- \nAnna"
        )
        let text = """
            ---------- Forwarded message ----------
            From: Anna Müller <anna@example.org>
            Date: 26 November 2026, 10:02
            Subject: Re: Two lines
            To: Bob <bob@x.de>, c@x.de

            Hello
            -- 
            Anna
            """
        #expect(quotation(mail).forwardedText == text)
        let html = quotation(mail, .german).forwardedHTML()
        #expect(
            html.contains(
                "---------- Weitergeleitete Nachricht ----------<br>\n<b>Von:</b> Anna Müller &lt;anna@example.org&gt;<br>"
            )
        )
        #expect(html.contains("<b>Betreff:</b> Re: Two lines"))
    }

    @Test func `the header of a mail with very many recipients is bounded`() {
        let many = (0..<10_000).map { EmailAddress(email: "a\($0)@x.de") }
        let text = quotation(QuotedMail(to: many, text: "x")).forwardedText
        #expect(text.utf8.count < 2_000 && text.contains("a99@x.de, …\n"))
    }
}
