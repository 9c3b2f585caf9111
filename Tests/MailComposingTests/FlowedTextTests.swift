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
}
