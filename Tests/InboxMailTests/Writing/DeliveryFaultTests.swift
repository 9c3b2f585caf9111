import Foundation
import Groundwork
import InboxMail
import ReplicaTesting
import RunningMailServer
import Testing

/// What the mail server and the next one on the way do to a mail that is sent: each recipient gets it once at most.
@Suite(.timeLimit(.minutes(10))) struct DeliveryFaultTests {
    /// Cyrus says the same whether the receiver has taken the mail or not. That it couldn't reach it at all isn't sure
    /// either: a failure after the receiver's reply may be described in the same words.
    @Test(arguments: [("connect", 0), ("rcpt", 0), ("data", 0), ("after", 1)])
    func `a connection that breaks at the receiver never sends a mail twice`(
        place: String,
        received: Int
    ) async throws {
        try await WritingServer.run(isSentAgain: received > 0) { server in
            let device = try await server.device()
            try await device.mail.sync()
            try await server.receiver.behave(hangup: place)
            let draft = try await device.mail.send(device.mail.draft("Hello"))
            try await server.settle(device)
            #expect(try await server.receiver.mails().count == received)
            #expect(try await device.mail.draft(id: draft.id)?.state == .sending)
            try await server.receiver.behave()
            for _ in 0..<4 { try await server.settle(device, seconds: 3_600) }
            #expect(try await server.receiver.mails().count == received)
            let shown = try #require(try await device.mail.draft(id: draft.id))
            #expect(shown.state.name == "unknown")
            #expect(try await server.mails(in: "sent").isEmpty)
            // The person knows more, or wants it all the same.
            try await device.mail.send(shown)
            for _ in 0..<2 { try await server.settle(device) }
            #expect(try await server.receiver.mails().count == received + 1)
            #expect(try await server.mails(in: "drafts").isEmpty)
            await device.end()
        }
    }

    /// The answer is lost, and the server hasn't moved the mail.
    @Test(arguments: [true, false])
    func `a kept submission decides whether a mail whose answer was lost was sent`(deletesOnSend: Bool) async throws {
        let option = "jmapsubmission_deleteonsend: \(deletesOnSend ? "yes" : "no")"
        try await WritingServer.run(options: [option]) { server in
            let device = try await server.device()
            try await device.mail.sync()
            let draft = try await device.mail.send(device.mail.draft("Hello"))
            device.link.rewrite { request in
                var request = request
                let text = String(decoding: request.body ?? [], as: UTF8.self)
                if text.contains("EmailSubmission/set") {
                    let part = /"onSuccessUpdateEmail":\{.*?\}\}/
                    request.body = Array(text.replacing(part, with: #""destroy":[]"#).utf8)
                }
                return request
            }
            device.link.fail { request, _ in request.contains("EmailSubmission/set") ? .losesAnswer : nil }
            _ = try? await server.settle(device)
            device.link.fail(nil)
            device.link.rewrite(nil)
            for _ in 0..<10 { try await server.settle(device, seconds: 60) }
            #expect(try await server.receiver.mails().count == 1)
            let state = try await device.mail.draft(id: draft.id)?.state.name
            if deletesOnSend {
                #expect(state == "unknown")
            } else {
                #expect(state == nil)
                #expect(try await server.mails(in: "sent").count == 1)
                #expect(try await server.mails(in: "drafts").isEmpty)
            }
            await device.end()
        }
    }

    @Test func `a slow receiver only delays the mail`() async throws {
        try await WritingServer.run { server in
            let device = try await server.device()
            try await device.mail.sync()
            try await server.receiver.behave(delay: 3)
            try await device.mail.send(device.mail.draft("Hello"))
            try await server.settle(device)
            #expect(try await server.receiver.mails().count == 1)
            #expect(try await device.mail.drafts().isEmpty)
            await device.end()
        }
    }

    @Test(arguments: ["552 5.3.4 too big", "554 5.7.1 spam", "451 4.7.1 greylisted"])
    func `a mail that the receiver rejects after its data waits or is refused`(reply: String) async throws {
        try await WritingServer.run { server in
            let device = try await server.device()
            try await device.mail.sync()
            try await server.receiver.behave(data: reply)
            let draft = try await device.mail.send(device.mail.draft("Hello"))
            try await server.settle(device)
            let state = try #require(try await device.mail.draft(id: draft.id)?.state)
            #expect(state.name == (reply.hasPrefix("4") ? "waiting" : "refused"))
            #expect(try await server.receiver.mails().isEmpty)
            await device.end()
        }
    }
}
