import Foundation
import Groundwork
import LinePrograms
import RunningMailServer
import Testing

/// The IMAP client's changes, observed over JMAP.
@Suite(.timeLimit(.minutes(10))) struct IMAPClientTests {
    @Test func `appended mails keep flags and date`() async throws {
        try await MailServer.run { server in
            let client = try server.imap()
            let mails = [
                IMAPClient.Mail(SampleMail.plainText.bytes, flags: ["\\Seen", "$label1"], date: 1_700_000_000),
                IMAPClient.Mail(SampleMail.emoji.bytes),
            ]
            #expect(try await client.append(mails) == [1, 2])
            let items = try await client.mails()
            #expect(items.map(\.uid) == [1, 2])
            #expect(items[0].flags == ["$label1", "\\Seen"])
            #expect(items[0].date == 1_700_000_000)
            #expect(items[0].size == SampleMail.plainText.bytes.count)
            let email = try await email(items[0], of: server)
            #expect(email["keywords"] == ["$label1": true, "$seen": true])
            #expect(email["receivedAt"] == "2023-11-14T22:13:20Z")
            #expect(email["threadId"]?.stringValue == items[0].threadID)
        }
    }

    @Test func `when one of several mails is rejected, none is appended`() async throws {
        try await MailServer.run { server in
            let client = try server.imap()
            let mails = [SampleMail.plainText, .bareNewlines].map { IMAPClient.Mail($0.bytes) }
            await #expect(throws: Failure.self) { try await client.append(mails) }
            #expect(try await client.mails().isEmpty)
        }
    }

    @Test func `flags are added and removed`() async throws {
        try await MailServer.run { server in
            let client = try server.imap()
            try await client.append(Array(repeating: IMAPClient.Mail(SampleMail.plainText.bytes), count: 1))
            try await client.flag([1], add: ["\\Flagged", "$important"])
            try await client.flag([1], add: ["\\Seen"], remove: ["$important"])
            let item = try #require(try await client.mails().first)
            #expect(item.flags == ["\\Flagged", "\\Seen"])
            #expect(try await email(item, of: server)["keywords"] == ["$flagged": true, "$seen": true])
        }
    }

    @Test func `mails are moved, copied and expunged`() async throws {
        try await MailServer.run { server in
            let client = try server.imap()
            let samples: [SampleMail] = [.plainText, .emoji, .links]
            let uids = try await client.append(samples.map { IMAPClient.Mail($0.bytes) })
            let items = try await client.mails()
            try await client.move([uids[0]], to: "Archive")
            try await client.copy([uids[1]], to: "Trash")
            try await client.expunge([uids[2]])
            #expect(try await client.mails().map(\.uid) == [uids[1]])
            // One mail is in as many mailboxes as it has copies.
            #expect(try await client.mails(in: "Archive").map(\.emailID) == [items[0].emailID])
            #expect(try await email(items[1], of: server)["mailboxIds"]?.objectValue?.count == 2)
            #expect(try await server.jmap("Email/get", ["ids": [.string(items[2].emailID)]])["list"] == [])
        }
    }

    @Test func `folders are created, renamed and removed, also with non-ASCII names`() async throws {
        try await MailServer.run { server in
            let client = try server.imap()
            try await client.create("Büro & Co")
            try await client.create("Büro & Co/日本")
            try await client.append([IMAPClient.Mail(SampleMail.plainText.bytes)], to: "Büro & Co/日本")
            #expect(try await client.folders().contains("Büro & Co/日本"))
            #expect(try await names(of: server).isSuperset(of: ["Büro & Co", "日本"]))

            try await client.rename("Büro & Co", to: "Office")
            #expect(try await client.mails(in: "Office/日本").count == 1)
            try await client.remove("Office/日本")
            try await client.remove("Office")
            #expect(try await names(of: server).isDisjoint(with: ["Büro & Co", "Office", "日本"]))
        }
    }

    private func email(_ item: IMAPClient.Item, of server: MailServer) async throws -> JSON {
        try #require(try await server.jmap("Email/get", ["ids": [.string(item.emailID)]])["list"]?.arrayValue?.first)
    }

    private func names(of server: MailServer) async throws -> Set<String> {
        let boxes = try await server.jmap("Mailbox/get", ["ids": .null])["list"]?.arrayValue ?? []
        return Set(boxes.compactMap { $0["name"]?.stringValue })
    }
}
