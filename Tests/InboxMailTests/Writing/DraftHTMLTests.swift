import Foundation
import Groundwork
import InboxMail
import StandardMailServer
import Testing

/// The text and the HTML of a draft: what happens to one of them if the other is changed.
@Suite(.timeLimit(.minutes(5))) struct DraftHTMLTests {
    /// As in the documentation. Recipients see the HTML of a mail that has one, and not its text.
    @Test func `words that are put into the text or the HTML of a reply are in both`() async throws {
        try await StandardDevice.run { server, device in
            func reply(to html: String, _ subject: String) async throws -> MailDraft {
                server.deliver([
                    "mailboxIds": ["inbox": true], "subject": .string(subject),
                    "from": [["email": "carol@example.net"]], "to": [["email": .string(StandardMailServer.user)]],
                    "messageId": [.string("\(subject)@example.net")],
                    "bodyStructure": ["partId": "1", "type": "text/html"],
                    "bodyValues": ["1": ["value": .string(html)]],
                ])
                try await device.mail.sync()
                let id = try #require(try await device.mail.messages().first { $0.subject == subject }).id
                return try await device.mail.reply(to: id)
            }
            let question = try await reply(to: "<p><b>Lunch?</b></p>", "lunch")
            // Without the quotation there is nothing for HTML to have.
            var draft = question
            draft.text = "No."
            #expect(try await device.mail.save(draft).html == nil)
            // An app's own HTML stays.
            draft = question
            (draft.text, draft.html) = ("Yes", "<p><i>Yes</i></p>")
            #expect(try await device.mail.save(draft).html == "<p><i>Yes</i></p>")
            // Readers of text get the words of HTML that is changed alone.
            draft = question
            draft.html = "<p>Perhaps</p>\(question.html ?? "")"
            draft = try await device.mail.save(draft)
            #expect(draft.text.hasPrefix("Perhaps\n") && draft.text.hasSuffix("\n> Lunch?"), "\(draft.text)")
            // A mail of a picture has no text to quote.
            draft = try await reply(to: "<p><img src=\"https://pictures.example/a.png\" alt=\"\"></p>", "picture")
            for text in ["Nice", "Very nice"] {
                draft.text = text
                draft = try await device.mail.save(draft)
                #expect(draft.html?.contains(">\(text)</div>") == true && draft.html?.contains("<blockquote") == true)
            }
            draft = try await reply(to: "<p><b>Dinner?</b></p>", "dinner")
            draft.text = "See you on <Monday>.\n" + draft.text
            draft = try await device.mail.save(draft)
            #expect(draft.html?.contains("See you on &lt;Monday&gt;.") == true)
            draft.text = draft.text.replacing("Monday", with: "Friday")
            try await device.mail.send(draft)
            for _ in 0..<2 { try await device.settle() }
            let sent = server.mails(in: "sent").first?["bodyValues"]?["2"]?["value"]?.stringValue ?? ""
            #expect(sent.contains("&lt;Friday&gt;") && !sent.contains("Monday"), "\(sent)")
            #expect(sent.contains("<b>Dinner?</b>"), "\(sent)")
        }
    }

    /// Recipients would see the HTML, and not the words. Spaces and line breaks make no difference to it.
    @Test func `a text that is changed alone over other HTML is sent without that HTML`() async throws {
        try await StandardDevice.run { server, device in
            var draft = device.mail.draft("At noon?")
            draft.html = "<p>At <b>noon</b>?</p>"
            draft = try await device.mail.save(draft)
            draft.text = "At  noon? \n"
            draft.subject = "Lunch"
            draft = try await device.mail.save(draft)
            #expect(draft.html == "<p>At <b>noon</b>?</p>")
            draft.text = "At one?"
            try await device.mail.send(draft)
            for _ in 0..<2 { try await device.settle() }
            #expect(server.deliveries.map(\.text) == ["At one?"])
            let values = server.mails(in: "sent").first?["bodyValues"]?.objectValue?.members.map(\.value) ?? []
            #expect(values.compactMap { $0["value"]?.stringValue } == ["At one?"])
        }
    }

    /// An editor of HTML has some without words, too. Readers would see that, and not the text.
    @Test(arguments: [
        ("", false), ("<p><br></p>", false), ("<div>&nbsp;</div><script>run()</script>", false), ("<p>Hi</p>", true),
        ("<p><img src=\"https://pictures.example/a.png\" alt=\"\"></p>", true),
    ])
    func `HTML that shows nothing isn't sent beside a text with words`(html: String, isSent: Bool) async throws {
        try await StandardDevice.run { server, device in
            var draft = device.mail.draft("Hello")
            draft.html = html
            try await device.mail.send(draft)
            for _ in 0..<2 { try await device.settle() }
            let values = server.mails(in: "sent").first?["bodyValues"]?.objectValue?.members.map(\.value) ?? []
            #expect(values.count == (isSent ? 2 : 1) && values.first?["value"] == "Hello", "\(values)")
        }
    }

    @Test func `the problems of a draft are those of the text and the HTML that are sent`() async throws {
        try await StandardDevice.run { _, device in
            var draft = device.mail.draft("See the attached file.")
            draft.html = "<p>See the <b>attached</b> file.</p>"
            draft = try await device.mail.save(draft)
            #expect(draft.problems == [.missingAttachment(word: "attached")])
            var changed = draft
            changed.text = "See you."
            #expect(changed.problems.isEmpty)
            changed = draft
            changed.html = "<p>See you.</p>"
            #expect(changed.problems.isEmpty)
        }
    }

    /// The text is the app's own form of it, and differs from that of another program.
    @Test func `HTML that an app sets together with another text is kept`() async throws {
        try await StandardDevice.run { _, device in
            let html = "<ul><li>At <b>noon</b></li></ul>"
            var draft = device.mail.draft("At noon")
            draft.html = html
            draft = try await device.mail.save(draft)
            (draft.text, draft.html) = ("- At *noon*", html)
            draft = try await device.mail.save(draft)
            #expect(draft.html == html && draft.text == "- At *noon*")
        }
    }

    /// The server has the HTML as the cleaner writes it, with other characters escaped.
    @Test(arguments: ["She said \"yes\".", "  Two  spaces\tand a tab", "> Of mine\n\nYes", "No\u{A0}break & <more>"])
    func `words that another device puts into the text of a reply are in its HTML too`(words: String) async throws {
        try await StandardDevice.run { server, device in
            server.deliver([
                "mailboxIds": ["inbox": true], "subject": "Lunch", "from": [["email": "carol@example.net"]],
                "to": [["email": .string(StandardMailServer.user)]], "messageId": ["lunch@example.net"],
                "bodyStructure": ["partId": "1", "type": "text/html"],
                "bodyValues": ["1": ["value": "<p><b>Lunch?</b></p>"]],
            ])
            try await device.mail.sync()
            var draft = try await device.mail.reply(to: try #require(try await device.mail.messages().first).id)
            draft.text = words + draft.text
            draft = try await device.mail.save(draft)
            for _ in 0..<2 { try await device.settle() }
            let other = try await device.anotherDevice(at: server)
            var continued = try #require(try await other.draft(draft.id))
            #expect(continued.text.hasPrefix(words))
            continued.text = "Added.\n" + continued.text
            continued = try await other.mail.save(continued)
            let html = try #require(continued.html)
            #expect(html.contains("Added.") && html.contains("<b>Lunch?</b>"), "\(html)")
            await other.mail.close()
        }
    }
}
