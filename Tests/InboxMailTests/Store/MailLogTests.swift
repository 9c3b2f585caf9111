import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxTesting
import JMAP
import Logging
import RecordedLogs
import StandardMailServer
import Testing

@testable import InboxMail

/// What an app's logger receives of a person's mail.
@Suite(.timeLimit(.minutes(5))) struct MailLogTests {
    private let server = MailAccountInMemory()
    private let log = RecordedLog()

    /// Runs a test with mail in an inbox's file, or in its own.
    private func withMail(
        inInbox: Bool = true,
        _ body: (Mail, ScriptedTransport) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("mail-secret-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let transport = server.transport
        var configuration = MailConfiguration()
        (configuration.isLive, configuration.recentBodies) = (false, 0)
        (configuration.clock, configuration.transport, configuration.logger) = (ManualClock(), transport, log.logger)
        let url = try #require(URL(string: "https://mail.secret.example"))
        let credentials = MailCredentials.basic(user: "alice-secret") { "password-secret" }
        guard inInbox else {
            let mail = try await Mail.open(
                server: url,
                credentials: credentials,
                directory: directory,
                configuration: configuration
            )
            try await body(mail, transport)
            await mail.close()
            return
        }
        var inboxConfiguration = InboxConfiguration()
        inboxConfiguration.isLive = false
        inboxConfiguration.clock = ManualClock()
        inboxConfiguration.transport = ScriptedServer(person: "alice-secret").transport
        let inbox = try await Inbox.open(
            server: try #require(URL(string: "https://inbox.secret.example")),
            person: "alice-secret",
            directory: directory,
            configuration: inboxConfiguration
        ) { "token-secret" }
        let mail = try await Mail.open(
            server: url,
            credentials: credentials,
            in: inbox,
            configuration: configuration
        )
        try await body(mail, transport)
        await mail.close()
        await inbox.close()
    }

    @Test func `rounds of mail in an inbox's file are logged with the domain mail`() async throws {
        try await withMail { mail, transport in
            try await mail.sync()
            let rounds = log.entries.filter { $0.message.hasPrefix("sync round") }
            #expect(rounds.map(\.message) == ["sync round began", "sync round succeeded"])
            transport.fail(with: .status(503, retryAfter: 120))
            await #expect(throws: InboxError.self) { try await mail.sync() }
            let failed = try #require(log.entries.last { $0.message == "sync round failed" })
            #expect(failed.level == .info)
            #expect(failed.metadata["status"] == "503" && failed.metadata["retryIn"] == "120.0")
            #expect(!log.entries.isEmpty && log.entries.allSatisfy { $0.metadata["domain"] == "mail" })
        }
    }

    @Test func `mail in a file of its own is logged with the domain primary`() async throws {
        try await withMail(inInbox: false) { mail, _ in
            try await mail.sync()
            #expect(log.messages.contains("sync round succeeded"))
            #expect(log.entries.allSatisfy { $0.metadata["domain"] == "primary" })
        }
    }

    @Test func `a refused change of a mail is a warning with its type, property and error`() async throws {
        server.refuse("mail-secret", with: ScriptedError("forbidden", "a secret reason"))
        try await withMail { mail, _ in
            try await mail.sync()
            try await mail.star(messages: ["mail-secret"])
            try await mail.sync()
            let refused = try #require(log.entries.first { $0.message == "pending write refused" })
            #expect(refused.level == .warning)
            #expect(
                refused.metadata == [
                    "domain": "mail", "type": "Email", "property": "keywords", "error": "forbidden",
                ]
            )
        }
    }

    @Test func `refused drafts, retries and sent mails are logged without texts`() async throws {
        try await StandardDevice.run { configuration in
            configuration.logger = log.logger
        } _: { server, device in
            server.behave { $0.refusal = { _ in ["type": "forbiddenToSend", "description": "secret"] } }
            var draft = try await device.mail.send(device.mail.draft("secret subject"))
            try await device.settle()
            let refused = try #require(log.entries.last { $0.message == "mail refused" })
            #expect(refused.level == .warning && refused.metadata == ["domain": "primary", "refusal": "forbidden"])

            server.behave { $0.refusal = { _ in nil } }
            device.transport.answer { request in
                let isSending = String(decoding: request.body ?? [], as: UTF8.self).contains("EmailSubmission/set")
                guard isSending else { return server.answer(request) }
                let error = #"{"methodResponses":[["error",{"type":"serverFail","description":"secret"},"0"]]}"#
                return TransportResponse(status: 200, body: Array(error.utf8), url: request.url)
            }
            draft = try #require(try await device.mail.draft(id: draft.id))
            try await device.mail.send(draft)
            try await device.settle()
            let retried = try #require(log.entries.last { $0.message == "draft will be retried" })
            #expect(retried.level == .info && retried.metadata["failures"] == "1")

            device.transport.answer { server.answer($0) }
            try await device.settle(120)
            #expect(server.deliveries.count == 1)
            #expect(log.messages.count { $0 == "mail sent" } == 1)
        }
        #expect(log.lines.filter { $0.contains("secret") || $0.contains("example") } == [])
    }

    @Test func `a draft and an outbox that wait are logged with the time of the next attempt`() async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        let device = try await StandardDevice(server, clock: clock) { configuration in
            (configuration.isLive, configuration.undoSendInterval) = (true, 0)
            configuration.logger = log.logger
        }
        defer { try? FileManager.default.removeItem(at: device.directory) }
        #expect(try await eventually { device.mail.connectionState.isReachable })
        try await device.mail.sync()
        let isUnreachable = Locked(false)
        device.transport.answer { request in
            let text = String(decoding: request.body ?? [], as: UTF8.self)
            guard text.contains("Message-ID") || isUnreachable.withLock({ $0 }) else { return server.answer(request) }
            if isUnreachable.withLock({ $0 }) { throw TransportError.unreachable("secret") }
            return TransportResponse(status: 503, url: request.url)
        }
        try await device.mail.send(device.mail.draft("secret subject"))
        #expect(try await eventually { log.messages.contains("draft will be retried") })
        let retried = try #require(log.entries.first { $0.message == "draft will be retried" })
        #expect(retried.level == .info && retried.metadata["status"] == "503" && retried.metadata["retryIn"] != nil)
        #expect(!log.messages.contains("outbox failed"))
        isUnreachable.withLock { $0 = true }
        try await device.mail.send(device.mail.draft("secret subject"))
        #expect(try await eventually { log.messages.contains("outbox failed") })
        let failed = try #require(log.entries.first { $0.message == "outbox failed" })
        #expect(failed.level == .info && failed.metadata["retryIn"] != nil)
        await device.mail.close()
    }

    @Test func `no entry has a text, a user, a password, an id or an address in it`() async throws {
        server.refuse("mail-secret", with: ScriptedError("a secret, of the server", "secret"))
        try await withMail { mail, transport in
            try await mail.sync()
            #expect(try await mail.messages().map(\.subject) == ["secret subject"])
            try await mail.star(messages: ["mail-secret"])
            try await mail.sync()
            server.failSets(with: ScriptedError("secret method error: text", "secret"))
            try await mail.markRead(messages: ["mail-secret"])
            for fault in [
                nil, .unreachable, .timedOut, .answerLost, .invalidAnswer, .tokenRefused(.expired), .status(500),
            ] as [ScriptedTransport.Fault?] {
                transport.fail(with: fault)
                _ = try? await mail.sync()
            }
        }
        #expect(log.messages.contains("pending write refused"))
        #expect(log.messages.filter { $0 == "sync round failed" }.count >= 5)
        #expect(log.lines.filter { $0.contains("secret") } == [])
    }
}

