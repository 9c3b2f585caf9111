import Foundation
import Groundwork
import HTMLCleaning
import Testing

@testable import InboxMail
@testable import MailComposing

/// The parts of a mail's HTML, and the mail for a screen.
@Suite(.timeLimit(.minutes(5))) struct MailHTMLTests {
    /// Returns a mail that a mail program has written.
    private func sample(_ name: String) throws -> String {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = tests.appendingPathComponent("HTMLCleaningTests/Samples/\(name).html")
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// Returns the kinds of the parts and their texts on one line.
    private func parts(_ html: String) -> [String] {
        MailHTML.parts(of: html).map { part in
            let text = HTMLText(part.html, width: 10_000).lines.joined(separator: " ")
            return "\(part.kind): " + text.split(separator: " ").joined(separator: " ")
        }
    }

    @Test(arguments: [
        ("<p>Yes<blockquote type=cite>Is it?</blockquote><p>Bye", ["own: Yes", "quoted: > Is it?", "own: Bye"]),
        (
            "Fine.<div>On Monday,<br>Anna &lt;a@b.example> wrote:</div><br><blockquote type='CITE'>Is it?</blockquote>",
            ["own: Fine.", "quoted: On Monday, Anna <a@b.example> wrote: > Is it?"]
        ),
        ("<p>Yes<blockquote>an indent</blockquote>", ["own: Yes > an indent"]),
        (
            "<div class=gmail_quote><div class=gmail_attr>A wrote:</div><blockquote class=gmail_quote>One?</blockquote>"
                + "<p>Yes.</p><blockquote class=gmail_quote>Two?</blockquote></div>No.",
            ["quoted: A wrote: > One?", "own: Yes.", "quoted: > Two?", "own: No."]
        ),
        ("<p>Hi<div>-- <br>Ann<br>Sales</div>", ["own: Hi", "signature: -- Ann Sales"]),
        (
            "<p>Hi<div>--&nbsp;</div>Ann<blockquote type=cite>x</blockquote>",
            ["own: Hi", "signature: -- Ann", "quoted: > x"]
        ),
        ("<p>a<br>--<br>b", ["own: a -- b"]),
        ("<p>a<p>Sent: b<p>To: c<p>Subject: d", ["own: a Sent: b To: c Subject: d"]),
        (
            "ok<hr><div style='border:none;border-top:solid #E1E1E1 1pt'><b>Von:</b> A<br><b>Gesendet:</b> b<br>"
                + "<b>An:</b> c<br><b>Betreff:</b> d</div><p>rest",
            ["own: ok", "quoted: ---------------------------------------- Von: A Gesendet: b An: c Betreff: d rest"]
        ),
        ("<table><tr><td>a<td><div id=Signature>b</div></table>", ["own: a", "signature: b"]),
        ("<p>own<p class=gmail_signature><img src=https://x.example/a alt=logo>", ["own: own", "signature: [logo]"]),
        ("", ["own: "]), ("<frameset>", ["own: "]), ("<blockquote type=cite>x</blockquote> <br>", ["quoted: > x"]),
    ])
    func `quotations and signatures are parts`(html: String, parts: [String]) {
        #expect(self.parts(html) == parts)
    }

    @Test(arguments: [
        ("gmail-reply", ["own", "signature", "quoted"]), ("gmail-forward", ["own", "quoted"]),
        ("apple-mail", ["own", "quoted"]), ("outlook-reply", ["own", "quoted"]),
        ("outlook-web", ["own", "signature", "quoted"]), ("newsletter-shop", ["own"]),
    ])
    func `mails of known programs have their parts, and these show what the mail shows`(
        name: String,
        kinds: [String]
    ) throws {
        let html = try sample(name)
        let found = MailHTML.parts(of: html)
        #expect(found.map { "\($0.kind)" } == kinds)
        func words(_ html: CleanHTML) -> [Substring] {
            HTMLPlainText.text(of: html.markup).split(whereSeparator: \.isWhitespace)
        }
        #expect(found.flatMap { words($0.html) } == words(HTMLCleaner().clean(html)))
        #expect(found.flatMap(\.html.links).map(\.url) == HTMLCleaner().clean(html).links.map(\.url))
    }

    @Test func `style sheets and the elements around apply to each part`() {
        let html = """
            <style>.a p { color: red } .b { color: blue }</style><div class=a><p>One</p>\
            <blockquote type=cite class=b><p>Two</p></blockquote></div>
            """
        #expect(
            MailHTML.parts(of: html).map(\.html.markup) == [
                "<div><p style=\"color: red\">One</p></div>",
                "<div><blockquote style=\"color: blue\"><p style=\"color: red\">Two</p></blockquote></div>",
            ]
        )
    }

    @Test func `the number of parts is limited, and the last one has the rest`() {
        let html = String(repeating: "<p>a</p><blockquote type=cite>b</blockquote>", count: 2_000)
        let found = MailHTML.parts(of: html)
        #expect(found.count == MailHTML.maxPartCount)
        let text = found.map { HTMLPlainText.text(of: $0.html.markup).filter { !$0.isWhitespace } }.joined()
        #expect(text == String(repeating: "ab", count: 2_000))
    }
}
