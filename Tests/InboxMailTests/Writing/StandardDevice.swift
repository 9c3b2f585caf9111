import Foundation
import Groundwork
import InboxMail
import ReplicaTesting
import StandardMailServer
import Testing

/// A device of a person whose mail is on a ``StandardMailServer``, over a transport that fails as set.
final class StandardDevice: Sendable {
    let mail: Mail
    let transport: ScriptedTransport
    let directory: URL
    let clock: ManualClock

    init(
        _ server: StandardMailServer,
        clock: ManualClock,
        directory: URL? = nil,
        scope: MailScope = .everything,
        configure: (inout MailConfiguration) -> Void = { _ in }
    ) async throws {
        self.clock = clock
        self.directory =
            directory ?? FileManager.default.temporaryDirectory.appendingPathComponent("standard-\(UUID())")
        transport = ScriptedTransport { request in server.answer(request) }
        var configuration = MailConfiguration()
        configuration.isLive = false
        configuration.sharesEngine = false
        configuration.transport = transport
        configuration.clock = clock
        configure(&configuration)
        mail = try await Mail.open(
            server: StandardMailServer.url,
            credentials: .basic(user: StandardMailServer.user) { "secret" },
            directory: self.directory,
            scope: scope,
            configuration: configuration
        )
    }

    /// Runs a test with a server and a device that has synced.
    static func run(
        scope: MailScope = .everything,
        configure: (inout MailConfiguration) -> Void = { _ in },
        isolation: isolated (any Actor)? = #isolation,
        _ body: (StandardMailServer, StandardDevice) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        let device = try await StandardDevice(server, clock: clock, scope: scope, configure: configure)
        defer { try? FileManager.default.removeItem(at: device.directory) }
        try await device.mail.sync()
        try await body(server, device)
        await device.mail.close()
    }

    /// Opens another device of the person, which has synced. Its folder is in this one's, and is removed with it.
    func anotherDevice(
        at server: StandardMailServer,
        configure: (inout MailConfiguration) -> Void = { _ in }
    ) async throws -> StandardDevice {
        let folder = directory.appendingPathComponent("another-\(UUID())")
        let device = try await StandardDevice(server, clock: clock, directory: folder, configure: configure)
        try await device.mail.sync()
        return device
    }

    /// Advances the clock beyond the waits of drafts, and syncs.
    func settle(_ seconds: Double = 6) async throws {
        clock.advance(by: seconds)
        try await mail.sync()
    }

    /// The requests that create mails.
    var creations: Int {
        transport.requests.count { request in
            let text = String(decoding: request.body ?? [], as: UTF8.self)
            return text.contains("\"Email/set\"") && text.contains("\"create\":{")
        }
    }

    /// The uploads of files.
    var uploads: Int { transport.requests.count { $0.url.path.hasPrefix("/upload/") } }

    /// Lets the server carry out each request, and loses the answers to those to send.
    func loseAnswersToSending(by server: StandardMailServer) {
        transport.answer { request in
            let answer = server.answer(request)
            if request.isSending { throw TransportError.unreachable("the answer was lost") }
            return answer
        }
    }

    /// Expects that a mail to Bob with a blind copy to Eve was sent once, and that the sender's copy alone names her.
    func expectSentOnce(
        by server: StandardMailServer,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let recipients = server.deliveries.map(\.recipient).sorted()
        #expect(recipients == ["bob@example.org", "eve@example.org"], sourceLocation: sourceLocation)
        let showsBcc = server.deliveries.contains { $0.showsBcc }
        #expect(!showsBcc, sourceLocation: sourceLocation)
        let sent = server.mails(in: "sent")
        #expect(sent.map { $0["bcc"]?.arrayValue?.count } == [1], sourceLocation: sourceLocation)
        #expect(server.mails(in: "drafts").isEmpty, sourceLocation: sourceLocation)
        #expect(try await mail.drafts().isEmpty, sourceLocation: sourceLocation)
    }

    func draft(_ id: String) async throws -> MailDraft? { try await mail.draft(id: id) }

    /// Saves a draft, and then two texts of windows that both began with it.
    func write(_ one: String, then other: String) async throws -> MailDraft {
        let draft = try await mail.save(mail.draft("First"))
        for text in [one, other] {
            var changed = draft
            changed.text = text
            try await mail.save(changed)
        }
        return draft
    }
}

extension Mail {
    /// Returns a new draft to Bob.
    func draft(_ text: String, subject: String = "Hello") -> MailDraft {
        var draft = newDraft()
        draft.to = [EmailAddress(name: "Bob", email: "bob@example.org")]
        (draft.subject, draft.text) = (subject, text)
        return draft
    }
}

extension StandardMailServer {
    /// Receives a mail that isn't about any draft.
    func receive(_ text: String = "other", in mailbox: String = "inbox") {
        deliver([
            "mailboxIds": .object(JSONObject([(mailbox, true)])), "messageId": [.string("\(text)@example.org")],
            "bodyStructure": ["partId": "1", "type": "text/plain"], "bodyValues": ["1": ["value": .string(text)]],
        ])
    }
}

extension TransportRequest {
    /// Returns a request that doesn't find a draft's mails if it searches for them.
    func hiding(_ draft: MailDraft) -> TransportRequest {
        guard has("Message-ID") else { return self }
        var request = self
        request.body = Array(String(decoding: body ?? [], as: UTF8.self).replacing(draft.id, with: "nothing").utf8)
        return request
    }

    /// Whether the body has a text.
    func has(_ text: String) -> Bool { String(decoding: body ?? [], as: UTF8.self).contains(text) }

    /// Whether it asks the server to send a mail, to hold it, or not to send it.
    var isSending: Bool { has("EmailSubmission/set") }
}
