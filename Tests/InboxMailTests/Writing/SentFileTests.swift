import Foundation
import Groundwork
import InboxMail
import ReplicaTesting
import RunningMailServer
import Testing

/// What recipients get of forwarded files, of files of other mails, of pictures and of HTML, by a real server.
@Suite(.timeLimit(.minutes(10))) struct SentFileTests {
    private static let picture = Data("GIF89a and more".utf8)

    /// A mail with a file and a picture.
    private func mail() -> IMAPClient.Mail {
        let lines = [
            "From: Carol <carol@example.net>", "To: alice@example.com", "Subject: Report",
            "Date: Tue, 03 Mar 2026 10:20:30 +0100", "Message-ID: <report@example.net>", "MIME-Version: 1.0",
            "Content-Type: multipart/mixed; boundary=mixed", "", "--mixed",
            "Content-Type: multipart/related; boundary=related", "", "--related", "Content-Type: text/html", "",
            #"<p>See the <img src="cid:logo@example.net"> report.</p>"#, "--related",
            "Content-Type: image/gif; name=logo.gif", "Content-Disposition: inline; filename=logo.gif",
            "Content-ID: <logo@example.net>", "Content-Transfer-Encoding: base64", "",
            Self.picture.base64EncodedString(), "--related--", "--mixed",
            "Content-Type: text/plain; name=report.txt", "Content-Disposition: attachment; filename=report.txt", "",
            "the report", "--mixed--", "",
        ]
        return IMAPClient.Mail(Array(lines.joined(separator: "\r\n").utf8), flags: [])
    }

    /// Runs a test with a device that has received the mail.
    private func run(_ body: (WritingServer, TestDevice, MailMessage) async throws -> Void) async throws {
        try await WritingServer.run { server in
            let device = try await server.device()
            let imap = try server.server.imap()
            try await imap.append([mail()], to: "INBOX")
            try await device.mail.sync()
            try await body(server, device, try #require(try await device.mail.messages().first))
            await device.end()
        }
    }

    @Test func `a forwarded mail has its files, and the first one is marked`() async throws {
        try await run { server, device, report in
            var draft = try await device.mail.forward(report.id)
            draft.to = [EmailAddress(email: "bob@example.org")]
            #expect(draft.attachments.map(\.name).sorted() == ["logo.gif", "report.txt"])
            // Saved before, so that its files are those of a version that is gone once it is sent.
            draft = try await device.mail.save(draft)
            for _ in 0..<2 { try await server.settle(device) }
            draft = try #require(try await device.mail.draft(id: draft.id))
            draft.text = "As you asked.\n" + draft.text
            draft = try await device.mail.save(draft)
            for _ in 0..<2 { try await server.settle(device) }
            try await device.mail.send(try #require(try await device.mail.draft(id: draft.id)))
            for _ in 0..<2 { try await server.settle(device) }
            let received = try await server.receiver.mails()
            #expect(received.count == 1)
            let text = try #require(received.first?.text)
            #expect(text.contains("the report") || text.contains(Data("the report".utf8).base64EncodedString()))
            #expect(text.contains(Self.picture.base64EncodedString()))
            #expect(
                text.lowercased().contains("content-id: <logo@example.net>") && text.contains("cid:logo@example.net")
            )
            let keywords = try await server.server.emails()[report.id]?["keywords"]
            #expect(keywords?["$forwarded"] == true && keywords?["$answered"] == nil)
        }
    }

    @Test func `a file of another mail is attached without its bytes, and arrives`() async throws {
        try await run { server, device, report in
            let file = try #require(try await device.mail.attachments().first { $0.name == "report.txt" })
            var draft = try await device.mail.attach(file, to: device.mail.draft("See this"))
            #expect(draft.attachments.map(\.isUploaded) == [true])
            draft = try await device.mail.send(draft)
            for _ in 0..<2 { try await server.settle(device) }
            let text = try #require(try await server.receiver.mails().first?.text)
            #expect(text.contains("the report") || text.contains(Data("the report".utf8).base64EncodedString()))
            #expect(text.contains("report.txt"))
            let keywords = try await server.server.emails()[report.id]?["keywords"]
            #expect(keywords?["$forwarded"] == nil)
        }
    }

    @Test func `a picture within the HTML arrives where the HTML refers to it`() async throws {
        try await WritingServer.run { server in
            let device = try await server.device()
            try await device.mail.sync()
            var draft = device.mail.draft("Look: a picture.")
            draft.html = #"<p>Look: <img src="cid:sun@example.com" alt="the sun"></p>"#
            draft = try await device.mail.attach(
                Self.picture,
                named: "sun.gif",
                to: draft,
                contentID: "sun@example.com"
            )
            #expect(draft.attachments.map(\.isInline) == [true] && !draft.hasAttachments)
            try await device.mail.send(draft)
            for _ in 0..<2 { try await server.settle(device) }
            let text = try #require(try await server.receiver.mails().first?.text)
            #expect(text.contains("multipart/related") && text.contains("multipart/alternative"))
            #expect(text.lowercased().contains("content-id: <sun@example.com>") && text.contains("cid:sun@example.com"))
            #expect(text.contains(Self.picture.base64EncodedString()) && text.contains("Content-Type: image/gif"))
            await device.end()
        }
    }

    @Test func `HTML is cleaned before it is sent`() async throws {
        try await WritingServer.run { server in
            let device = try await server.device()
            try await device.mail.sync()
            var draft = device.mail.draft("Hello")
            draft.html = """
                <p onclick="steal()">Hello <b>Bob</b></p><script>steal()</script><iframe src="https://evil.example">
                </iframe><a href="javascript:steal()">here</a><form action="https://evil.example"><input></form>
                """
            try await device.mail.send(draft)
            for _ in 0..<2 { try await server.settle(device) }
            let text = try #require(try await server.receiver.mails().first?.text)
            #expect(text.contains("<b>Bob</b>"))
            for part in ["script", "onclick", "iframe", "steal", "<form", "evil.example"] {
                #expect(!text.contains(part), "\(part)")
            }
            await device.end()
        }
    }
}