/// A mail server in memory, with one mail in one mailbox.
private final class MailAccountInMemory: Sendable {
    private struct State {
        let account = ScriptedAccount(capabilities: ["urn:ietf:params:jmap:mail"])
        var types = ["Mailbox": ScriptedRecords(), "Email": ScriptedRecords()]

        mutating func answer(_ method: String, _ arguments: JSON) throws(MethodError) -> JSON {
            let parts = method.split(separator: "/").map(String.init)
            guard parts.count == 2, var records = types[parts[0]] else { throw .unknownMethod }
            switch parts[1] {
            case "get": return try records.get(arguments)
            case "changes": return try records.changes(arguments)
            case "query": return try records.query(arguments)
            case "set":
                let answer = try records.set(arguments, limit: account.core.maxObjectsInSet)
                types[parts[0]] = records
                return answer
            default: throw .unknownMethod
            }
        }
    }

    // Guarded by the lock: tests change records during requests.
    private let state = Locked(State())

    init() {
        state.withLock { state in
            state.types["Mailbox"]?.put(
                "box-secret",
                ["id": "box-secret", "name": "secret box", "role": "inbox"]
            )
            state.types["Email"]?.put(
                "mail-secret",
                [
                    "id": "mail-secret", "threadId": "thread-secret", "mailboxIds": ["box-secret": true],
                    "keywords": [:], "subject": "secret subject", "preview": "secret",
                    "receivedAt": "2026-05-01T08:00:00Z", "from": [["email": "from@secret.example"]],
                ]
            )
        }
    }

    func refuse(_ id: String, with error: ScriptedError) {
        state.withLock { $0.types["Email"]?.refusals[id] = error.setError }
    }

    func failSets(with error: ScriptedError) {
        state.withLock { $0.types["Email"]?.setFailure = error.methodError }
    }

    var transport: ScriptedTransport {
        ScriptedTransport { [self] request in
            state.withLock { state in
                let account = state.account
                return account.answer(request, of: "alice-secret") { (method, arguments) throws(MethodError) in
                    try state.answer(method, arguments)
                }
            }
        }
    }
}
