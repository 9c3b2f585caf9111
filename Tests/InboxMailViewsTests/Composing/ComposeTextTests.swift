import InboxMail
import StandardMailServer
import Testing

@testable import InboxMailViews

/// The text of a draft as it is edited, and the quoted mail below it.
@Suite(.timeLimit(.minutes(5))) struct ComposeTextTests {
    private let quoted = "Anna wrote:\n> Lunch?\n>\n> \n\n> Anna"
    private let html = "<div>Anna wrote:</div>\n<blockquote type=\"cite\"><b>Lunch?</b></blockquote>"

    private var reply: ComposeText { ComposeText("\n\n\(quoted)", html: "<div><br></div>\(html)") }

    @Test func `a new reply has an empty text, and the quoted mail below it`() {
        #expect(reply.own == "" && reply.quoted == quoted && !reply.losesFormatting)
        #expect(reply.text == "\n\n\(quoted)" && reply.html == "<div><br></div>\(html)")
    }

    @Test(arguments: [
        "Yes!", "Two\n\nparagraphs\n\n", "> a quotation\n\nof mine", "<b>&amp;</b></div>", "  spaces  ", "\n", "日本語",
    ])
    func `the own text is above the quoted HTML and can be separated again`(_ written: String) {
        var text = reply
        text.own = written
        #expect(text.text == "\(written)\n\n\(quoted)")
        #expect(text.html?.hasSuffix("</div>\(html)") == true && text.html?.contains("<b>Lunch?") == true)
        let again = ComposeText(text.text, html: text.html)
        #expect(again.own == written && again.quoted == quoted && again.html == text.html)
        #expect(!again.losesFormatting)
        var emptied = again
        emptied.own = ""
        #expect(emptied == reply || emptied.html == reply.html && emptied.text == reply.text)
    }

    /// Megabytes, for which a time that grows with the square of the length is minutes.
    @Test func `long texts are separated from HTML in little time`() {
        let written = String(repeating: "A paragraph.\n\n\n", count: 100_000) + "The end."
        var text = reply
        text.own = written
        let again = ComposeText(text.text, html: text.html)
        #expect(again.own == written && again.quoted == quoted && !again.losesFormatting)
        let foreign = "<div>" + String(repeating: "<p>A paragraph.</p>", count: 100_000) + "</div>"
        let other = ComposeText(written, html: foreign)
        #expect(other.own == written && other.losesFormatting)
    }

    @Test func `HTML of another program stays until the text is changed`() {
        let foreign = "<p>Hello <i>Bob</i></p>"
        var text = ComposeText("Hello Bob", html: foreign)
        #expect(text.own == "Hello Bob" && text.quoted == nil && text.html == foreign && text.losesFormatting)
        text.own = "Hello Bob!"
        #expect(text.html == nil && text.text == "Hello Bob!" && !text.losesFormatting)
        text.own = "Hello Bob"
        #expect(text.html == foreign && text.losesFormatting, "nothing was changed after all")
    }

    @Test func `plain text is edited as a whole`() {
        let text = ComposeText("\n\n> Lunch?", html: nil)
        #expect(text.own == "\n\n> Lunch?" && text.quoted == nil && text.html == nil && !text.losesFormatting)
    }

    @Test func `a long own text is separated from the quotation in little time`() {
        var text = reply
        text.own = String(repeating: "A paragraph of some words.\n\n", count: 200)
        let again = ComposeText(text.text, html: text.html)
        #expect(again.own == text.own)
    }
}
