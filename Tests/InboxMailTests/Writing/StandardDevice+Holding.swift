import Eventually
import Foundation
import Groundwork
import InboxMail
import ReplicaTesting
import StandardMailServer
import Testing

/// Mails for later that the server holds.
extension StandardDevice {
    /// Runs a test with a server that holds mails for up to a day, and a device that has verified it.
    static func runHolding(
        verifies: Bool = true,
        makeServer: (ManualClock) -> StandardMailServer = { StandardMailServer(clock: $0) },
        isolation: isolated (any Actor)? = #isolation,
        behave: @Sendable (inout StandardMailServer.Behaviour) -> Void = { _ in },
        _ body: (StandardMailServer, StandardDevice) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let server = makeServer(clock)
        server.behave { $0.maxDelayedSend = 86_400 }
        server.behave(behave)
        let device = try await StandardDevice(server, clock: clock)
        defer { try? FileManager.default.removeItem(at: device.directory) }
        try await device.mail.sync()
        if verifies {
            let check = try await device.verify()
            #expect(check.isVerified && check.longest == 86_400, "\(check)")
        }
        try await body(server, device)
        await device.mail.close()
    }

    /// Verifies the server, while the clock goes on.
    func verify() async throws -> HeldSendingCheck {
        let hasEnded = Locked(false)
        let check = Task { [mail] () async throws -> HeldSendingCheck in
            defer { hasEnded.withLock { $0 = true } }
            return try await mail.verifyHeldSending(after: 10)
        }
        _ = try await eventually {
            if clock.sleeperCount > 0 { clock.advance(by: 2) }
            return hasEnded.withLock { $0 }
        }
        return try await check.value
    }

    /// Orders a mail for an hour from now, and lets the server have it.
    func hold(_ text: String) async throws -> MailDraft { try await hold(mail.draft(text)) }

    /// Orders a draft for an hour from now, and lets the server have it.
    func hold(_ draft: MailDraft) async throws -> MailDraft {
        let time = clock.now.addingTimeInterval(3_600)
        let draft = try await mail.send(draft, later: time)
        #expect(draft.holder == .device && draft.state == .waiting(until: time))
        try await settle()
        let held = try #require(try await self.draft(draft.id))
        #expect(held.holder == .server && held.state == .waiting(until: time) && !held.isEditable)
        return held
    }
}

extension StandardMailServer {
    /// The texts of the mails to Bob that left the server, sorted.
    var textsToBob: [String] { deliveries.filter { $0.recipient == "bob@example.org" }.map(\.text).sorted() }
}
