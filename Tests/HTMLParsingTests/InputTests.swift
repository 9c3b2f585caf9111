import HTMLParsing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct InputTests {
    private func text(_ bytes: [UInt8]) -> String {
        HTMLParser.parse(bytes).markup(in: .body)
    }

    @Test(
        arguments: [
            ([0x61, 0xFF, 0x62], "a\u{FFFD}b"),
            ([0x61, 0xC0, 0x80, 0x62], "a\u{FFFD}\u{FFFD}b"),
            ([0x61, 0xE2, 0x82, 0x62], "a\u{FFFD}b"),
            ([0x61, 0xE2, 0x82], "a\u{FFFD}"),
            ([0x61, 0xED, 0xA0, 0x80, 0x62], "a\u{FFFD}\u{FFFD}\u{FFFD}b"),
            ([0x61, 0xF0, 0x9F, 0x93, 0x62], "a\u{FFFD}b"),
            ([0x61, 0xF4, 0x90, 0x80, 0x80], "a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
            ([0x61, 0xF5, 0x62], "a\u{FFFD}b"),
            ([0x61, 0x80, 0x80, 0x62], "a\u{FFFD}\u{FFFD}b"),
            ([0x61, 0xE2, 0x82, 0xAC, 0xF0, 0x9F, 0x93, 0xAC], "a\u{20AC}\u{1F4EC}"),
        ] as [([UInt8], String)]
    )
    func `invalid UTF-8 becomes U+FFFD as the Encoding Standard says`(bytes: [UInt8], expected: String) {
        #expect(text(bytes) == expected)
        // The same behind a run of eight bytes.
        #expect(text(Array("12345678".utf8) + bytes) == "12345678" + expected)
    }

    @Test func `every sequence of two bytes is decoded as the standard library decodes it`() {
        for first in UInt8(0x80)...0xFF {
            for second in UInt8(0x80)...0xFF {
                let bytes = [0x61, first, second, 0x62]
                let expected = String(decoding: bytes, as: UTF8.self)
                // U+0080 to U+009F and U+00A0 are valid; the serializer writes the last as a reference.
                let found = text(bytes)
                if expected != found, expected != found.replacing("&nbsp;", with: "\u{A0}") {
                    Issue.record("\(bytes): \(found)")
                }
            }
        }
    }

    @Test func `a byte order mark is removed from bytes and kept in a string`() {
        #expect(text([0xEF, 0xBB, 0xBF, 0x61]) == "a")
        #expect(text([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x61]) == "\u{FEFF}a")
        #expect(body("\u{FEFF}a") == "\u{FEFF}a")
    }

    @Test func `CR and CR LF become LF`() {
        #expect(body("a\rb\r\nc\n\rd\r\r\ne") == "a\nb\nc\n\nd\n\ne")
        #expect(body("a&#13;b") == "a\rb")
    }

    @Test func `an empty input is a document with its three elements`() {
        for bytes in [[], [0xEF, 0xBB, 0xBF], [0x20]] as [[UInt8]] {
            #expect(HTMLParser.parse(bytes).serialized() == "<html><head></head><body></body></html>")
        }
    }
}
