import Foundation
import Groundwork
import Replica
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// Mails of which it can't be known whether the server has sent them: the person decides.
@Suite(.timeLimit(.minutes(5))) struct UnknownOutcomeTests {
    /// Sends a mail to a server that dies each time after it has created it, until the outcome is reported as unknown.
    private func sendUnknown(_ server: StandardMailServer, _ device: StandardDevice) async throws -> MailDraft {
        let draft = try await device.mail.send(device.mail.draft("Hi"))
        device.transport.answer { request in
            if request.isSending { server.behave { $0.dies = 1 } }
            return server.answer(request)
        }
        _ = try? await device.settle()
        for _ in 0..<8 { _ = try? await device.settle(60) }
        return draft
    }

    @Test func `an unknown outcome is reported, and the mail isn't resent automatically`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await sendUnknown(server, device)
            let shown = try #require(try await device.draft(draft.id))
            guard case .unknown(let since, let attempts?) = shown.state else {
                Issue.record("\(shown.state)")
                return
            }
            #expect(since < device.clock.now && shown.isEditable && server.deliveries.isEmpty)
            #expect(attempts.requestCount == 1 && attempts.firstRequestAt == since)
            #expect(attempts.lastRequestAt == since && attempts.checkCount > 1 && attempts.finding == .unsubmitted)
            let created = server.mails(in: "drafts").compactMap { $0["messageId"]?.arrayValue?.first?.stringValue }
            #expect(created.contains(attempts.messageID) && attempts.failure?.isEmpty == false)
            let before = server.requestCount
            for _ in 0..<8 { try await device.settle(3_600) }
            #expect(server.deliveries.isEmpty && server.requestCount < before + 30)
            // The person decides.
            device.transport.answer { request in server.answer(request) }
            try await device.mail.send(shown)
            try await device.settle()
            try await device.settle()
            #expect(server.deliveries.count == 1 && server.mails(in: "drafts").isEmpty)
        }
    }

    /// Neither the search nor the changes show it yet, and the server has submitted nothing.
    @Test func `a mail that the server may be about to submit isn't sent again`() async throws {
        try await StandardDevice.run { server, device in
            server.keepEarlierSubmission()
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            let sendings = Locked(0)
            device.transport.answer { request in
                var request = request
                if request.isSending {
                    sendings.withLock { $0 += 1 }
                    guard sendings.withLock({ $0 }) == 1 else { return server.answer(request) }
                    server.behave { $0.dies = 1 }
                    let answer = server.answer(request)
                    server.forgetChanges()
                    return answer
                }
                if request.has("Message-ID") {
                    let text = String(decoding: request.body ?? [], as: UTF8.self)
                    request.body = Array(text.replacing(draft.id, with: "nothing").utf8)
                }
                return server.answer(request)
            }
            for _ in 0..<3 { _ = try? await device.settle(20) }
            #expect(sendings.withLock { $0 } == 1 && server.mails(in: "drafts").count == 1)
            device.transport.answer { server.answer($0) }
            for _ in 0..<4 { try await device.settle(60) }
            #expect(try await device.draft(draft.id)?.state.name == "unknown")
            #expect(server.deliveries.isEmpty)
        }
    }

    /// Saves another text over a draft whose outcome is unknown. The mail of the attempt is in the trash then.
    private func saveOver(
        _ id: String,
        _ server: StandardMailServer,
        _ device: StandardDevice
    ) async throws -> MailDraft {
        device.transport.answer { request in server.answer(request) }
        var changed = try #require(try await device.draft(id))
        changed.text = "Second"
        try await device.mail.save(changed)
        for _ in 0..<3 { try await device.settle() }
        #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Second"])
        #expect(server.mails(in: "trash").count == 1)
        return try #require(try await device.draft(id))
    }

    /// It isn't a draft that another device has put into the trash.
    @Test func `a text saved over an unknown outcome survives the loss of the drafts`() async throws {
        try await StandardDevice.run { server, device in
            let id = try await sendUnknown(server, device).id
            _ = try await saveOver(id, server, device)
            server.empty("drafts")
            for _ in 0..<3 { try await device.settle() }
            #expect(try await device.draft(id)?.text == "Second")
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Second"])
        }
    }

    /// Another device may have sent it. The mail in the trash is this device's.
    @Test func `a text saved over an unknown outcome and removed elsewhere isn't sent`() async throws {
        try await StandardDevice.run { server, device in
            let shown = try await saveOver(try await sendUnknown(server, device).id, server, device)
            server.empty("drafts")
            try await device.mail.send(shown)
            for _ in 0..<2 { try await device.settle() }
            #expect(server.deliveries.isEmpty)
            guard case .refused(let refusal) = try await device.draft(shown.id)?.state else {
                Issue.record("it wasn't refused")
                return
            }
            #expect(refusal.code == .alreadySent)
        }
    }

    // MARK: - A mail that a later sync brings

    /// Sends a draft, and removes the sent mail before the device looks for it.
    ///
    /// - Returns: The sent mail.
    private func sendForGood(
        _ draft: MailDraft,
        _ server: StandardMailServer,
        _ device: StandardDevice
    ) async throws -> JSON {
        server.behave { $0.keepsSubmissions = false }
        let id = try await device.mail.send(draft).id
        device.loseAnswersToSending(by: server)
        await #expect(throws: MailError.self) { try await device.settle() }
        let sent = try #require(server.mails(in: "sent").first)
        server.empty("sent")
        device.transport.answer { server.answer($0) }
        for _ in 0..<8 { try await device.settle(60) }
        #expect(try await device.draft(id)?.state.name == "unknown")
        return sent
    }

    /// Gives the server a mail again, such as from a backup.
    private func putBack(_ mail: JSON, _ server: StandardMailServer) {
        var object = JSONObject([
            ("mailboxIds", ["sent": true]), ("keywords", ["$seen": true]),
            ("bodyStructure", ["partId": "1", "type": "text/plain"]), ("bodyValues", ["1": ["value": "Hi"]]),
        ])
        for name in ["messageId", "inReplyTo", "from", "to", "subject", "sentAt", DraftRequests.markField] {
            object[name] = mail[name] ?? .null
        }
        server.deliver(.object(object))
    }

    @Test func `a mail that a later sync brings counts as sent`() async throws {
        try await StandardDevice.run { server, device in
            let draft = device.mail.draft("Hi")
            let sent = try await sendForGood(draft, server, device)
            #expect(server.mails(in: "drafts").count == 1)
            putBack(sent, server)
            for _ in 0..<2 { try await device.settle(60) }
            let id = try #require(server.mails(in: "sent").first?["id"]?.stringValue)
            #expect(try await device.mail.outcome(ofDraft: draft.id) == .sent(messageID: id))
            #expect(server.deliveries.count == 1 && server.mails(in: "drafts").isEmpty)
            #expect(try await device.mail.drafts().isEmpty)
        }
    }

    @Test func `an answer that a later sync brings marks the mail as answered`() async throws {
        try await StandardDevice.run { server, device in
            server.receive()
            try await device.mail.sync()
            let question = try #require(try await device.mail.messages().first)
            var reply = try await device.mail.reply(to: question.id)
            reply.to = [EmailAddress(email: "bob@example.org")]
            reply.text = "Hi"
            let sent = try await sendForGood(reply, server, device)
            putBack(sent, server)
            for _ in 0..<3 { try await device.settle(60) }
            #expect(server.deliveries.count == 1)
            #expect(server.mails(in: "inbox").first?["keywords"]?["$answered"] == true)
        }
    }

    // MARK: - What was tried

    @Test func `a restart keeps what was tried, and another order begins with nothing`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await sendUnknown(server, device)
            let state = try #require(try await device.draft(draft.id)?.state)
            guard case .unknown(_, .some) = state else {
                Issue.record("\(state)")
                return
            }
            await device.mail.close()
            let next = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            let shown = try #require(try await next.draft(draft.id))
            #expect(shown.state == state)
            try await next.mail.send(shown)
            let job = try await next.mail.store.read { db in try db.draftDocument(draft.id)?.job }
            #expect(job?.order != nil && job?.tried == nil)
            await next.mail.close()
        }
    }
}
