import Foundation
import Groundwork
import Replica
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// What files are in a mail: their names, types and encodings, and the pictures within its HTML.
@Suite(.timeLimit(.minutes(5))) struct SentPartTests {
    private static let bytes = Data("the bytes of a file".utf8)

    /// Exchange attaches mails without names, or by their subjects.
    @Test func `a forwarded file has a name that says what it is`() async throws {
        try await StandardDevice.run { server, device in
            let files: [(name: String?, type: String)] = [
                (nil, "message/rfc822"), ("Re: Plans 1.2", "message/rfc822"), ("Kept.EML", "message/rfc822"),
                (nil, "text/html"), (nil, "x/unknown"), ("Re: Report", "application/pdf"),
            ]
            let parts = files.enumerated().map { index, file -> JSON in
                [
                    "blobId": .string(server.keep([UInt8(index)])), "type": .string(file.type),
                    "name": file.name.map(JSON.string) ?? .null, "disposition": "attachment",
                ]
            }
            server.deliver([
                "mailboxIds": ["inbox": true], "subject": "Mails", "from": [["email": "carol@example.net"]],
                "to": [["email": .string(StandardMailServer.user)]], "messageId": ["mails@example.net"],
                "bodyStructure": [
                    "type": "multipart/mixed", "subParts": .array([["partId": "1", "type": "text/plain"]] + parts),
                ], "bodyValues": ["1": ["value": "See the files."]],
            ])
            try await device.mail.sync()
            let id = try #require(try await device.mail.messages().first { $0.subject == "Mails" }).id
            let forward = try await device.mail.forward(id)
            let names = ["file.eml", "Re: Plans 1.2.eml", "Kept.EML", "file.html", "file", "Re: Report"]
            #expect(forward.attachments.map(\.name) == names)
        }
    }

    /// Photos below a text are marked as inline, some have content ids that no HTML refers to, and some programs mark
    /// the pictures within the HTML as attachments.
    @Test func `a reply takes the pictures that its HTML shows, and a forward all of them`() async throws {
        try await StandardDevice.run { server, device in
            func picture(_ name: String, _ cid: String?, _ disposition: String) -> JSON {
                [
                    "blobId": .string(server.keep(Array(name.utf8))), "type": "image/jpeg",
                    "name": .string("\(name).jpg"), "cid": cid.map(JSON.string) ?? .null,
                    "disposition": .string(disposition),
                ]
            }
            let html = "<p>Look: <img src=\"cid:one@x\"><img src=\"cid:Two@x\"></p>"
            server.deliver([
                "mailboxIds": ["inbox": true], "subject": "Photos", "from": [["email": "carol@example.net"]],
                "to": [["email": .string(StandardMailServer.user)]], "messageId": ["photos@example.net"],
                "bodyStructure": [
                    "type": "multipart/mixed",
                    "subParts": [
                        ["partId": "1", "type": "text/html"], picture("one", "one@x", "inline"),
                        picture("two", "two@x", "attachment"), picture("three", "three@x", "inline"),
                        picture("four", nil, "inline"),
                    ],
                ], "bodyValues": ["1": ["value": .string(html)]],
            ])
            try await device.mail.sync()
            let id = try #require(try await device.mail.messages().first { $0.subject == "Photos" }).id
            let reply = try await device.mail.reply(to: id)
            #expect(Set(reply.attachments.map(\.name)) == ["one.jpg", "two.jpg"])
            #expect(reply.attachments.allSatisfy(\.isInline) && !reply.hasAttachments)
            // Without the quoted mail, its pictures would be attachments.
            for html in [reply.html, nil] {
                var plain = reply
                (plain.text, plain.html) = ("No.", html)
                plain = try await device.mail.attach(Self.bytes, named: "own.jpg", to: plain, contentID: "own@x")
                #expect(plain.html == nil && plain.attachments.map(\.name) == ["own.jpg"])
            }
            var forward = try await device.mail.forward(id)
            let (shown, others) = (forward.attachments.filter(\.isInline), forward.attachments.filter { !$0.isInline })
            #expect(Set(shown.map(\.name)) == ["one.jpg", "two.jpg"])
            #expect(Set(others.map(\.name)) == ["three.jpg", "four.jpg"] && forward.hasAttachments)
            forward.to = [EmailAddress(email: "bob@example.org")]
            try await device.mail.send(forward)
            for _ in 0..<2 { try await device.settle() }
            let sent = server.mails(in: "sent").first?["attachments"]?.arrayValue ?? []
            let inline = sent.filter { $0["disposition"] == "inline" }.compactMap { $0["name"]?.stringValue }
            #expect(sent.count == 4 && Set(inline) == ["one.jpg", "two.jpg"])
        }
    }

    @Test(arguments: [("Text/CSV", "text/csv"), ("text/plain\r\nX-Other: a", nil), ("no type", nil)])
    func `a file is uploaded with its media type, or that of unknown bytes`(type: String, sent: String?) async throws {
        try await StandardDevice.run { server, device in
            let draft = device.mail.draft("With a file")
            try await device.mail.send(try await device.mail.attach(Self.bytes, named: "a", to: draft, type: type))
            for _ in 0..<2 { try await device.settle() }
            let types = device.transport.requests.filter { $0.url.path.hasPrefix("/upload/") }
                .map { $0.headers["Content-Type"] }
            #expect(types == [sent ?? "application/octet-stream"])
            #expect(server.deliveries.count == 1)
        }
    }

    /// Readers wouldn't see it where the HTML shows it.
    @Test func `a picture that another program marks as a file stays in the HTML of its draft`() async throws {
        try await StandardDevice.run { server, device in
            func picture(_ name: String) -> JSON {
                [
                    "blobId": .string(server.keep(Array(name.utf8))), "type": "image/png", "name": .string(name),
                    "cid": .string("\(name)@x"), "disposition": "attachment",
                ]
            }
            server.deliver([
                "mailboxIds": ["drafts": true], "keywords": ["$draft": true], "subject": "Photos",
                "from": [["email": .string(StandardMailServer.user)]], "to": [["email": "bob@example.org"]],
                "messageId": ["photos@other.example"],
                "bodyStructure": [
                    "type": "multipart/mixed",
                    "subParts": [["partId": "1", "type": "text/html"], picture("one.png"), picture("two.png")],
                ], "bodyValues": ["1": ["value": "<p>Look: <img src=\"cid:one.png@x\"></p>"]],
            ])
            for _ in 0..<2 { try await device.settle() }
            let id = try #require(try await device.mail.drafts().first).id
            let draft = try #require(try await device.draft(id))
            #expect(draft.attachments.filter(\.isInline).map(\.name) == ["one.png"])
            #expect(draft.attachments.filter { !$0.isInline }.map(\.name) == ["two.png"])
            try await device.mail.send(draft)
            for _ in 0..<2 { try await device.settle() }
            let sent = server.mails(in: "sent").first?["attachments"]?.arrayValue ?? []
            let cids = sent.compactMap { $0["cid"]?.stringValue }
            #expect(sent.count == 2 && cids == ["one.png@x"], "\(sent)")
        }
    }

    /// Other programs, and apps, may give a picture any id.
    @Test func `a picture whose content id can't be written is in the HTML under another one`() async throws {
        try await StandardDevice.run { server, device in
            var draft = device.mail.draft("Look")
            draft.html = "<p>Look: <img src=\"cid:my%20picture@x\"></p>"
            draft = try await device.mail.attach(Self.bytes, named: "a.png", to: draft, contentID: "my picture@x")
            try await device.mail.send(draft)
            for _ in 0..<2 { try await device.settle() }
            let sent = try #require(server.mails(in: "sent").first)
            let id = try #require(sent["attachments"]?.arrayValue?.first?["cid"]?.stringValue)
            let html = sent["bodyValues"]?["2"]?["value"]?.stringValue ?? ""
            #expect(!id.contains(" ") && html.contains("cid:\(id)\""), "\(html)")
        }
    }

    /// As a part of the HTML, which doesn't show it, it could be seen nowhere.
    @Test(arguments: ["", " "])
    func `a picture with an empty content id is an attachment`(contentID: String) async throws {
        try await StandardDevice.run { server, device in
            var draft = device.mail.draft("Look")
            draft.html = "<p>Look</p>"
            draft = try await device.mail.attach(Self.bytes, named: "a.png", to: draft, contentID: contentID)
            try await device.mail.send(draft)
            for _ in 0..<2 { try await device.settle() }
            let files = server.mails(in: "sent").first?["attachments"]?.arrayValue ?? []
            #expect(files.map { $0["disposition"] } == ["attachment"])
        }
    }

    /// Without it, readers may show other letters. Servers state US-ASCII for a text without one.
    @Test(arguments: [("ISO-8859-1", "iso-8859-1"), ("us-ascii", nil), ("no name", nil)])
    func `a text file that is forwarded keeps its character encoding`(charset: String, sent: String?) async throws {
        try await StandardDevice.run { server, device in
            let file: JSON = [
                "blobId": .string(server.keep([0x61, 0xE9])), "type": "text/csv", "charset": .string(charset),
                "name": "a.csv", "disposition": "attachment",
            ]
            server.deliver([
                "mailboxIds": ["inbox": true], "subject": "Files", "from": [["email": "carol@example.net"]],
                "to": [["email": .string(StandardMailServer.user)]], "messageId": ["files@example.net"],
                "bodyStructure": [
                    "type": "multipart/mixed", "subParts": [["partId": "1", "type": "text/plain"], file],
                ], "bodyValues": ["1": ["value": "See the file."]],
            ])
            try await device.mail.sync()
            let id = try #require(try await device.mail.messages().first).id
            var draft = try await device.mail.forward(id)
            draft.to = [EmailAddress(email: "bob@example.org")]
            try await device.mail.send(draft)
            for _ in 0..<2 { try await device.settle() }
            let files = server.mails(in: "sent").first?["attachments"]?.arrayValue ?? []
            #expect(files.map { $0["charset"]?.stringValue } == [sent])
        }
    }

    /// Else no list of attachments would have it, and no reader would see it.
    @Test func `a picture within another mail is attached as a file unless the HTML shows it`() async throws {
        try await StandardDevice.run { server, device in
            server.deliver([
                "mailboxIds": ["inbox": true], "subject": "Photo", "from": [["email": "carol@example.net"]],
                "to": [["email": .string(StandardMailServer.user)]], "messageId": ["photo@example.net"],
                "bodyStructure": [
                    "type": "multipart/related",
                    "subParts": [
                        ["partId": "1", "type": "text/html"],
                        [
                            "blobId": .string(server.keep([UInt8](Self.bytes))), "type": "image/jpeg",
                            "name": "one.jpg", "cid": "one@x", "disposition": "inline",
                        ],
                    ],
                ], "bodyValues": ["1": ["value": "<p>Look: <img src=\"cid:one@x\"></p>"]],
            ])
            try await device.mail.sync()
            let mail = try #require(try await device.mail.messages().first)
            let picture = MailAttachment(
                id: "\(mail.id)/2",
                messageID: mail.id,
                threadID: mail.threadID,
                receivedAt: mail.receivedAt,
                position: 0,
                file: try #require(try await device.mail.body(of: mail.id).inlineFiles.first)
            )
            let drafts: [(html: String?, isShown: Bool)] = [
                (nil, false), ("<p>Hi</p>", false), ("<p><img src=\"cid:one@x\"></p>", true),
            ]
            for (html, isShown) in drafts {
                var draft = device.mail.draft("Hi")
                draft.html = html
                draft = try await device.mail.attach(picture, to: draft)
                #expect(draft.attachments.map(\.isInline) == [isShown] && draft.hasAttachments != isShown)
            }
            // The HTML of the reply is left out, and its pictures with it.
            var reply = try await device.mail.reply(to: mail.id)
            #expect(reply.attachments.map(\.isInline) == [true])
            reply.text = "Here it is again."
            reply = try await device.mail.attach(picture, to: reply)
            #expect(reply.html == nil && reply.attachments.map(\.isInline) == [false])
        }
    }
}
