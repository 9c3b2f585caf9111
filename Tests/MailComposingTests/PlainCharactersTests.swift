import SeededRandom
import Testing

@testable import MailComposing

/// Texts without what a mail can't carry.
@Suite(.timeLimit(.minutes(5))) struct PlainCharactersTests {
    @Test(arguments: [
        ("Hello", "Hello"), (" a  b ", "a b"), ("a\r\n b", "a b"), ("a\tb", "a b"), ("\r\n", ""),
        ("a\u{0}\u{1}b", "a b"),
        ("a\u{85}b\u{2028}c\u{2029}d", "a b c d"), ("a\u{FFFE}b\u{FFFF}c\u{1FFFF}d", "abcd"),
        ("a\u{A0}b\u{3000}c", "a\u{A0}b\u{3000}c"),
        ("e\u{301}👩‍👩‍👧‍👦", "e\u{301}👩‍👩‍👧‍👦"), ("\u{202E}a", "\u{202E}a"),
    ])
    func `a line has no control characters and single spaces`(text: String, line: String) {
        #expect(PlainCharacters.line(text, maxLength: 100).unicodeScalars.elementsEqual(line.unicodeScalars))
    }

    @Test func `a text is cut between two characters`() {
        #expect(PlainCharacters.cut("éé", maxLength: 3) == "é")
        #expect(PlainCharacters.cut("e\u{301}x", maxLength: 2) == "")
        #expect(PlainCharacters.cut("👩‍👩‍👧‍👦", maxLength: 24) == "")
        #expect(PlainCharacters.cut("ab", maxLength: 2) == "ab" && PlainCharacters.cut("ab", maxLength: 0) == "")
        var random = Seeded(1)
        let pieces = ["a", "é", "e\u{301}", "日", "👩‍👩‍👧‍👦", "🇩🇪", "\r\n"]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...20, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            let length = Int.random(in: 0...60, using: &random)
            let cut = PlainCharacters.cut(text, maxLength: length)
            #expect(cut.utf8.count <= length && text.hasPrefix(cut))
            #expect(cut == text || text.dropFirst(cut.count).first!.utf8.count + cut.utf8.count > length)
        }
    }

    @Test func `a line of hostile length takes linear time`() {
        let clock = ContinuousClock()
        for text in [
            String(repeating: "\u{301}", count: 300_000), String(repeating: "\n", count: 300_000),
            String(repeating: "a", count: 300_000),
        ] {
            let time = clock.measure { #expect(PlainCharacters.line("a" + text, maxLength: 100).utf8.count <= 100) }
            #expect(time < .seconds(10))
        }
    }
}

/// What its author wrote in a plain text.
@Suite(.timeLimit(.minutes(5))) struct OwnTextTests {
    @Test(arguments: [
        ("Hello", "Hello"), ("Hello\n-- \nAnna", "Hello"), ("Hello\n--\nAnna", "Hello\n--\nAnna"),
        ("Hi\n\nOn 1 May, Bob wrote:\n> x\n> y", "Hi\n"), ("> x\nMine\n> y\nMore", "Mine\nMore"),
        ("Mine\n-- \nAnna\n\nOn 1 May 2026,\nBob wrote:\n> x", "Mine"), ("Mine:\n\n> x", ""),
        ("One\nTwo:\n\nThree", "One\nTwo:\n\nThree"),
        ("Mine\n---------- Forwarded message ----------\nFrom: x\n\ny", "Mine"),
        ("Mine\n----------\nMore", "Mine\n----------\nMore"), ("", ""),
    ])
    func `quotations, what introduces them, forwarded mails and signatures are left out`(text: String, own: String) {
        #expect(OwnText.own(text) == own)
    }
}

/// HTML of plain text.
@Suite(.timeLimit(.minutes(5))) struct TextMarkupTests {
    @Test func `levels of quotation are nested, and bounded`() {
        let html = TextMarkup.html(of: "a\n> b\n>> c\nd")
        #expect(
            html
                == "<div dir=\"auto\">a<blockquote type=\"cite\">b<blockquote type=\"cite\">c</blockquote></blockquote>d</div>"
        )
        let deep = TextMarkup.html(of: String(repeating: ">", count: 10_000) + "x")
        #expect(deep.ranges(of: "<blockquote").count == 32 && deep.ranges(of: "</blockquote>").count == 32)
    }

    @Test func `characters with a meaning in HTML are escaped, and spaces and tabs kept`() {
        #expect(TextMarkup.escaped("<a href=\"x\">&amp;</a>") == "&lt;a href=&quot;x&quot;&gt;&amp;amp;&lt;/a&gt;")
        #expect(TextMarkup.html(of: " a  b\n") == "<div dir=\"auto\">\u{A0}a \u{A0}b<br>\n</div>")
        let tab = "\u{A0}\u{A0}\u{A0} "
        #expect(TextMarkup.html(of: "\ta\t b") == "<div dir=\"auto\">\(tab)a\(tab)\u{A0}b</div>")
        #expect(TextMarkup.html(of: "a\u{0}<script>") == "<div dir=\"auto\">a&lt;script&gt;</div>")
    }

    @Test func `text converted to HTML and back is unchanged`() {
        let text = "Hello\n> quoted\n>> deeper\nbye <b>"
        #expect(HTMLPlainText.text(of: TextMarkup.html(of: text), marksQuotations: true) == text)
    }
}
