import Eventually
import Foundation
import Groundwork
import InboxMail
import RunningMailServer
import Testing

/// Mails for later with Cyrus, whose daemon `calalarmd` sends what it holds, with the clock of this machine.
@Suite(.timeLimit(.minutes(10))) struct CyrusHeldSendingTests {
    /// - Parameter isVerified: Whether the server is to be verified.
    private func run(
        sendsHeld: Bool = true,
        deletesOnSend: Bool = false,
        isVerified: Bool = true,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (WritingServer, TestDevice) async throws -> Void
    ) async throws {
        let option = "jmapsubmission_deleteonsend: \(deletesOnSend ? "yes" : "no")"
        try await WritingServer.run(options: [option], sendsHeld: sendsHeld) { server in
            try await server.receiver.deliver(to: ["alice@example.com": "alice"], of: server.server)
            let device = try await server.device { configuration in
                configuration.clock = SystemClock()
                configuration.undoSendInterval = 0
                configuration.heldCheckPatience = sendsHeld ? 120 : 30
            }
            try await device.mail.sync()
            if isVerified {
                let check = try await device.mail.verifyHeldSending(after: 5)
                #expect(check.isVerified, "\(check.reason ?? "")")
            }
            try await body(server, device)
            await device.end()
        }
    }

    /// Orders a mail, and syncs once the server is to have it.
    private func hold(_ subject: String, for seconds: Double, _ device: TestDevice) async throws -> MailDraft {
        var draft = device.mail.newDraft()
        draft.to = [EmailAddress(email: "bob@example.org")]
        (draft.subject, draft.text) = (subject, "Hello")
        draft = try await device.mail.send(draft, later: Date().addingTimeInterval(seconds))
        try await device.mail.sync()
        return try #require(try await device.mail.draft(id: draft.id))
    }

    /// The subjects of the mails to Bob that the receiver has, sorted.
    private func subjects(_ server: WritingServer) async throws -> [String] {
        try await server.receiver.mails().filter { $0.recipients == ["bob@example.org"] }
            .compactMap { $0.header("Subject").first }.sorted()
    }

    @Test(arguments: [true, false])
    func `Cyrus sends what it holds once, and nothing that was taken back`(deletesOnSend: Bool) async throws {
        try await run(deletesOnSend: deletesOnSend) { server, device in
            let back = try await hold("Taken back", for: 40, device)
            let held = try await hold("Held", for: 42, device)
            #expect(back.holder == .server && held.holder == .server)
            #expect(try await server.mails(in: "drafts").isEmpty)
            let draft = try #require(try await device.mail.undoSend(back.id))
            #expect(draft.isEditable && draft.state == .draft)
            #expect(try await subjects(server).isEmpty)
            // Nothing asks for it but the server itself.
            #expect(try await eventually { try await subjects(server) == ["Held"] })
            // It can't be taken back any more, and counts as sent.
            #expect(try await device.mail.undoSend(held.id) == nil)
            guard case .sent = try await device.mail.outcome(ofDraft: held.id) else {
                Issue.record("not sent")
                return
            }
            // The other one is sent by the next order, once.
            try await device.mail.send(try #require(try await device.mail.draft(id: back.id)))
            try await device.mail.sync()
            #expect(try await eventually { try await subjects(server).count == 2 })
            #expect(try await subjects(server) == ["Held", "Taken back"])
            #expect(try await server.deliveries().values.allSatisfy { $0 == 1 })
            #expect(try await server.mails(in: "sent").count == 2)
            #expect(try await server.mails(in: "drafts").isEmpty)
        }
    }

    @Test func `Cyrus sends what it holds after it was killed, and the device finds it sent`() async throws {
        try await run { server, device in
            let held = try await hold("Held", for: 40, device)
            #expect(held.holder == .server)
            try await server.server.kill()
            try await server.server.restart()
            #expect(try await eventually { try await subjects(server) == ["Held"] })
            // Half a minute after its time the device asks.
            #expect(
                try await eventually {
                    try await Task.sleep(for: .seconds(1))
                    try? await device.mail.sync()
                    return try await device.mail.drafts().isEmpty
                }
            )
            #expect(try await server.deliveries().values.allSatisfy { $0 == 1 })
            #expect(try await server.mails(in: "sent").count == 1)
        }
    }

    /// The server accepts such mails all the same, and never sends them. With its daemon it sends them within ten
    /// seconds.
    @Test func `Cyrus without its daemon isn't verified, and the device sends`() async throws {
        try await run(sendsHeld: false, isVerified: false) { server, device in
            let check = try await device.mail.verifyHeldSending(after: 5)
            #expect(!check.isVerified && check.reason?.contains("didn't send it") ?? false, "\(check)")
            let draft = try await hold("Later", for: 16, device)
            #expect(draft.holder == .device)
            #expect(
                try await eventually {
                    try await Task.sleep(for: .seconds(1))
                    try await device.mail.sync()
                    return try await subjects(server) == ["Later"]
                }
            )
            #expect(try await server.mails(in: "sent").count == 1)
        }
    }
}
