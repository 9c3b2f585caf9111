import Foundation
import Groundwork
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// The sender of a mail: the header field, the envelope and the identity agree, and are what the person has chosen.
@Suite(.timeLimit(.minutes(5))) struct SenderTests {
    private static let work: JSON = ["id": "work", "name": "Alice at work", "email": "alice@work.example"]
    private static let home: JSON = ["id": "i1", "name": "Alice", "email": .string(StandardMailServer.user)]

    private func run(
        _ identities: [JSON] = [home, work],
        _ body: (StandardMailServer, StandardDevice) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        server.behave { $0.identities = identities }
        let device = try await StandardDevice(server, clock: clock)
        defer { try? FileManager.default.removeItem(at: device.directory) }
        try await device.mail.sync()
        try await body(server, device)
        await device.mail.close()
    }

    /// The identities, senders of the envelopes and senders in the headers of the mails that were sent.
    private func senders(_ server: StandardMailServer) -> [[String]] {
        zip(server.deliveries, server.mails(in: "sent")).map { delivery, mail in
            [delivery.identityID, delivery.mailFrom, mail["from"]?.arrayValue?.first?["email"]?.stringValue ?? ""]
        }
    }

    private func refusal(_ device: StandardDevice, _ id: String) async throws -> DraftRefusal? {
        if case .refused(let refusal) = try await device.draft(id)?.state { refusal } else { nil }
    }

    /// Receives a question.
    private func receive(
        to address: String,
        deliveredTo: String? = nil,
        _ server: StandardMailServer,
        _ device: StandardDevice
    ) async throws -> MailMessage {
        server.deliver([
            "header:Delivered-To:asAddresses:all": .array(deliveredTo.map { [[["email": .string($0)]]] } ?? []),
            "mailboxIds": ["inbox": true], "subject": "Question", "from": [["email": "carol@example.net"]],
            "to": [["email": .string(address)]], "messageId": ["question@example.net"],
            "bodyStructure": ["partId": "1", "type": "text/plain"], "bodyValues": ["1": ["value": "What is it?"]],
        ])
        try await device.mail.sync()
        return try #require(try await device.mail.messages().first)
    }

    private static let homeSender = ["i1", StandardMailServer.user, StandardMailServer.user]
    private static let workSender = ["work", "alice@work.example", "alice@work.example"]

    @Test func `a mail is sent from the chosen identity`() async throws {
        try await run { server, device in
            try await device.mail.send(device.mail.draft("By default"))
            try await device.settle()
            var draft = device.mail.draft("Chosen")
            draft.identityID = "work"
            try await device.mail.send(draft)
            try await device.settle()
            // By its address alone.
            draft = device.mail.draft("Written")
            draft.from = EmailAddress(name: "A.", email: "Alice@Work.example")
            try await device.mail.send(draft)
            try await device.settle()
            let written = ["work", "Alice@work.example", "Alice@work.example"]
            #expect(
                senders(server).map { $0.map { $0.lowercased() } } == [
                    Self.homeSender, Self.workSender, written.map { $0.lowercased() },
                ]
            )
        }
    }

    @Test func `replies go to the addresses that the identity asks for, or else the draft`() async throws {
        let desk: JSON = [["name": .null, "email": "desk@example.com"]]
        let home: JSON = ["id": "i1", "name": "Alice", "email": .string(StandardMailServer.user), "replyTo": desk]
        try await run([home, Self.work]) { server, device in
            var draft = device.mail.draft("By default")
            draft = try await device.mail.save(draft)
            for _ in 0..<2 { try await device.settle() }
            // A draft is where the person has set nothing.
            #expect(server.mails(in: "drafts").map { $0["replyTo"]?.arrayValue } == [nil])
            draft = try #require(try await device.draft(draft.id))
            #expect(draft.replyTo.isEmpty)
            // The copy that names the hidden recipient is as the mail.
            draft.bcc = [EmailAddress(email: "eve@example.org")]
            try await device.mail.send(draft)
            for _ in 0..<3 { try await device.settle(60) }
            #expect(server.mails(in: "sent").map { $0["replyTo"] ?? .null } == [desk])
            draft = device.mail.draft("Chosen")
            draft.replyTo = [EmailAddress(email: "bob@example.org")]
            try await device.mail.send(draft)
            try await device.settle()
            #expect(server.mails(in: "sent").last?["replyTo"] == [["name": .null, "email": "bob@example.org"]])
            draft = device.mail.draft("From work")
            draft.identityID = "work"
            try await device.mail.send(draft)
            try await device.settle()
            #expect(server.mails(in: "sent").last?["replyTo"]?.arrayValue == nil)
        }
    }

    @Test func `an identity has signatures and blind copies, which no draft gets by itself`() async throws {
        let eve: JSON = [["name": "Eve", "email": "eve@example.com"]]
        let complete: JSON = [
            "id": "i1", "name": "", "email": "", "bcc": eve, "textSignature": "Alice", "htmlSignature": "<b>Alice</b>",
        ]
        try await run([complete, ["id": "bare", "name": "", "email": "", "bcc": .null]]) { server, device in
            let identities = try await device.mail.identities()
            #expect(identities.map(\.email) == [StandardMailServer.user, StandardMailServer.user])
            #expect(identities.map(\.bcc) == [[EmailAddress(name: "Eve", email: "eve@example.com")], []])
            #expect(identities.map(\.textSignature) == ["Alice", ""])
            #expect(identities.map(\.htmlSignature) == ["<b>Alice</b>", ""])
            try await device.mail.send(device.mail.draft("Hi"))
            try await device.settle()
            #expect(server.deliveries.map(\.recipient) == ["bob@example.org"])
            #expect(server.deliveries.map(\.text) == ["Hi"])
        }
    }

    @Test func `a reply is sent from the identity that the mail was addressed to`() async throws {
        try await run { server, device in
            let question = try await receive(to: "alice@work.example", server, device)
            try await device.mail.send(try await device.mail.reply(to: question.id))
            for _ in 0..<2 { try await device.settle() }
            #expect(senders(server) == [Self.workSender])
            #expect(server.mails(in: "inbox").first?["keywords"]?["$answered"] == true)
        }
    }

    @Test func `a reply to a mail of a list is sent from the identity to which it was delivered`() async throws {
        try await run { server, device in
            let list = "list@example.net"
            let question = try await receive(to: list, deliveredTo: "Alice@work.example", server, device)
            try await device.mail.send(try await device.mail.reply(to: question.id))
            for _ in 0..<2 { try await device.settle() }
            #expect(senders(server).map { $0[0] } == ["work"])
        }
    }

    enum Answer: CaseIterable { case reply, forward }

    @Test(arguments: Answer.allCases)
    func `a reply or forward continued elsewhere keeps its sender and original mail`(answer: Answer) async throws {
        try await run { server, device in
            let question = try await receive(to: "alice@work.example", server, device)
            var draft =
                switch answer {
                case .reply: try await device.mail.reply(to: question.id)
                case .forward: try await device.mail.forward(question.id)
                }
            draft.to = [EmailAddress(email: "bob@example.org")]
            draft.text = "Begun\n" + draft.text
            draft = try await device.mail.save(draft)
            for _ in 0..<2 { try await device.settle() }
            let other = try await device.anotherDevice(at: server)
            var continued = try #require(try await other.draft(draft.id))
            #expect(continued.identityID == "work")
            #expect(continued.answeredMessageID == draft.answeredMessageID)
            #expect(continued.forwardedMessageID == draft.forwardedMessageID)
            continued.text = "Ended\n" + continued.text
            try await other.mail.send(continued)
            for _ in 0..<2 { try await other.settle() }
            #expect(senders(server) == [Self.workSender])
            let keywords = server.mails(in: "inbox").first?["keywords"]
            #expect(keywords?["$answered"] == (answer == .reply ? true : nil))
            #expect(keywords?["$forwarded"] == (answer == .forward ? true : nil))
            await other.mail.close()
        }
    }

    @Test func `another device continues a draft and chooses another sender`() async throws {
        try await run { server, device in
            var draft = device.mail.draft("Begun")
            draft.identityID = "work"
            draft = try await device.mail.save(draft)
            for _ in 0..<2 { try await device.settle() }
            let other = try await device.anotherDevice(at: server)
            var continued = try #require(try await other.draft(draft.id))
            continued.identityID = "i1"
            try await other.mail.send(continued)
            for _ in 0..<2 { try await other.settle() }
            #expect(senders(server) == [Self.homeSender])
            await other.mail.close()
        }
    }

    @Test(arguments: [false, true])
    func `a draft whose sender was removed isn't sent from another address`(isSaved: Bool) async throws {
        try await run { server, device in
            var draft = device.mail.draft("From work")
            draft.identityID = "work"
            if isSaved {
                draft = try await device.mail.save(draft)
                for _ in 0..<2 { try await device.settle() }
                draft = try #require(try await device.draft(draft.id))
            }
            server.behave { $0.identities = [Self.home] }
            try await device.mail.sync()
            draft = try await device.mail.send(draft)
            try await device.settle()
            #expect(server.deliveries.isEmpty)
            let refusal = try #require(try await refusal(device, draft.id))
            #expect(refusal.code == .sender && refusal.description.contains("Choose"))
            draft = try #require(try await device.draft(draft.id))
            draft.identityID = "i1"
            try await device.mail.send(draft)
            try await device.settle()
            #expect(senders(server) == [Self.homeSender])
        }
    }

    @Test func `an address that no identity has is refused`() async throws {
        try await run { server, device in
            var draft = device.mail.draft("From elsewhere")
            draft.from = EmailAddress(email: "alice@elsewhere.example")
            draft = try await device.mail.send(draft)
            try await device.settle()
            #expect(server.deliveries.isEmpty)
            let refusal = try #require(try await refusal(device, draft.id))
            #expect(refusal.code == .sender && refusal.description.contains("alice@elsewhere.example"))
        }
    }

    /// An identity whose address is `*@example.com` is for all addresses of the domain (RFC 8621, section 6).
    @Test func `an identity for a domain sends from each of its addresses`() async throws {
        try await run([Self.home, ["id": "all", "name": "", "email": "*@team.example"]]) { server, device in
            var draft = device.mail.draft("From the team")
            draft.from = EmailAddress(email: "support@team.example")
            try await device.mail.send(draft)
            try await device.settle()
            #expect(senders(server) == [["all", "support@team.example", "support@team.example"]])
        }
    }

    @Test(arguments: Answer.allCases)
    func `an answer from an identity for a domain has the address that was written to`(answer: Answer) async throws {
        try await run([Self.home, ["id": "all", "name": "The Team", "email": "*@team.example"]]) { server, device in
            let question = try await receive(to: "Support@Team.example", server, device)
            var draft =
                switch answer {
                case .reply: try await device.mail.reply(to: question.id)
                case .forward: try await device.mail.forward(question.id)
                }
            #expect(draft.from == EmailAddress(name: "The Team", email: "Support@Team.example"))
            draft.to = [EmailAddress(email: "bob@example.org")]
            try await device.mail.send(draft)
            for _ in 0..<2 { try await device.settle() }
            let senders = senders(server).map { $0.map { $0.lowercased() } }
            #expect(senders == [["all", "support@team.example", "support@team.example"]])
        }
    }

    /// Its addresses are also those of colleagues. The person signs in as Alice.
    @Test func `with an identity for a domain, answers go to colleagues and not to the person`() async throws {
        try await run([["id": "all", "name": "", "email": "*@example.com"]]) { server, device in
            func list(_ names: String) -> JSON {
                .array(names.split(separator: " ").map { ["email": .string("\($0)@example.com")] })
            }
            func answers(from: String, to: String, in mailbox: String = "inbox") async throws -> [String] {
                let subject = "\(from) \(to)"
                server.deliver([
                    "mailboxIds": .object(JSONObject([(mailbox, true)])), "subject": .string(subject),
                    "from": list(from), "to": list(to), "messageId": [.string("\(mailbox).\(from)@example.com")],
                    "bodyStructure": ["partId": "1", "type": "text/plain"], "bodyValues": ["1": ["value": "Hi"]],
                ])
                try await device.mail.sync()
                let id = try #require(try await device.mail.messages().first { $0.subject == subject }).id
                let drafts = [try await device.mail.reply(to: id), try await device.mail.replyAll(to: id)]
                let lists = drafts.map(\.to) + [drafts[1].cc, drafts[1].from.map { [$0] } ?? []]
                return lists.map { $0.map { $0.email.replacing("@example.com", with: "") }.joined(separator: " ") }
            }
            let received = try await answers(from: "bob", to: "alice carol")
            #expect(received == ["bob", "bob", "carol", "alice"])
            let sent = try await answers(from: "shop", to: "bob", in: "sent")
            #expect(sent == ["bob", "bob", "", "shop"])
        }
    }

    @Test func `without a sender's address a mail is refused until the draft has one`() async throws {
        try await run([["id": "bare", "name": "", "email": ""]]) { server, _ in
            let clock = ManualClock()
            let directory = FileManager.default.temporaryDirectory.appendingPathComponent("bare-\(UUID())")
            defer { try? FileManager.default.removeItem(at: directory) }
            var configuration = MailConfiguration()
            configuration.isLive = false
            configuration.transport = ScriptedTransport { request in server.answer(request) }
            configuration.clock = clock
            let mail = try await Mail.open(
                server: StandardMailServer.url,
                credentials: .basic(user: "alice") { "secret" },
                directory: directory,
                configuration: configuration
            )
            try await mail.sync()
            var draft = try await mail.send(mail.draft("From no one"))
            clock.advance(by: 6)
            try await mail.sync()
            #expect(server.deliveries.isEmpty && server.mails(in: "sent").isEmpty)
            draft = try #require(try await mail.draft(id: draft.id))
            guard case .refused(let refusal) = draft.state else {
                Issue.record("\(draft.state)")
                return
            }
            #expect(refusal.code == .sender && refusal.description.contains("address"))
            draft.from = EmailAddress(email: "alice@example.com")
            try await mail.send(draft)
            clock.advance(by: 6)
            try await mail.sync()
            #expect(senders(server) == [["bare", "alice@example.com", "alice@example.com"]])
            await mail.close()
        }
    }

    /// Runs a test with a server that answers with an error when it is asked for the identities.
    private func runWithoutIdentities(_ body: (StandardMailServer, StandardDevice) async throws -> Void) async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        server.behave { $0.identityError = "serverUnavailable" }
        let device = try await StandardDevice(server, clock: clock)
        defer { try? FileManager.default.removeItem(at: device.directory) }
        _ = try? await device.mail.sync()
        let mailboxes = try await device.mail.mailboxes()
        #expect(!mailboxes.isEmpty, "the others are there")
        try await body(server, device)
        await device.mail.close()
    }

    /// Advances the clock and sends what is due, as a device does that is live.
    private func send(every seconds: Double, times: Int, _ device: StandardDevice) async {
        for _ in 0..<times {
            device.clock.advance(by: seconds)
            _ = try? await device.mail.open.outbox.flush()
        }
    }

    @Test func `a mail to be sent waits until the identities are fetched`() async throws {
        try await runWithoutIdentities { server, device in
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            await send(every: 60, times: 3, device)
            #expect(server.deliveries.isEmpty)
            #expect(try await device.draft(draft.id)?.state.name == "waiting")
            server.behave { $0.identityError = nil }
            for _ in 0..<3 { try await device.settle(600) }
            #expect(senders(server) == [Self.homeSender])
        }
    }

    /// The time without a network doesn't count.
    @Test func `a mail is refused if the server fails to say the identities for a day`() async throws {
        try await runWithoutIdentities { server, device in
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            device.transport.fail(with: .unreachable)
            await send(every: 3_600, times: 30, device)
            device.transport.fail(with: nil)
            await send(every: 3_600, times: 23, device)
            #expect(try await device.draft(draft.id)?.state.name == "waiting")
            await send(every: 3_600, times: 3, device)
            let refused = try #require(try await device.draft(draft.id))
            let words = try await refusal(device, draft.id)?.description
            #expect(words?.contains("serverUnavailable") ?? false)
            #expect(refused.isEditable && server.deliveries.isEmpty)
            server.behave { $0.identityError = nil }
            for _ in 0..<3 { try await device.settle(600) }
            try await device.mail.send(refused)
            for _ in 0..<2 { try await device.settle() }
            #expect(senders(server) == [Self.homeSender])
        }
    }

    /// The answer to the request that has sent it is lost.
    @Test func `a mail that was sent counts as sent though the account has no identities since`() async throws {
        try await run { server, device in
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            device.loseAnswersToSending(by: server)
            _ = try? await device.settle()
            #expect(senders(server) == [Self.homeSender])
            server.behave { $0.identities = [] }
            device.transport.answer { server.answer($0) }
            for _ in 0..<3 { try await device.settle(60) }
            let id = try #require(server.mails(in: "sent").first?["id"]?.stringValue)
            #expect(try await device.mail.outcome(ofDraft: draft.id) == .sent(messageID: id))
            #expect(senders(server) == [Self.homeSender])
        }
    }

    @Test func `an account without identities refuses a mail as notSupported`() async throws {
        try await run([]) { server, device in
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            try await device.settle()
            #expect(server.deliveries.isEmpty)
            #expect(try await refusal(device, draft.id)?.code == .notSupported)
        }
    }
}
