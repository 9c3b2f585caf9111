import Foundation
import Groundwork
import InboxMail
import ReplicaTesting
import StandardMailServer
import Testing

/// Changes of threads, and what undoes them.
@Suite(.timeLimit(.minutes(5)))
struct MailChangeTests {
    /// Runs a test with a thread of three mails, one in the inbox, one in the archive and one sent, and another thread.
    private func run(
        _ body: (StandardMailServer, StandardDevice) async throws -> Void
    ) async throws {
        try await StandardDevice.run { server, device in
            for (index, mailbox) in ["archive", "sent", "inbox"].enumerated() {
                device.clock.advance(by: 60)
                server.deliver([
                    "subject": "Lunch", "from": [["email": "ada@example.org"]], "messageId": [.string("m\(index)")],
                    "inReplyTo": ["m0"], "mailboxIds": .object(JSONObject([(mailbox, .bool(true))])),
                    "keywords": index == 2 ? .object(JSONObject([])) : ["$seen": true],
                    "bodyStructure": ["partId": "1", "type": "text/plain"], "bodyValues": ["1": ["value": "Hi"]],
                ])
            }
            device.clock.advance(by: 60)
            server.deliver([
                "subject": "News", "from": [["email": "bob@example.org"]], "mailboxIds": ["inbox": true],
                "bodyStructure": ["partId": "1", "type": "text/plain"], "bodyValues": ["1": ["value": "Hi"]],
            ])
            try await device.mail.sync()
            try await body(server, device)
        }
    }

    private func ids(_ mail: Mail) async throws -> [String] { try await mail.threads().map(\.id) }

    private func places(_ mail: Mail) async throws -> [Set<String>] {
        try await mail.messages(Query(sort: [SortDescriptor(\.receivedAt)])).map(\.mailboxIDs)
    }

    @Test func `an archived thread is undone without the mails that were archived before`() async throws {
        try await run { _, device in
            let mail = device.mail
            let performed = try await mail.perform(.archive, threads: try await ids(mail) + ["unknown"])
            #expect(try await places(mail) == [["archive"], ["sent"], ["archive"], ["archive"]])
            #expect(performed.threadIDs.count == 2 && performed.messageIDs.count == 2)
            #expect(try await mail.undo(performed).count == 2)
            #expect(try await places(mail) == [["archive"], ["sent"], ["inbox"], ["inbox"]])
            // Nothing is left to send.
            #expect(try await mail.status().pendingWrites == 0)
            #expect(try await mail.undo(performed).isEmpty)
        }
    }

    /// Adds a mail to the thread of three.
    private func answer(_ server: StandardMailServer, _ device: StandardDevice, in mailboxes: String...) async throws {
        device.clock.advance(by: 60)
        server.deliver([
            "subject": "Lunch", "from": [["email": .string(StandardMailServer.user)]], "messageId": ["m3"],
            "inReplyTo": ["m0"], "mailboxIds": .object(JSONObject(mailboxes.map { ($0, .bool(true)) })),
            "keywords": ["$seen": true, "$flagged": true],
            "bodyStructure": ["partId": "1", "type": "text/plain"], "bodyValues": ["1": ["value": "Hi"]],
        ])
        try await device.mail.sync()
    }

    private func lunch(_ mail: Mail) async throws -> [String] {
        try await mail.threads().filter { $0.subject == "Lunch" }.map(\.id)
    }

    private func marked(_ keyword: String, _ mail: Mail) async throws -> [Bool] {
        try await mail.messages(Query(sort: [SortDescriptor(\.receivedAt)])).map { $0.keywords.contains(keyword) }
    }

    @Test func `moving a thread leaves sent mails in their mailbox`() async throws {
        try await run { server, device in
            let mail = device.mail
            try await answer(server, device, in: "sent", "inbox")
            try await mail.perform(.move(to: "archive"), threads: try await lunch(mail))
            #expect(
                try await places(mail) == [["archive"], ["sent"], ["archive"], ["inbox"], ["sent", "archive"]]
            )
        }
    }

    @Test func `the latest mail that was received is unread or starred, and all lose the star`() async throws {
        try await run { server, device in
            let mail = device.mail
            try await answer(server, device, in: "sent")
            try await mail.perform(.markRead, threads: try await lunch(mail))
            try await mail.perform(.markUnread, threads: try await lunch(mail))
            #expect(try await marked("$seen", mail) == [true, true, false, false, true])
            try await mail.perform(.star, threads: try await lunch(mail))
            #expect(try await marked("$flagged", mail) == [false, false, true, false, true])
            try await mail.perform(.unstar, threads: try await lunch(mail))
            #expect(try await marked("$flagged", mail) == [false, false, false, false, false])
        }
    }

    @Test func `a deleted thread is undone to each mail's own mailboxes`() async throws {
        try await run { server, device in
            let mail = device.mail
            let performed = try await mail.perform(.trash, threads: try await ids(mail))
            try await mail.sync()
            #expect(server.mails(in: "trash").count == 4)
            try await mail.undo(performed)
            try await mail.sync()
            #expect(try await places(mail) == [["archive"], ["sent"], ["inbox"], ["inbox"]])
            #expect(server.mails(in: "inbox").count == 2 && server.mails(in: "trash").isEmpty)
        }
    }

    @Test func `a mail that another client has moved meanwhile stays where it is`() async throws {
        try await run { server, device in
            let mail = device.mail
            let performed = try await mail.perform(.archive, threads: try await ids(mail))
            try await mail.sync()
            let other = try await StandardDevice(server, clock: device.clock)
            try await other.mail.sync()
            let news = try #require(try await other.mail.threads().first { $0.subject == "News" }?.id)
            try await other.mail.trash(thread: news)
            try await other.mail.sync()
            try await mail.sync()
            #expect(try await mail.undo(performed).count == 1)
            #expect(try await places(mail) == [["archive"], ["sent"], ["inbox"], ["trash"]])
            await other.mail.close()
        }
    }

    @Test func `a change of all threads with a condition has them all`() async throws {
        try await run { _, device in
            let mail = device.mail
            let performed = try await mail.perform(.markRead, where: #Predicate { $0.isUnread })
            #expect(performed.threadIDs.count == 2 && performed.messageIDs.count == 2)
            #expect(try await mail.counts().unread == 0)
            try await mail.undo(performed)
            #expect(try await mail.counts().unread == 2)
            await #expect(throws: MailError.self) {
                try await mail.perform(.markRead, where: #Predicate { $0.messageCount + 1 > 2 })
            }
        }
    }

    @Test func `a change without its mailbox changes nothing`() async throws {
        try await run { _, device in
            let mail = device.mail
            let ids = try await ids(mail)
            await #expect(throws: MailError.self) { try await mail.perform(.move(to: "unknown"), threads: ids) }
            await mail.close()
            await #expect(throws: MailError.self) { try await mail.perform(.markRead, threads: ids) }
        }
    }
}
