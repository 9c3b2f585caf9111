import Foundation
import Testing

@testable import InboxMail
@testable import inbox

/// The mail below the text of a reply or forward.
@Suite(.timeLimit(.minutes(5))) struct DraftQuotationTests {
    private let reply = DraftQuotation(
        text: "\n\nOn 3 March 2026 at 10:20, Anna wrote:\n> Shall we meet?\n> \n> Anna",
        html: "<div>On 3 March 2026 at 10:20, Anna wrote:</div>\n<blockquote type=\"cite\"><b>Shall</b></blockquote>",
        isForward: false
    )
    private let forward = DraftQuotation(
        text: "\n\n---------- Forwarded message ----------\nFrom: Anna\nSubject: Plans\n\nOK\n",
        html: nil,
        isForward: true
    )

    private static func draft(_ text: String, _ html: String?) -> MailDraft {
        MailDraft(id: "d1", DraftText(text: text, html: html), updatedAt: Date(timeIntervalSince1970: 0))
    }

    @Test func `the quotation is below a text, once`() {
        let whole = "Fine.\n\nOn 3 March 2026 at 10:20, Anna wrote:\n> Shall we meet?\n> \n> Anna"
        #expect(reply.text(below: "Fine.\n") == whole && reply.text(below: whole) == whole)
        #expect(reply.text(below: "").hasPrefix("\n\nOn 3 March"))
        // The text is the end of the forwarded mail, and not that mail.
        #expect(forward.text(below: "OK") == "OK\n\n\(forward.text)" && forward.text.hasSuffix("Plans\n\nOK"))
    }

    @Test(arguments: [
        ("\nDear X, I quit.\n\nOn 3 March 2026 at 10:20, Anna wrote:\n> Shall we meet?\n>\n> Anna\n", true),
        // Another device has another language.
        ("Hi\n\nAm 3. März 2026 um 10:20 schrieb Anna:\r\n> Shall we meet?\r\n>\r\n> Anna", true),
        ("\n\n> Shall we meet?\n> \n> Anna\nBelow it.", false), ("\n> Shall we\n> \n> Anna", false), ("", false),
    ])
    func `a quotation is found where a text ends with the lines of the mail`(text: String, isFound: Bool) {
        #expect(reply.isEnd(of: text) == isFound)
    }

    @Test(arguments: [
        ("FYI\n\n---------- Forwarded message ----------\nFrom: Anna\nSubject: Plans\n\nOK", true),
        ("FYI\n\n---------- Weitergeleitete Nachricht ----------\nVon: Anna\nBetreff: Plans\n\nOK\n", true),
        ("FYI\n\nOK", false), ("OK", false),
        ("---------- Forwarded message ----------\nFrom: Anna\n\nOK, and more", false),
    ])
    func `a forwarded mail is found below its divider`(text: String, isFound: Bool) {
        #expect(forward.isEnd(of: text) == isFound)
    }

    @Test func `the HTML of a text has the quotation as it was, and there is none without it`() {
        let html = reply.html ?? ""
        #expect(reply.html(of: reply.text(below: "a < b")) == "\(TextMarkup.html(of: "a < b"))\(html)")
        #expect(reply.html(of: "\n\n\(reply.text)\n") == "<div><br></div>\(html)")
        #expect(reply.html(of: "a\n> Shall we meet?") == nil)
        #expect(forward.html(of: forward.text(below: "FYI"))?.contains("Subject: Plans") == true)
    }

    @Test func `HTML of a file ends above the quotation, which it has once`() {
        let whole = reply.html(below: "<b>Hi <!-- open")
        #expect(whole.hasPrefix("<b>Hi") && whole.hasSuffix("</b>\(reply.html ?? "")") && !whole.contains("<!--"))
        #expect(reply.html(below: whole) == whole)
        #expect(forward.html(below: "<p>FYI</p>").hasPrefix("<p>FYI</p><div dir=\"auto\">---------- "))
    }

    @Test(arguments: ["\n\nOn 3 March 2026 at 10:20, Anna wrote:\n> Shall we meet?", "Own\n\nOn 3 March:\n> Shall we"])
    func `a text of options replaces all of a text without a quotation`(text: String) {
        var edit = DraftEdit()
        edit.ownText = "All fine."
        for html in [nil, "<p>before</p>"] {
            var draft = Self.draft(text, html)
            edit.apply(to: &draft, above: nil)
            #expect(draft.text == "All fine." && draft.html == nil)
        }
    }

    @Test(arguments: ["", "Own text"])
    func `a text of options replaces the person's text alone above a quotation`(own: String) {
        var edit = DraftEdit()
        edit.ownText = "All fine."
        let old = own.isEmpty ? "<div><br></div>" : TextMarkup.html(of: own)
        var draft = Self.draft(reply.text(below: own), old + (reply.html ?? ""))
        edit.apply(to: &draft, above: reply)
        #expect(draft.text == "All fine.\n\n\(reply.text)")
        #expect(draft.html == "\(TextMarkup.html(of: "All fine."))\(reply.html ?? "")")
        edit = DraftEdit()
        edit.html = "<p>By <i>HTML</i></p>"
        edit.apply(to: &draft, above: reply)
        #expect(draft.text == "By HTML\n\n\(reply.text)")
        #expect(draft.html == "<p>By <i>HTML</i></p>\(reply.html ?? "")")
    }
}
