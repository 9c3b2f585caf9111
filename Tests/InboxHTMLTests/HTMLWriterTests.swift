import Foundation
import InboxHTML
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTMLWriterTests {
    @Test func `external text can't end a text or an attribute`() {
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

    @Test func `line breaks are kept on request`() {
        var writer = HTMLWriter()
        writer.lines("one\n\n<two>")
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "one<br><br>&lt;two&gt;")
    }

    @Test func `the writer grows by any length`() {
        var writer = HTMLWriter(capacity: 1)
        var expected = ""
        for length in [0, 1, 7, 8, 9, 63, 64, 65, 500, 70_000] {
            let text = String(repeating: "<é", count: length)
            writer.text(text)
            writer.time(Date(timeIntervalSince1970: 0.25))
            expected += String(repeating: "&lt;é", count: length) + "1970-01-01T00:00:00.25Z"
        }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
        #expect(writer.count == expected.utf8.count)
    }

    @Test(arguments: Array(UInt8(0)..<0x80))
    func `special characters are escaped at every offset`(byte: UInt8) {
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
                var once = HTMLWriter()
                var twice = HTMLWriter()
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
