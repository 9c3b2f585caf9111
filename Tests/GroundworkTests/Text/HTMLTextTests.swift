import Groundwork
import Testing

struct HTMLTextTests {
    @Test(arguments: [
        ("<p>Dear <b>Ann</b>,</p><p>all   is\nwell.</p>", "Dear Ann,\nall is well."),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<style>p{color:red}</style><script>if (a<b) x()</script>Text", "Text"),
        ("<STYLE>p{}</style>a<Script>x()</SCRIPT>b", "ab"),
        ("<!-- <p>hidden --> shown", "shown"),
        ("&lt;i&gt; &amp;amp; &#65;&#x42; &nope; &", "<i> &amp; AB &nope; &"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("<p title=\"a\">b", "b"), ("<p", ""), ("<script>never ends", ""), ("<!-- never ends", ""), ("", ""),
        ("&#xD800;&#0;", "&#xD800;\u{0}"),
    ])
    func only_what_is_read_is_left(html: String, text: String) {
        #expect(HTMLText.plain(html) == text)
    }

    @Test func a_large_one_takes_no_longer_than_its_length() {
        // Each of these would be slow where something is looked for again and again.
        for part in ["<", "&", "<!--", "<script>", "<p>", "</script", "&amp;"] {
            let html = String(repeating: part, count: 20_000)
            let start = ContinuousClock.now
            _ = HTMLText.plain(html)
            #expect(ContinuousClock.now - start < .seconds(5), "\(part)")
        }
    }
}
