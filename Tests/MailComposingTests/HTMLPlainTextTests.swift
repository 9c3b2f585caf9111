import Testing

@testable import MailComposing

/// The text of a mail's HTML.
@Suite(.timeLimit(.minutes(5))) struct HTMLPlainTextTests {
    @Test(arguments: [
        ("<p>Dear <b>Ann</b>,</p><p>all   is\nwell.</p>", "Dear Ann,\nall is well."),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<style>p{color:red}</style><script>if (a<b) x()</script>Text", "Text"),
        ("<STYLE>p{}</style>a<Script>x()</SCRIPT>b", "ab"),
        ("<!-- <p>hidden --> shown", "shown"),
        ("&lt;i&gt; &amp;amp; &#65;&#x42;&#X43; &nope; &", "<i> &amp; ABC &nope; &"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("<p title=\"a>b\">c", "c"), ("<p", ""), ("<script>never ends", ""), ("<!-- never ends", ""), ("", ""),
        ("&#xD800;&#0;", "\u{FFFD}\u{FFFD}"), ("&Zcaron;&nbsp;\u{2003}&zwj;&#x3000;é", "Ž \u{200D} é"),
        ("<table><tr><td>a<td>b</table>c", "a\nb\nc"), ("<title>t</title><p>a<noscript>n</noscript>x", "ax"),
        ("<pre>one\n  two\n\nthree</pre>", "one\ntwo\nthree"),
    ])
    func `only visible text is kept`(html: String, text: String) {
        #expect(HTMLPlainText.text(of: html) == text)
    }

    @Test(arguments: [
        ("a<blockquote>b<br>c</blockquote>d", "a\n> b\n> c\nd"),
        ("<blockquote>a<blockquote type=cite><p>b</p></blockquote>c</blockquote>", "> a\n>> b\n> c"),
        ("</blockquote>a<BLOCKQUOTE>b<div>\n</div>c", "a\n> b\n> c"), ("<blockquote> </blockquote>", ""),
    ])
    func `quotations are marked on request`(html: String, text: String) {
        #expect(HTMLPlainText.text(of: html, marksQuotations: true) == text)
        #expect(!HTMLPlainText.text(of: html).contains(">"))
    }

    @Test func `marks of deeply nested quotations are limited`() {
        let html = String(repeating: "<blockquote>a", count: 20_000)
        let text = HTMLPlainText.text(of: html, marksQuotations: true)
        #expect(text.utf8.count < 40 * 20_000 && text.count { $0 == "a" } == 20_000)
    }

    @Test func `text beyond a mebibyte is kept`() {
        let html = "<p>" + String(repeating: "word ", count: 300_000) + "<p>end"
        #expect(HTMLPlainText.text(of: html).hasSuffix("word\nend"))
    }
}
