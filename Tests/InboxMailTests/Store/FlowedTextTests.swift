import Testing

@testable import InboxMail

/// RFC 3676, section by section.
@Suite(.timeLimit(.minutes(10))) struct FlowedTextTests {
    private func joined(_ text: String, deletesSpace: Bool = false) -> String {
        FlowedText.joined(text, deletesSpace: deletesSpace)
    }

    @Test func linesThatEndInASpace_goOn_andTheOthersEnd() {
        #expect(joined("one \ntwo \nthree\nfour") == "one two three\nfour")
        #expect(joined("one \r\ntwo\r\n") == "one two\n")
        #expect(joined("") == "" && joined(" ") == "" && joined("a \n") == "a ")
    }

    @Test func theSpaceItself_goesWhereItIsSaid() {
        #expect(joined("pro \ngram", deletesSpace: true) == "program")
        #expect(joined("日本 \n語", deletesSpace: true) == "日本語")
        #expect(joined("two  \nwords", deletesSpace: true) == "two words")
    }

    @Test func stuffedSpace_isTakenOff_andWhatQuotesNothingStaysSo() {
        #expect(joined(" From here") == "From here")
        #expect(joined("  indented") == " indented")
        #expect(joined(" > no quotation") == " > no quotation")
        #expect(joined(" >no quotation") == " >no quotation")
    }

    @Test func quotations_flowWithinTheirDepth_alone() {
        #expect(joined("> one \n> two\n>> deeper \n> back") == "> one two\n>> deeper \n> back")
        #expect(joined("> one \nmine") == "> one \nmine")
        #expect(joined(">\n") == "> \n")
    }

    @Test func theSignaturesMark_neitherFlowsNorIsFlowedInto() {
        #expect(joined("text \n-- \nAnna \nBerger") == "text \n-- \nAnna Berger")
        #expect(joined("> -- \n> Anna") == "> -- \n> Anna")
    }

    @Test func parameters_areReadFromAnyWayOfWriting() {
        let folded = " text/plain;\r\n\tCharset=\"UTF-8\"; FORMAT=Flowed;\r\n delsp = yes"
        #expect(FlowedText.parameters(folded) == ["charset": "utf-8", "format": "flowed", "delsp": "yes"])
        #expect(FlowedText.parameters("text/plain").isEmpty && FlowedText.parameters(";;=;").isEmpty)
    }
}
