import Foundation
import GRDB
import Groundwork
import InboxModel
import InboxTesting
import JMAP
import Testing

@testable import InboxClient
@testable import Replica

/// Stores of earlier versions open without losing data.
///
/// A file in `Fixtures` is made once, by its version, and never again: with the variable
/// `SWIFT_INBOX_MAKE_FIXTURE=Tests/InboxClientTests/Fixtures/NAME.sqlite` for `swift test --filter
/// InboxClientTests.FixtureTests`.
@Suite(.timeLimit(.minutes(5))) struct FixtureTests {
    /// The versions, newest last.
    private static let versions = [
        "first", "third", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    ]

    @Test(arguments: versions)
    func `a store of an earlier version opens with all its data and syncs`(version: String) async throws {
        let server = Self.server()
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("fixture-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Self.fixture(version), to: Self.file(in: directory))
        let phone = try await Device(server, directory: directory)

        #expect(try await phone.ids() == ["arabic", "parcel", "read", "welcome"])
        #expect(try await phone.ids(.archived) == ["archived"])
        #expect(try await phone.ids(.snoozed) == ["snoozed"])
        #expect(try await phone.ids(.deleted) == ["deleted"])
        let counts = try await phone.inbox.counts()
        // Earlier versions counted stored messages only.
        let isExact = !["first", "third", "fifth"].contains(version)
        #expect(counts == MessageCounts(total: 4, unread: 3, unseen: 3, snoozed: 1, archived: 1, isExact: isExact))
        let parcel = try #require(try await phone.inbox.message(id: "parcel"))
        #expect(parcel == Self.messages.first { $0.id == "parcel" })
        #expect(parcel.actions.first?.link == "https://parcels.example/track/7")
        #expect(try await phone.inbox.message(id: "arabic")?.title == "طلبك في الطريق")
        let status = try await phone.inbox.status()
        #expect(status.pendingWrites == 4)
        #expect(status.unreadableRecords == 1)
        #expect(status.state != nil)
        let sealed = try #require(try await phone.inbox.store.read { db in try db.sealedWrites(.message) })
        #expect(sealed.key.epoch == Self.epoch)
        #expect(sealed.entries.map { "\($0.id)/\($0.path)" } == ["read/readAt", "read/seenAt", "archived/archivedAt"])

        // Earlier versions stored no pictures.
        let pictures = try await phone.inbox.store.read { db in
            try db.storedPictures([Self.picture], of: .message, id: "welcome", at: 0).pictures
        }
        #expect(pictures == (["ninth", "tenth", "eleventh"].contains(version) ? [Self.picture: Self.bytes] : [:]))

        // The batch in flight is repeated under its own key, and later writes follow.
        try await phone.inbox.sync()
        #expect(try await phone.inbox.status().pendingWrites == 0)
        let sent = phone.transport.requests.compactMap { request in
            request.body.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(sent.first { $0.contains("InboxMessage/set") }?.contains(Self.epoch) == true)
        #expect(server.messages.first { $0.id == "archived" }?.archivedAt != nil)
        #expect(server.messages.first { $0.id == "welcome" }?.readAt == nil)
        #expect(server.messages.first { $0.id == "snoozed" }?.snoozedUntil != nil)
        // Features of later versions work, too.
        #expect(try await phone.inbox.settings(surface: "inbox")?.title == "News")
    }

    @Test func `the current tables have a fixture`() async throws {
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("fixture-\(UUID()).sqlite")
        defer { try? FileManager.default.removeItem(at: copy) }
        try FileManager.default.copyItem(at: Self.fixture(try #require(Self.versions.last)), to: copy)
        try await DatabaseQueue(path: copy.path).read { db in
            #expect(
                try Schema.isCurrent(db, RecordType.inbox),
                "make a fixture of this version, and add its name above"
            )
            let version = try Int.fetchOne(db, sql: "SELECT version FROM store")
            #expect(version == Schema.version)
        }
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["SWIFT_INBOX_MAKE_FIXTURE"] != nil))
    func `make a fixture`() async throws {
        let target = try #require(ProcessInfo.processInfo.environment["SWIFT_INBOX_MAKE_FIXTURE"])
        let phone = try await Device(Self.server()) { $0.random = RandomSource { 7 } }
        phone.transport.answer { [server = phone.server] request in
            var answer = server.answer(request)
            let text = String(decoding: answer.body, as: UTF8.self)
            answer.body = Array(text.replacing(#""list":[{"#, with: #""list":[{"id":"strange","deliverAt":7},{"#).utf8)
            return answer
        }
        try await phone.inbox.sync()
        phone.reconnect()
        try await phone.inbox.delete("deleted")
        try await phone.inbox.sync()
        try await phone.inbox.store.write { writer in
            let outcome = PictureFetcher.Outcome.picture(.gif, [UInt8](Self.bytes))
            try writer.store([Self.picture: outcome], of: .message, id: "welcome")
        }
        // In flight without an answer: sealed.
        try await phone.inbox.markRead("read")
        try await phone.inbox.archive("archived")
        phone.disconnect()
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        // Not in flight: unsealed, one of them over a sealed one.
        try await phone.inbox.snooze(["snoozed"], until: phone.clock.after(86_400))
        try await phone.inbox.markUnread("read")
        try await phone.inbox.markRead("read")
        try await phone.inbox.markUnread("welcome")
        await phone.inbox.close()
        try FileManager.default.copyItem(at: Self.file(in: phone.directory), to: URL(fileURLWithPath: target))
    }

    private static func fixture(_ version: String) throws -> URL {
        try #require(Bundle.module.url(forResource: version, withExtension: "sqlite", subdirectory: "Fixtures"))
    }

    private static let picture = "https://cdn.example.com/a.gif"
    private static let bytes = Data("GIF89a".utf8)
    private static let epoch = "77777777777777777777"

    private static func file(in directory: URL) -> URL {
        StoreLocation(directory: directory, server: URL(string: "https://inbox.example")!, person: "alice").file
    }

    private static func server() -> ScriptedServer {
        let server = ScriptedServer(person: "alice")
        for message in messages { server.deliver(message) }
        server.setSettings(InboxSettings(title: "News"), surface: "inbox")
        return server
    }

    private static let messages: [Message] = {
        func at(_ seconds: Double) -> Date { ManualClock().now.addingTimeInterval(seconds) }
        return [
            Message(
                id: "parcel",
                title: "Your parcel is on its way",
                body: "It arrives tomorrow between 9 and 12.",
                html: "<p>It arrives <b>tomorrow</b>.</p>",
                actions: [
                    MessageAction(id: "track", text: "Track", link: "https://parcels.example/track/7")
                ],
                category: "orders",
                groupKey: "parcel-7",
                priority: 3,
                deliverAt: at(-60),
                expiresAt: at(30 * 86_400),
                additionalData: ["order": "7"]
            ),
            Message(id: "arabic", title: "طلبك في الطريق", body: "سيصل غدًا.", deliverAt: at(-30)),
            Message(id: "read", title: "Café ouvert", deliverAt: at(-90)),
            Message(id: "welcome", title: "Welcome", isPinned: true, deliverAt: at(-120), readAt: at(-100)),
            Message(id: "archived", title: "Last week", deliverAt: at(-500)),
            Message(id: "snoozed", surface: "offers", title: "Later", deliverAt: at(-600)),
            Message(id: "deleted", title: "Gone", deliverAt: at(-700)),
            Message(id: "expired", title: "Too late", deliverAt: at(-800), expiresAt: at(-1)),
        ]
    }()
}
