import Groundwork
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTMLTextTests {
    @Test(arguments: [
        ("<p>Dear <b>Ann</b>,</p><p>all   is\nwell.</p>", "Dear Ann,\nall is well."),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<style>p{color:red}</style><script>if (a<b) x()</script>Text", "Text"),
        ("<STYLE>p{}</style>a<Script>x()</SCRIPT>b", "ab"),
        ("<!-- <p>hidden --> shown", "shown"),
        ("&lt;i&gt; &amp;amp; &#65;&#x42;&#X43; &nope; &", "<i> &amp; ABC &nope; &"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("<p title=\"a\">b", "b"), ("<p", ""), ("<script>never ends", ""), ("<!-- never ends", ""), ("", ""),
        ("&#xD800;&#0;", "&#xD800;\u{0}"),
    ])
    func `only visible text is kept`(html: String, text: String) {
        #expect(HTMLText.plain(html) == text)
    }

    @Test(arguments: [
        ("a<blockquote>b<br>c</blockquote>d", "a\n> b\n> c\nd"),
        ("<blockquote>a<blockquote type=cite><p>b</p></blockquote>c</blockquote>", "> a\n>> b\n> c"),
        ("</blockquote>a<BLOCKQUOTE>b<div>\n</div>c", "a\n> b\n> c"), ("<blockquote> </blockquote>", ""),
    ])
    func `quotations are marked on request`(html: String, text: String) {
        #expect(HTMLText.plain(html, marksQuotations: true) == text)
        #expect(!HTMLText.plain(html).contains(">"))
    }

    @Test func `marks of deeply nested quotations are limited`() {
        let html = String(repeating: "<blockquote>a", count: 20_000)
        #expect(HTMLText.plain(html, marksQuotations: true).utf8.count < 40 * 20_000)
    }

    @Test func `large HTML takes linear time`() {
        // Each of these would take quadratic time if a search started over at each.
        for part in ["<", "&", "<!--", "<script>", "<p>", "</script", "&amp;"] {
            let html = String(repeating: part, count: 20_000)
            let start = ContinuousClock.now
            _ = HTMLText.plain(html)
            #expect(ContinuousClock.now - start < .seconds(5), "\(part)")
        }
    }
}
