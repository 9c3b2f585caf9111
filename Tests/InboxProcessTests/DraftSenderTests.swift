import Foundation
import Groundwork
import InboxMail
import Testing

@testable import inbox

/// What a command says of a draft that another window changes while it is being sent.
@Suite(.timeLimit(.minutes(5))) struct DraftSenderTests {
    /// A transport without a network, which does something at the first request.
    private final class Interruption: Transport {
        private let action = Locked<(@Sendable () async throws -> Void)?>(nil)

        func act(_ body: @escaping @Sendable () async throws -> Void) { action.withLock { $0 = body } }

        func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
            let body = action.withLock { action in
                defer { action = nil }
                return action
            }
            try await body?()
            throw TransportError.unreachable("no network")
        }

        func stream(_ request: TransportRequest) async throws -> TransportStream {
            throw TransportError.unreachable("no network")
        }
    }

    /// Sends a draft, and does something with it meanwhile.
    private func send(_ interruption: @escaping @Sendable (Mail, String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sender-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let transport = Interruption()
        var configuration = MailConfiguration()
        configuration.isLive = false
        configuration.undoSendInterval = 0
        configuration.transport = transport
        configuration.sender = EmailAddress(email: "alice@example.com")
        let mail = try await Mail.open(
            server: try #require(URL(string: "https://mail.example")),
            credentials: .basic(user: "alice") { "" },
            directory: folder,
            configuration: configuration
        )
        var draft = mail.newDraft()
        draft.to = [EmailAddress(email: "bob@example.org")]
        (draft.subject, draft.text) = ("Plans", "Hello")
        draft = try await mail.save(draft)
        transport.act { [id = draft.id] in try await interruption(mail, id) }
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(
                try await DraftSender(mail: mail, offline: false, json: true)
                    .run(.send(later: nil, force: false), draft)
            )
        } catch {
            outcome = .failure(error)
        }
        await mail.close()
        try outcome.get()
    }

    @Test func `a draft that is discarded or taken back meanwhile isn't reported as sent`() async throws {
        try await send { _, _ in }
        let discarded = await #expect(throws: Failure.self) {
            try await send { mail, id in try await mail.discard(id) }
        }
        #expect(discarded?.code == .notSent)
        let revoked = await #expect(throws: Failure.self) {
            try await send { mail, id in _ = try await mail.undoSend(id) }
        }
        #expect(revoked?.code == .notSent)
    }
}
