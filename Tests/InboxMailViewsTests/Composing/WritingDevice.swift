import Eventually
import Foundation
import Groundwork
import InboxMail
import Replica
import ReplicaTesting
import Screens
import StandardMailServer

/// A device of a person who writes mail, with a server in memory, a manual clock, and a network that a test can cut.
@MainActor
final class WritingDevice {
    let server: StandardMailServer
    let clock: ManualClock
    let transport: ScriptedTransport
    let mail: Mail
    let directory: URL
    /// Whether writes fail because the disk is full.
    let disk = Disk()
    private let isOwner: Bool

    /// Whether there is space.
    final class Disk: Sendable {
        private let full = Locked(false)

        var isFull: Bool {
            get { full.withLock { $0 } }
            set { full.withLock { $0 = newValue } }
        }
    }

    /// - Parameters:
    ///   - other: Another device of the person, with whose server and clock this one works; nil for new ones.
    ///   - sharesStore: Whether it is a process of the other one's device.
    init(
        besides other: WritingDevice? = nil,
        sharesStore: Bool = false,
        configure: (inout MailConfiguration) -> Void = { _ in }
    ) async throws {
        let clock = other?.clock ?? ManualClock()
        let server = other?.server ?? StandardMailServer(clock: clock)
        (self.clock, self.server, isOwner) = (clock, server, !sharesStore)
        let own = FileManager.default.temporaryDirectory.appending(path: "writing-\(UUID())")
        directory = sharesStore ? other?.directory ?? own : own
        transport = ScriptedTransport { request in server.answer(request) }
        var configuration = MailConfiguration()
        configuration.isLive = false
        configuration.sharesEngine = false
        configuration.transport = transport
        configuration.clock = clock
        configuration.writeHook = { [disk] moment in
            if moment == .commits, disk.isFull { throw MailError(.diskFull, "no space") }
        }
        configure(&configuration)
        mail = try await Mail.open(
            server: StandardMailServer.url,
            credentials: .basic(user: StandardMailServer.user) { "secret" },
            directory: directory,
            configuration: configuration
        )
        if !sharesStore { try await mail.sync() }
    }

    deinit {
        if isOwner { try? FileManager.default.removeItem(at: directory) }
    }

    /// Advances the clock beyond the waits of drafts, and syncs.
    func settle(_ seconds: Double = 6) async throws {
        clock.advance(by: seconds)
        try await mail.sync()
    }

    func disconnect() { transport.answer { _ in throw TransportError.unreachable("no network") } }

    func reconnect() {
        let server = server
        transport.answer { server.answer($0) }
    }

    /// Lets the server refuse recipients.
    func refuse(_ addresses: String...) {
        server.behave { behaviour in
            behaviour.refusal = { recipients in
                let refused = recipients.filter(addresses.contains)
                return refused.isEmpty ? nil : ["type": "invalidRecipients", "invalidRecipients": JSON(refused)]
            }
        }
    }

    /// Lets the server die after it has created the next mail, so that it isn't known whether it was sent.
    func loseNextMail() async throws {
        let server = server
        transport.answer { request in
            let text = String(decoding: request.body ?? [], as: UTF8.self)
            if text.contains("EmailSubmission/set") { server.behave { $0.dies = 1 } }
            return server.answer(request)
        }
        _ = try? await settle()
        for _ in 0..<8 { _ = try? await settle(60) }
        reconnect()
    }

    /// A mail that arrives, and its id.
    func receive(_ subject: String, from: String = "anna@example.com", html: String? = nil) async throws -> String {
        let body: JSON =
            html == nil
            ? ["partId": "1", "type": "text/plain"]
            : [
                "type": "multipart/alternative",
                "subParts": [["partId": "1", "type": "text/plain"], ["partId": "2", "type": "text/html"]],
            ]
        server.deliver([
            "mailboxIds": ["inbox": true], "keywords": .object(JSONObject()), "subject": .string(subject),
            "from": [["name": "Anna", "email": .string(from)]],
            "to": [["name": "Alice", "email": .string(StandardMailServer.user)]],
            "messageId": [.string("\(UUID())@example.com")], "bodyStructure": body,
            "bodyValues": ["1": ["value": "Lunch?"], "2": ["value": .string(html ?? "")]],
        ])
        try await mail.sync()
        let found = try await mail.messages(Query(where: #Predicate { $0.subject == subject }))
        guard let id = found.first?.id else { throw Unexpected("the mail hasn't arrived") }
        return id
    }

    /// A new draft to Bob.
    func draft(_ text: String, to email: String = "bob@example.org", subject: String = "Hello") -> MailDraft {
        var draft = mail.newDraft()
        draft.to = [EmailAddress(name: "Bob", email: email)]
        (draft.subject, draft.text) = (subject, text)
        return draft
    }

    func stored(_ id: String) async throws -> MailDraft? { try await mail.draft(id: id) }
}

/// Waits until a condition is met, while the clock moves if it has to.
@MainActor
func until(_ what: String, _ condition: () async throws -> Bool) async throws {
    guard try await eventually(condition) else { throw Unexpected("\(what) was expected") }
}
