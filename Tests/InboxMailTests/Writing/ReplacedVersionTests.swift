import Eventually
import Foundation
import GRDB
import Groundwork
import InboxMail
import ReplicaTesting
import StandardMailServer
import Testing

/// What a draft's next version on the server keeps of the one that it replaces, and which mail isn't that one.
@Suite(.timeLimit(.minutes(5))) struct ReplacedVersionTests {
    @Test(arguments: [false, true])
    func `a draft that is changed keeps its star`(isStarred: Bool) async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.save(device.mail.draft("First"))
            for _ in 0..<2 { try await device.settle() }
            let version = try #require(try await device.mail.messages().first { $0.isDraft })
            if isStarred { try await device.mail.star(message: version.id) }
            var changed = try #require(try await device.draft(draft.id))
            changed.text = "Second"
            try await device.mail.save(changed)
            for _ in 0..<2 { try await device.settle() }
            let saved = server.mails(in: "drafts")
            #expect(saved.map { $0["preview"] } == ["Second"])
            #expect(saved.map { $0["keywords"]?["$flagged"]?.boolValue ?? false } == [isStarred])
        }
    }

    /// Such as a label that another program has given it.
    @Test func `another program's draft that is changed keeps its mailboxes and keywords`() async throws {
        try await StandardDevice.run { server, device in
            server.deliver([
                "mailboxIds": ["drafts": true, "archive": true], "keywords": ["$draft": true, "work": true],
                "subject": "Plans", "from": [["email": .string(StandardMailServer.user)]],
                "to": [["email": "bob@example.org"]], "messageId": ["plans@other.example"],
                "bodyStructure": ["partId": "1", "type": "text/plain"], "bodyValues": ["1": ["value": "First"]],
            ])
            for _ in 0..<2 { try await device.settle() }
            let id = try #require(try await device.mail.drafts().first).id
            var draft = try #require(try await device.draft(id))
            draft.text = "Second"
            try await device.mail.save(draft)
            for _ in 0..<2 { try await device.settle() }
            for mailbox in ["drafts", "archive"] {
                let saved = server.mails(in: mailbox)
                #expect(saved.map { $0["preview"] } == ["Second"])
                #expect(saved.first?["keywords"]?.objectValue?.names.sorted() == ["$draft", "$seen", "work"])
            }
        }
    }

    /// Such as one that only the server gives, or a mailbox to which the person may not add.
    @Test(arguments: ["keywords", "mailboxIds"])
    func `a draft is saved without the mailboxes and keywords that the server refuses`(property: String) async throws {
        try await StandardDevice.run { server, device in
            server.deliver([
                "mailboxIds": ["archive": true], "keywords": ["$draft": true, "$flagged": true, "work": true],
                "subject": "Plans", "from": [["email": .string(StandardMailServer.user)]],
                "to": [["email": "bob@example.org"]], "messageId": ["plans@other.example"],
                "bodyStructure": ["partId": "1", "type": "text/plain"], "bodyValues": ["1": ["value": "First"]],
            ])
            for _ in 0..<2 { try await device.settle() }
            server.behave { behaviour in
                behaviour.refusesCreation = { mail in
                    let isRefused = mail[property]?["work"] != nil || mail[property]?["archive"] != nil
                    return isRefused ? ["type": "invalidProperties", "properties": [.string(property)]] : nil
                }
            }
            var draft = try #require(try await device.mail.drafts().first)
            for text in ["Second", "Third"] {
                draft = try #require(try await device.draft(draft.id))
                draft.text = text
                try await device.mail.save(draft)
                for _ in 0..<2 { try await device.settle() }
                let saved = server.mails(in: "drafts")
                #expect(saved.map { $0["preview"]?.stringValue } == [text])
                #expect(saved.first?["keywords"]?.objectValue?.names.sorted() == ["$draft", "$flagged", "$seen"])
                #expect(server.mails(in: "archive").isEmpty)
                #expect(try await device.draft(draft.id)?.state == .draft)
            }
            #expect(device.creations == 3, "the last one isn't refused")
        }
    }

    /// Such as after the server was restored, and gives the ids of later mails again.
    @Test func `a mail that has the id of a version, and isn't it, isn't removed`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.save(device.mail.draft("First"))
            for _ in 0..<2 { try await device.settle() }
            device.transport.answer { request in
                var answer = server.answer(request)
                guard request.has("\"places\"") else { return answer }
                let text = String(decoding: answer.body, as: UTF8.self)
                answer.body = Array(text.replacing(draft.id, with: "other").utf8)
                return answer
            }
            var changed = try #require(try await device.draft(draft.id))
            changed.text = "Second"
            try await device.mail.save(changed)
            for _ in 0..<3 { try await device.settle() }
            let texts = server.mails(in: "drafts").compactMap { $0["preview"]?.stringValue }
            #expect(texts.sorted() == ["First", "Second"])
        }
    }
}
