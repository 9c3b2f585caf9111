import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxModel
import InboxTesting
import Logging
import RecordedLogs
import Testing

/// What an app's logger receives.
@Suite(.timeLimit(.minutes(5))) struct LogTests {
    private let server = ScriptedServer(person: "alice-secret")
    private let log = RecordedLog()

    private func device(
        directory: URL? = nil,
        token: @escaping @Sendable () async throws -> String = { "token-secret" },
        isLive: Bool = false
    ) async throws -> Device {
        let url = try #require(URL(string: "https://secret.example"))
        return try await Device(server, at: url, directory: directory, tokens: Tokens(next: token)) { [log] in
            $0.logger = log.logger
            $0.isLive = isLive
        }
    }

    @Test func `a round is logged with its number, and a failed one with its kind and retry`() async throws {
        let phone = try await device()
        try await phone.inbox.sync()
        #expect(log.messages.filter { $0.hasPrefix("sync round") } == ["sync round began", "sync round succeeded"])
        #expect(log.entries.last { $0.message == "sync round succeeded" }?.metadata["round"] == "1")
        phone.transport.fail(with: .status(503, retryAfter: 120))
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        let failed = try #require(log.entries.last { $0.message == "sync round failed" })
        #expect(failed.level == .info)
        #expect(failed.metadata["error"] == "status")
        #expect(failed.metadata["status"] == "503")
        #expect(failed.metadata["retryIn"] == "120.0")
    }

    @Test func `a rejected token is a warning, and each request for another is logged`() async throws {
        let phone = try await device(isLive: true)
        #expect(try await eventually { phone.inbox.connectionState == .polling })
        phone.transport.fail(with: .tokenRefused(.expired))
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        let failed = try #require(log.entries.last { $0.message == "sync round failed" })
        #expect(failed.level == .warning)
        #expect(failed.metadata["error"] == "unauthorized (expired)")
        #expect(
            try await eventually {
                phone.clock.advance(by: 10)
                return log.messages.contains("token requested after a rejection")
            }
        )
        #expect(log.entries.contains { $0.message == "connection changed" && $0.metadata["state"] == "unauthorized" })
        await phone.inbox.close()
    }

    @Test func `a refused change is a warning with its type, property and error`() async throws {
        server.deliver(.at(0, "a-secret"))
        let phone = try await device()
        try await phone.inbox.sync()
        server.refuse("a-secret", with: ScriptedError("forbidden", "a secret reason"))
        try await phone.inbox.archive("a-secret")
        try await phone.inbox.sync()
        let refused = try #require(log.entries.first { $0.message == "pending write refused" })
        #expect(refused.level == .warning)
        #expect(
            refused.metadata == [
                "domain": "primary", "type": "InboxMessage", "property": "archivedAt", "error": "forbidden",
            ]
        )
    }

    @Test func `a repaired store is a warning`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("inbox-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let phone = try await device(directory: folder)
        await phone.inbox.close()
        #expect(!log.messages.contains("damaged store rebuilt"))
        try damage(folder)
        let again = try await device(directory: folder)
        #expect(again.inbox.repair != nil)
        let repaired = try #require(log.entries.first { $0.message == "damaged store rebuilt" })
        #expect(repaired.level == .warning)
        #expect(repaired.metadata["carriedOver"] == "0")
    }

    @Test func `no entry has a text, a person, a token, an id or an address in it`() async throws {
        struct Secret: Error, CustomStringConvertible { let description = "a secret of the app" }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("inbox-secret-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        server.deliver(Message(id: "a-secret", title: "secret", body: "secret", deliverAt: ManualClock().now))
        let requestCount = Locked(0)
        let phone = try await device(directory: folder) {
            if requestCount.withLock({
                $0 += 1; return $0
            }) > 1 {
                throw Secret()
            }
            return "token-secret"
        }
        try await phone.inbox.sync()
        server.refuse("a-secret", with: ScriptedError("a secret, of the server", "secret"))
        try await phone.inbox.markRead("a-secret")
        try await phone.inbox.sync()
        server.failSets(with: ScriptedError("secret method error: text", "secret"))
        try await phone.inbox.archive("a-secret")
        for fault in [
            nil, .unreachable, .timedOut, .answerLost, .invalidAnswer, .tokenRefused(.expired), .status(500),
        ] as [ScriptedTransport.Fault?] {
            phone.transport.fail(with: fault)
            _ = try? await phone.inbox.sync()
        }
        await phone.inbox.close()
        try damage(folder)
        _ = try await device(directory: folder)
        #expect(log.messages.contains("damaged store rebuilt"))
        #expect(log.messages.filter { $0 == "sync round failed" }.count >= 5)
        let lines = log.entries.map { "\($0.message) \($0.metadata)" }
        #expect(lines.filter { $0.contains("secret") } == [])
    }

    /// Overwrites the pages of the one database in a folder.
    private func damage(_ folder: URL) throws {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let databases = (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "sqlite" }
        let file = try #require(databases.first)
        let handle = try FileHandle(forWritingTo: file)
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: Data(repeating: 0x55, count: 8_192))
        try handle.close()
    }
}
