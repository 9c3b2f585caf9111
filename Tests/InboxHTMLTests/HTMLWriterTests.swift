import InboxHTML
import Testing

struct HTMLWriterTests {
    @Test func what_comes_from_outside_can_end_neither_text_nor_attribute() {
        var writer = HTMLWriter()
        writer.markup("<p")
        writer.attribute("title", "\"><script>'&\u{0}")
        writer.markup(">")
        writer.text("</p><b>&amp;\u{1B}[31m")
        writer.markup("</p>")
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == "<p title=\"&quot;&gt;&lt;script&gt;&#39;&amp;\u{FFFD}\">&lt;/p&gt;&lt;b&gt;&amp;amp;\u{FFFD}[31m</p>"
        )
    }

    @Test func line_breaks_are_kept_where_asked_for() {
        var writer = HTMLWriter()
        writer.lines("one\n\n<two>")
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "one<br><br>&lt;two&gt;")
    }
}
