import Foundation
import Groundwork
import InboxMail
import ReplicaTesting
import RunningMailServer
import Testing

/// Sending with a Cyrus that keeps submissions, and with one that deletes them once they are sent.
@Suite(.timeLimit(.minutes(10))) struct KeptSubmissionTests {
    private static func isSending(_ request: String) -> Bool { request.contains("EmailSubmission/set") }

    private func run(
        _ deletesOnSend: Bool,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (WritingServer, TestDevice) async throws -> Void
    ) async throws {
        let option = "jmapsubmission_deleteonsend: \(deletesOnSend ? "yes" : "no")"
        try await WritingServer.run(options: [option]) { server in
            let device = try await server.device()
            try await device.mail.sync()
            try await body(server, device)
            await device.end()
        }
    }

    private func draft(_ subject: String, _ device: TestDevice) -> MailDraft {
        var draft = device.mail.newDraft()
        draft.to = [EmailAddress(email: "bob@example.org")]
        draft.bcc = [EmailAddress(email: "eve@example.org")]
        (draft.subject, draft.text) = (subject, "Hello")
        return draft
    }

    @Test(arguments: [true, false])
    func `mails are sent, taken back and refused as usual`(deletesOnSend: Bool) async throws {
        try await run(deletesOnSend) { server, device in
            // One with a file, which was saved before.
            var whole = try await device.mail.attach(Data([1, 2, 3]), named: "a.bin", to: draft("Whole", device))
            try await server.settle(device)
            whole = try await device.mail.send(try #require(try await device.mail.draft(id: whole.id)))
            // One that is taken back, and one that is taken back and then sent.
            let back = try await device.mail.send(draft("Taken back", device))
            let again = try await device.mail.send(draft("Again", device))
            for id in [back.id, again.id] { #expect(try await device.mail.undoSend(id) != nil) }
            try await server.settle(device)
            try await device.mail.send(try #require(try await device.mail.draft(id: again.id)))
            // One that waits for its time, and is discarded.
            let later = server.clock.now.addingTimeInterval(3_600)
            let discarded = try await device.mail.send(draft("Discarded", device), later: later)
            try await server.settle(device)
            try await device.mail.discard(discarded.id)
            // One that is refused, and then sent to another recipient.
            try await server.receiver.behave(refused: ["missing@example.org": "550 5.1.1 no such user"])
            var refused = draft("Refused", device)
            refused.to = [EmailAddress(email: "missing@example.org")]
            refused = try await device.mail.send(refused)
            try await server.settle(device)
            refused = try #require(try await device.mail.draft(id: refused.id))
            #expect(refused.state.name == "refused" && refused.isEditable)
            refused.to = [EmailAddress(email: "carol@example.org")]
            try await device.mail.send(refused)
            for _ in 0..<3 { try await server.settle(device, seconds: 4_000) }

            let received = try await server.receiver.mails()
            let expected = ["Again", "Refused", "Whole"]
            #expect(received.compactMap { $0.header("Subject").first }.sorted() == expected)
            #expect(!received.contains { $0.text.contains("eve@") })
            #expect(try await server.deliveries().values.allSatisfy { $0 == 1 })
            let sent = try await server.mails(in: "sent")
            #expect(sent.compactMap { $0["subject"]?.stringValue }.sorted() == expected)
            #expect(sent.allSatisfy { $0["bcc"]?.arrayValue?.count == 1 })
            #expect(try await server.mails(in: "drafts").map { $0["subject"] } == ["Taken back"])
            #expect(try await device.mail.drafts().map(\.id) == [back.id])
        }
    }

    /// A server that hasn't begun to submit has created a draft, and may still submit it.
    @Test(arguments: [true, false])
    func `a mail is sent once after a lost answer, request or submission`(deletesOnSend: Bool) async throws {
        try await run(deletesOnSend) { server, device in
            // The answer is lost: the mail is among the sent ones.
            let answered = try await device.mail.send(draft("Answer lost", device))
            device.link.fail { request, _ in Self.isSending(request) ? .losesAnswer : nil }
            _ = try? await server.settle(device)
            #expect(try await device.mail.draft(id: answered.id)?.state == .sending)
            #expect(try await device.mail.undoSend(answered.id) == nil)
            device.link.fail(nil)
            for _ in 0..<2 { try await server.settle(device, seconds: 10) }
            // The request is lost: the mail isn't there, and is sent.
            try await device.mail.send(draft("Request lost", device))
            device.link.fail { request, _ in Self.isSending(request) ? .losesRequest : nil }
            _ = try? await server.settle(device)
            device.link.fail(nil)
            for _ in 0..<2 { try await server.settle(device, seconds: 10) }
            // The server creates the mail alone. No submission is known, and none may follow.
            let unknown = try await device.mail.send(draft("Unknown", device))
            device.link.rewrite { request in
                var request = request
                let text = String(decoding: request.body ?? [], as: UTF8.self)
                guard Self.isSending(text), let json = try? JSON(parsing: text.utf8) else { return request }
                let calls = json["methodCalls"]?.arrayValue ?? []
                request.body = (["using": json["using"] ?? [], "methodCalls": .array([calls[0]])] as JSON).utf8
                return request
            }
            device.link.fail { request, _ in Self.isSending(request) ? .losesAnswer : nil }
            _ = try? await server.settle(device)
            device.link.fail(nil)
            device.link.rewrite(nil)
            for _ in 0..<10 { try await server.settle(device, seconds: 60) }
            let shown = try #require(try await device.mail.draft(id: unknown.id))
            #expect(shown.state.name == "unknown" && shown.isEditable && shown.text.hasPrefix("Hello"))
            let before = try await server.receiver.mails().compactMap { $0.header("Subject").first }
            #expect(before.sorted() == ["Answer lost", "Request lost"])
            // The person sends it all the same.
            try await device.mail.send(shown)
            for _ in 0..<3 { try await server.settle(device, seconds: 60) }
            let received = try await server.receiver.mails()
            let expected = ["Answer lost", "Request lost", "Unknown"]
            #expect(received.compactMap { $0.header("Subject").first }.sorted() == expected)
            #expect(!received.contains { $0.text.contains("eve@") })
            #expect(try await server.deliveries().values.allSatisfy { $0 == 1 })
            let sent = try await server.mails(in: "sent")
            #expect(sent.compactMap { $0["subject"]?.stringValue }.sorted() == expected)
            #expect(sent.allSatisfy { $0["bcc"]?.arrayValue?.count == 1 })
            #expect(try await server.mails(in: "drafts").isEmpty)
            #expect(try await device.mail.drafts().isEmpty)
        }
    }
}
