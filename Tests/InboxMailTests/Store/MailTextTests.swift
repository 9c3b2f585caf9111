import Foundation
import Groundwork
import Testing

@testable import InboxMail

/// Quotations, signatures and links in plain text.
@Suite(.timeLimit(.minutes(10))) struct MailTextTests {
    private func kinds(_ text: String) -> [MailText.Part.Kind] { MailText.parts(of: text).map(\.kind) }

    @Test func `the parts of a text joined equal the text`() {
        for text in ["", "a", "a\n", "\n\n", "a\n> b\n> c\n\nd\n-- \nSig", "> only\n"] {
            #expect(MailText.parts(of: text).map(\.text).joined() == text)
        }
    }

    @Test(arguments: [("a\r\nb\r\n\r\n", "a\nb\n\n"), ("a\rb\n\r", "a\rb\n\r"), ("ä\r\r\n\u{301}", "ä\r\n\u{301}")])
    func `lines of a body end with line feeds only`(given: String, kept: String) {
        let json: JSON = [
            "textBody": [["partId": "1", "type": "text/plain"]], "bodyValues": ["1": ["value": .string(given)]],
        ]
        #expect(MailBody(json).text.utf8.elementsEqual(kept.utf8))
    }

    /// Returns a body of parts by their ids, which begin with `t` for text and `h` for HTML.
    private func body(text: [String], html: [String], _ values: [String: String]) -> MailBody {
        func parts(_ ids: [String]) -> JSON {
            .array(ids.map { ["partId": .string($0), "type": $0.hasPrefix("h") ? "text/html" : "text/plain"] })
        }
        let bodyValues = JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, ["value": .string($0.value)]) })
        return MailBody(["textBody": parts(text), "htmlBody": parts(html), "bodyValues": .object(bodyValues)])
    }

    @Test func `text and HTML parts in sequence are both complete and in order`() {
        let values = ["t1": "One & <two>\r\nthree", "h1": "<p>four</p>", "t2": "five"]
        let mixed = body(text: ["t1", "h1", "t2"], html: ["t1", "h1", "t2"], values)
        #expect(mixed.text == "One & <two>\nthree\nfour\nfive")
        #expect(
            mixed.html == "<div>One &amp; &lt;two&gt;<br>\nthree</div>\n<p>four</p>\n<div>five</div>",
            "the text parts have the same content as HTML"
        )
        #expect(body(text: ["t2"], html: ["t2"], values).html == nil)
    }

    @Test func `alternatives are shown once, with the HTML where the text is empty`() {
        let values = ["t0": " \r\n", "t1": "one", "h1": "<p>ONE</p>", "t2": "footer"]
        let both = body(text: ["t1", "t2"], html: ["h1", "t2"], values)
        #expect(both.text == "one\nfooter" && both.html == "<p>ONE</p>\n<div>footer</div>")
        #expect(body(text: ["t0", "t2"], html: ["h1", "t2"], values).text == "ONE\nfooter")
        #expect(body(text: [], html: ["h1"], values).text == "ONE")
    }

    @Test func `quoted lines include their introduction`() {
        let text =
            "Fine!\n\nOn Mon, 2 Mar 2026 at 10:00, Anna <anna@example.com> wrote:\n\n> Is it?\n> Really?\n\nYes.\n"
        #expect(kinds(text) == [.own, .quoted, .own])
        #expect(MailText.parts(of: text)[1].text.hasPrefix("On Mon"))
        #expect(
            MailText.parts(of: "Gut.\n\nAm 2. März 2026 um 10:00 schrieb Anna Berger\n<anna@example.com>:\n> Und?").map(
                \.kind
            ).last == .quoted
        )
        #expect(kinds("Gut.\nAm Montag schrieb Anna:\n> Und?") == [.own, .quoted])
        #expect(kinds("Bien.\nLe 2 mars, Anna a écrit :\n> Alors ?") == [.own, .quoted])
    }

    @Test func `an introduction on two lines is quoted completely`() {
        let parts = MailText.parts(
            of: "Ok.\n\nOn Mon, 2 Mar 2026 at 10:00, Benjamin With A Long Name\n<benjamin@example.com> wrote:\n> x"
        )
        #expect(parts.map(\.kind) == [.own, .quoted])
        #expect(parts[1].text.hasPrefix("On Mon"))
    }

    @Test func `answers between quoted lines are the author's`() {
        #expect(kinds("> One?\nYes.\n> Two?\nNo.") == [.quoted, .own, .quoted, .own])
    }

    @Test func `Outlook's header quotes the rest`() {
        #expect(kinds("See below.\n\n-----Original Message-----\nFrom: Anna\nanything\n") == [.own, .quoted])
        #expect(
            kinds("Siehe unten.\n\nVon: Anna\nGesendet: Montag\nAn: Bob\nBetreff: Plan\n\nText") == [.own, .quoted]
        )
        #expect(kinds("From: me to you\nA poem about sending\nand more") == [.own], "no header")
    }

    @Test func `a signature begins with two hyphens and a space`() {
        #expect(kinds("Text\n-- \nAnna\nTel. 1") == [.own, .signature])
        #expect(kinds("Text\n--\nAnna") == [.own])
    }

    @Test(arguments: [
        ("see https://example.com/a?b=1.", ["https://example.com/a?b=1"]),
        ("(http://example.com/x_(y))", ["http://example.com/x_(y)"]),
        ("www.example.com, or anna@example.com!", ["https://www.example.com", "mailto:anna@example.com"]),
        ("<https://example.com> \"https://example.org/\"", ["https://example.com", "https://example.org/"]),
        ("javascript:alert(1) file:///etc/passwd ftp://x.y a@b @ http:// https://", []),
        ("", []),
    ])
    func `links are found`(text: String, urls: [String]) {
        let links = MailText.links(in: text)
        #expect(links.map(\.url.absoluteString) == urls)
        for link in links { #expect(!text[link.range].isEmpty) }
    }
}
