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

    @Test(arguments: Array(UInt8(0)..<0x80))
    func what_is_special_is_found_wherever_it_stands(byte: UInt8) {
        let character = String(Unicode.Scalar(byte))
        let escaped =
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            case "\t", "\n", "\r": character
            default: byte < 0x20 || byte == 0x7F ? "\u{FFFD}" : character
            }
        for length in 1...12 {
            for place in 0..<length {
                var text = String(repeating: "a", count: place)
                text += character + String(repeating: "é", count: length - place - 1)
                var (once, twice) = (HTMLWriter(), HTMLWriter())
                once.text(text)
                twice.lines(text + text)
                let expected = text.replacing(character, with: escaped)
                #expect(String(decoding: once.bytes, as: UTF8.self) == expected)
                #expect(
                    String(decoding: twice.bytes, as: UTF8.self) == (expected + expected).replacing("\n", with: "<br>")
                )
            }
        }
    }
}
