import SeededRandom
import Testing

@testable import MailComposing

/// Flowed text according to RFC 3676, section by section.
@Suite(.timeLimit(.minutes(10))) struct FlowedTextTests {
    private func joined(_ text: String, deletesSpace: Bool = false) -> String {
        FlowedText.joined(text, deletesSpace: deletesSpace)
    }

    @Test func `lines that end with a space continue, other lines end`() {
        #expect(joined("one \ntwo \nthree\nfour") == "one two three\nfour")
        #expect(joined("one \r\ntwo\r\n") == "one two\n")
        #expect(joined("") == "" && joined(" ") == "" && joined("a \n") == "a ")
    }

    @Test func `DelSp deletes the trailing space`() {
        #expect(joined("pro \ngram", deletesSpace: true) == "program")
        #expect(joined("日本 \n語", deletesSpace: true) == "日本語")
        #expect(joined("two  \nwords", deletesSpace: true) == "two words")
    }

    @Test func `a stuffed space is removed, and a stuffed quote mark stays text`() {
        #expect(joined(" From here") == "From here")
        #expect(joined("  indented") == " indented")
        #expect(joined(" > no quotation") == " > no quotation")
        #expect(joined(" >no quotation") == " >no quotation")
    }

    @Test func `quoted lines are joined only with lines of their depth`() {
        #expect(joined("> one \n> two\n>> deeper \n> back") == "> one two\n>> deeper \n> back")
        #expect(joined("> one \nmine") == "> one \nmine")
        #expect(joined(">\n") == "> \n")
    }

    @Test func `the signature separator is never joined`() {
        #expect(joined("text \n-- \nAnna \nBerger") == "text \n-- \nAnna Berger")
        #expect(joined("> -- \n> Anna") == "> -- \n> Anna")
    }

    @Test func `parameters are parsed in every notation`() {
        let folded = " text/plain;\r\n\tCharset=\"UTF-8\"; FORMAT=Flowed;\r\n delsp = yes"
        #expect(FlowedText.parameters(folded) == ["charset": "utf-8", "format": "flowed", "delsp": "yes"])
        #expect(FlowedText.parameters("text/plain").isEmpty && FlowedText.parameters(";;=;").isEmpty)
    }

    // MARK: Encoding

    @Test func `paragraphs are wrapped after spaces, at 78 characters`() {
        let text = Array(repeating: "word", count: 40).joined(separator: " ")
        let lines = FlowedText.wrapped(text).split(separator: "\n")
        #expect(lines.count == 3 && lines.dropLast().allSatisfy { $0.hasSuffix(" ") && $0.count <= 78 })
        #expect(!lines[2].hasSuffix(" ") && lines.joined() == text)
        // Characters count, not bytes.
        let umlauts = Array(repeating: "ääää", count: 40).joined(separator: " ")
        #expect(FlowedText.wrapped(umlauts).split(separator: "\n").map(\.count) == lines.map(\.count))
    }

    @Test func `spaces are stuffed before what a reader would take for something else`() {
        #expect(FlowedText.wrapped("From here\n indented\nfrom\nFrom") == " From here\n  indented\nfrom\nFrom")
        #expect(FlowedText.wrapped(" > text") == "  > text")
        // Where a line is broken too.
        let text = String(repeating: "a", count: 76) + " From here and so on"
        #expect(FlowedText.wrapped(text) == String(repeating: "a", count: 76) + " \n From here and so on")
    }

    @Test func `quoted lines keep their marks in every line, and a space`() {
        let text = "> " + Array(repeating: "word", count: 40).joined(separator: " ")
        let lines = FlowedText.wrapped(text).split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("> word") && $0.count <= 78 })
        #expect(FlowedText.wrapped(">x\n>> y\n>") == "> x\n>> y\n> ")
    }

    @Test func `the separator of a signature is never wrapped, nor made`() {
        #expect(FlowedText.wrapped("a \n-- \nAnna ") == "a\n-- \nAnna")
        let text = String(repeating: "a", count: 76) + " -- " + String(repeating: "b", count: 60)
        #expect(!FlowedText.wrapped(text).split(separator: "\n").contains("-- "))
        #expect(FlowedText.joined(FlowedText.wrapped(text), deletesSpace: false) == text)
    }

    @Test func `text without spaces stays in one line, as it has no DelSp`() {
        let text = String(repeating: "日本語", count: 200)
        #expect(FlowedText.wrapped(text) == text)
        let word = String(repeating: "x", count: 2_000)
        #expect(FlowedText.wrapped("a \(word) b") == "a \n\(word) \nb")
    }

    @Test func `what was wrapped is joined to the canonical text`() {
        var random = Seeded(1)
        let pieces = [
            "word", "日本語", "é", "👩‍👩‍👧‍👦", " ", "  ", "\n", "\r\n", ">", "> ", "-- ", "\n-- \n", "--", "From ", "\nFrom ",
            "\t", "\n ", "\u{301}", ".",
            String(repeating: "long", count: 30), "\u{A0}",
        ]
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...80, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined()
            let wrapped = FlowedText.wrapped(text)
            let canonical = FlowedText.canonical(text)
            guard FlowedText.joined(wrapped, deletesSpace: false).utf8.elementsEqual(canonical.utf8) else {
                Issue.record("\(text.debugDescription)")
                return
            }
            #expect(FlowedText.canonical(canonical).utf8.elementsEqual(canonical.utf8))
            #expect(FlowedText.wrapped(canonical).utf8.elementsEqual(wrapped.utf8))
            let lines = wrapped.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            #expect(!lines.contains { $0.starts(with: "From ".utf8) })
        }
    }

    @Test func `a long paragraph is wrapped in linear time`() {
        let clock = ContinuousClock()
        let time = clock.measure { _ = FlowedText.wrapped(String(repeating: "word ", count: 200_000)) }
        #expect(time < .seconds(20))
    }
}
