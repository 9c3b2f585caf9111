import Foundation
import Groundwork
import InboxTesting
import Screens
import StandardMailServer

@testable import InboxMail
@testable import Replica

/// A device of Alice's for tests of screens of mail, with a manual clock, a mail server in memory, and a network that a
/// test can cut.
@MainActor
final class MailDevice {
    let clock: ManualClock
    let server: StandardMailServer
    let transport: ScriptedTransport
    let mail: Mail
    private let directory = FileManager.default.temporaryDirectory.appending(path: "mail-device-\(UUID())")

    /// - Parameters:
    ///   - scope: The part of the mail that the device keeps.
    ///   - other: Another device of the same person, with the same server.
    ///   - inbox: The device of whose inbox the mail shares the file and the clock; nil for a file of its own.
    ///   - clock: The clock; nil for one of its own, or of the other device.
    ///   - configure: Changes the configuration.
    init(
        scope: MailScope = .everything,
        beside other: MailDevice? = nil,
        in inbox: ScreenDevice? = nil,
        clock: ManualClock? = nil,
        _ configure: (inout MailConfiguration) -> Void = { _ in }
    ) async throws {
        let clock = clock ?? other?.clock ?? inbox?.clock ?? ManualClock()
        let server = other?.server ?? StandardMailServer(clock: clock)
        (self.clock, self.server) = (clock, server)
        transport = ScriptedTransport { request in server.answer(request) }
        var configuration = MailConfiguration()
        configuration.isLive = false
        configuration.sharesEngine = false
        configuration.transport = transport
        configuration.clock = clock
        configure(&configuration)
        let (url, credentials) = (
            StandardMailServer.url, MailCredentials.basic(user: StandardMailServer.user) { "secret" }
        )
        if let inbox = inbox?.inbox {
            mail = try await Mail.open(
                server: url,
                credentials: credentials,
                in: inbox,
                scope: scope,
                configuration: configuration
            )
        } else {
            mail = try await Mail.open(
                server: url,
                credentials: credentials,
                directory: directory,
                scope: scope,
                configuration: configuration
            )
        }
        answerDownloads()
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// The name and address of the person.
    static let alice = EmailAddress(name: "Alice", email: StandardMailServer.user)
    /// Others.
    static let ada = EmailAddress(name: "Ada Lovelace", email: "ada@example.org")
    static let bob = EmailAddress(name: "Bob", email: "bob@example.org")

    /// The server receives a mail, a minute after the one before.
    func deliver(
        _ subject: String,
        from author: EmailAddress = ada,
        to recipients: [EmailAddress] = [alice],
        text: String = "Hello",
        html: String? = nil,
        id: String? = nil,
        answering other: String? = nil,
        keywords: [String] = [],
        in mailbox: String = "inbox",
        files: [(name: String, type: String, bytes: [UInt8])] = []
    ) {
        clock.advance(by: 60)
        let body: JSON = ["partId": "body", "type": html == nil ? "text/plain" : "text/html"]
        let attached: [JSON] = files.map { file in
            [
                "blobId": .string(server.keep(file.bytes)), "type": .string(file.type), "name": .string(file.name),
                "disposition": "attachment",
            ]
        }
        func ids(_ id: String?) -> JSON { id.map { [.string("\($0)@example.org")] } ?? .null }
        func flags(_ names: [String]) -> JSON { .object(JSONObject(names.map { ($0, .bool(true)) })) }
        server.deliver([
            "subject": .string(subject), "from": [author.json], "to": .array(recipients.map(\.json)),
            "messageId": ids(id), "inReplyTo": ids(other), "mailboxIds": flags([mailbox]), "keywords": flags(keywords),
            "bodyStructure": ["type": "multipart/mixed", "subParts": .array([body] + attached)],
            "bodyValues": ["body": ["value": .string(html ?? text)]],
        ])
    }

    /// Stores threads of one mail each, as if a server had sent them: `t1` is the newest. The device is offline then.
    ///
    /// - Parameters:
    ///   - count: The number of threads.
    ///   - isUnread: Whether the mail of a number is unread.
    func store(_ count: Int, isUnread: (Int) -> Bool = { _ in true }) async throws {
        disconnect()
        let boxes = ["inbox", "archive", "trash"].map { role in
            ["id": .string(role), "name": .string(role), "role": .string(role)] as JSON
        }
        let mails = (1...count).map { number in
            let keywords = isUnread(number) ? [] : ["$seen"]
            let date = clock.now.addingTimeInterval(-60 * Double(number))
            return [
                "id": .string("m\(number)"), "threadId": .string("t\(number)"), "subject": .string("Mail \(number)"),
                "preview": "Hello", "receivedAt": .string(RFC3339.string(from: date)), "size": 100,
                "mailboxIds": ["inbox": true], "from": [Self.ada.json], "to": [Self.alice.json],
                "keywords": .object(JSONObject(keywords.map { ($0, .bool(true)) })), "hasAttachment": false,
            ] as JSON
        }
        try await mail.store.write { writer in
            _ = try writer.apply(.mailbox, boxes.map { try JSONText(checking: $0.utf8) })
            _ = try writer.apply(.email, mails.map { try JSONText(checking: $0.utf8) })
        }
    }

    /// The id of the thread with a subject.
    func thread(_ subject: String) async throws -> String {
        let found = try await mail.threads(Query(where: #Predicate { $0.subject == subject }))
        return found.first?.id ?? "no thread '\(subject)'"
    }

    /// Each mail's keywords and mailboxes, by its id.
    func marks() async throws -> [String: [Set<String>]] {
        Dictionary(uniqueKeysWithValues: try await mail.messages().map { ($0.id, [$0.keywords, $0.mailboxIDs]) })
    }

    /// The server deletes a mailbox's mails, as another client would.
    func empty(_ mailbox: String) { server.empty(mailbox) }

    /// Answers downloads in two pieces.
    ///
    /// - Parameter gate: Where the second one waits; nil for nowhere.
    func answerDownloads(at gate: Gate? = nil) {
        transport.answerStreams { [server] request in
            guard request.url.path.hasPrefix("/download/") else {
                return TransportStream(status: 404, body: AsyncThrowingStream { $0.finish() })
            }
            let answer = server.answer(request)
            let half = answer.body.count / 2
            let body = AsyncThrowingStream<[UInt8], any Error> { stream in
                stream.yield(Array(answer.body[..<half]))
                Task {
                    await gate?.wait()
                    stream.yield(Array(answer.body[half...]))
                    stream.finish()
                }
            }
            return TransportStream(status: answer.status, headers: answer.headers, body: body)
        }
    }

    func disconnect() { transport.fail(with: .unreachable) }

    func reconnect() { transport.fail(with: nil) }
}
