import Eventually
import Foundation
import InboxClient
import InboxTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ReceivingTests {
    let server = ScriptedServer(person: "alice")

    private func push(_ id: String = "m", title: String = "Pushed") -> Data {
        Data(#"{"aps":{"alert":{"title":"\#(title)","body":"Text"}},"inbox":{"id":"\#(id)","person":"alice"}}"#.utf8)
    }

    @Test func `a push is in the inbox at once, offline, with its counts`() async throws {
        let phone = try await Device(server)
        phone.disconnect()
        let message = try #require(try await phone.inbox.receive(push: push()))
        #expect(message.title == "Pushed" && message.body == "Text" && message.deliverAt == phone.clock.now)
        #expect(try await phone.ids() == ["m"])
        #expect(try await phone.inbox.counts().unread == 1)
        #expect(try await phone.inbox.markRead("m"))
    }

    @Test func `a push is shown to observers, also after another process received it`() async throws {
        let app = try await Device(server) { $0.isLive = true }
        let ext = try await Device(server, directory: app.directory)
        var snapshots = app.inbox.observe().makeAsyncIterator()
        #expect(try await snapshots.next()?.items.isEmpty == true)
        try await ext.inbox.receive(push: push())
        await ext.inbox.close()
        let time = advancing(app.clock)
        defer { time.cancel() }
        #expect(try await snapshots.next()?.items.map(\.id) == ["m"])
    }

    @Test func `a server's message replaces the push and keeps the person's changes`() async throws {
        let phone = try await Device(server)
        try await phone.inbox.sync()
        try await phone.inbox.receive(push: push())
        try await phone.inbox.markRead("m")
        server.deliver(Message(id: "m", title: "Sent", deliverAt: phone.clock.now))
        try await phone.inbox.sync()
        #expect(try await phone.inbox.message(id: "m")?.title == "Sent")
        #expect(try await phone.inbox.message(id: "m")?.isUnread == false)
        #expect(server.messages.first?.isUnread == false)
        phone.clock.advance(by: 30 * 86_400)
        #expect(try await phone.ids() == ["m"], "it is no longer provisional")
    }

    @Test func `a provisional message expires by the device's clock, and counts follow`() async throws {
        let phone = try await Device(server)
        try await phone.inbox.sync()
        try await phone.inbox.receive(push: push("week"))
        try await phone.inbox.receive(push: push("hour"), keepFor: 3_600)
        phone.clock.advance(by: 3_600)
        #expect(try await phone.ids() == ["week"])
        #expect(try await phone.inbox.counts().total == 1)
        phone.clock.advance(by: 7 * 86_400 - 3_601)
        #expect(try await phone.ids() == ["week"])
        phone.clock.advance(by: 1)
        #expect(try await phone.ids() == [])
        #expect(try await phone.inbox.counts().total == 0)
    }

    @Test func `observers see a provisional message expire without a sync`() async throws {
        let phone = try await Device(server)
        try await phone.inbox.receive(push: push(), keepFor: 60)
        var snapshots = phone.inbox.observe().makeAsyncIterator()
        #expect(try await snapshots.next()?.items.count == 1)
        let time = advancing(phone.clock)
        defer { time.cancel() }
        #expect(try await snapshots.next()?.items.isEmpty == true)
    }

    @Test func `a message expires in time by a clock that was set back`() async throws {
        let phone = try await Device(server)
        try await phone.inbox.receive(push: push(), keepFor: 60)
        var snapshots = phone.inbox.observe().makeAsyncIterator()
        #expect(try await snapshots.next()?.items.count == 1)
        #expect(try await eventually { phone.clock.sleeperCount > 0 })
        phone.clock.advance(by: -30)
        let time = advancing(phone.clock)
        defer { time.cancel() }
        #expect(try await snapshots.next()?.items.isEmpty == true)
    }

    /// Advances the clock by a second repeatedly until it is cancelled, since observers begin to wait at different
    /// times.
    private func advancing(_ clock: ManualClock) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                clock.advance(by: 1)
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    @Test func `a full sync removes provisional messages that the server lacks`() async throws {
        let phone = try await Device(server)
        try await phone.inbox.sync()
        try await phone.inbox.receive(push: push("foreign"))
        try await phone.inbox.receive(push: push("real"))
        try await phone.inbox.sync()
        #expect(try await phone.ids().sorted() == ["foreign", "real"], "a sync without changes of them keeps them")
        server.deliver(Message(id: "real", title: "Sent", deliverAt: phone.clock.now))
        server.forgetChanges()
        try await phone.inbox.sync()
        #expect(try await phone.ids() == ["real"])
    }

    @Test func `a push of a known message changes nothing, and deleted messages stay deleted`() async throws {
        server.deliver(.at(0, "m"), .at(-1, "gone"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        try await phone.inbox.delete("m")
        #expect(try await phone.inbox.receive(push: push("m")) == nil)
        #expect(try await phone.ids() == ["gone"])
        server.recall("gone")
        try await phone.inbox.sync()
        #expect(try await phone.inbox.receive(push: push("gone")) == nil)
        #expect(try await phone.ids() == [])
        #expect(try await phone.ids(.deleted) == ["m"])
    }

    /// A new device doesn't fetch the content of deleted messages, but knows their ids.
    @Test func `a push of a message deleted on another device is never shown`() async throws {
        server.deliver(.at(0, "m"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        try await phone.inbox.delete("m")
        try await phone.inbox.sync()
        let tablet = try await Device(server)
        try await tablet.inbox.sync()
        #expect(try await tablet.inbox.receive(push: push("m")) == nil)
        try await tablet.inbox.receive(push: push("early"))
        for _ in 0..<2 {
            #expect(try await tablet.ids() == ["early"])
            #expect(try await tablet.inbox.message(id: "m") == nil)
            try await tablet.inbox.sync()
        }
        #expect(try await tablet.inbox.undelete("m"))
        try await tablet.inbox.sync()
        #expect(try await tablet.inbox.message(id: "m")?.title != "Pushed")
        #expect(try await tablet.inbox.counts().total == 2)
    }

    @Test func `the same push twice is one message`() async throws {
        let phone = try await Device(server)
        #expect(try await phone.inbox.receive(push: push()) != nil)
        #expect(try await phone.inbox.receive(push: push(title: "Again")) == nil)
        #expect(try await phone.inbox.message(id: "m")?.title == "Pushed")
    }

    @Test func `a notification's dictionary is accepted, without the person's properties`() async throws {
        let phone = try await Device(server)
        let message = try await phone.inbox.receive(push: [
            "aps": ["alert": "Only text"],
            "inbox": ["id": "m", "person": "alice", "surface": "news", "readAt": "2026-01-01T00:00:00Z"],
        ])
        #expect(message?.body == "Only text" && message?.surface == "news")
        #expect(message?.isUnread == true, "a push can't set the person's properties")
    }

    @Test func `an expired push isn't shown`() async throws {
        let phone = try await Device(server)
        let push = Data(#"{"inbox":{"id":"m","person":"alice","title":"t","expiresAt":"2000-01-01T00:00:00Z"}}"#.utf8)
        #expect(try await phone.inbox.receive(push: push) == nil)
        #expect(try await phone.ids(.active) == [])
    }

    @Test(arguments: [
        ("", "JSON"), ("[]", "inbox"), (#"{"inbox":1}"#, "inbox"), (#"{"inbox":{}}"#, "inbox.id"),
        (#"{"inbox":{"id":"a b"}}"#, "inbox.id"), (#"{"inbox":{"id":1}}"#, "inbox.id"),
        (#"{"inbox":{"id":""}}"#, "inbox.id"),
        ("{\"inbox\":{\"id\":\"m\"", "JSON"), ("{\"inbox\":{\"id\":\"m\",\"title\":\"\u{FFFF}", "JSON"),
    ])
    func `an invalid push is a typed error that names its part`(push: String, part: String) async throws {
        let phone = try await Device(server)
        let error = try await #require(throws: InboxError.self) {
            try await phone.inbox.receive(push: Data(push.utf8))
        }
        #expect(error.code == .invalidArgument)
        #expect(error.description.contains(part))
        #expect(try await phone.ids(.active) == [])
    }

    @Test(
        arguments: [
            (#"{"inbox":{"id":"m","person":"bob"}}"#, .otherPerson),
            (#"{"inbox":{"id":"m","person":""}}"#, .otherPerson),
            (#"{"inbox":{"id":"m","person":"e\u0301"}}"#, .otherPerson),
            (#"{"inbox":{"id":"m","person":1}}"#, .invalidArgument),
            (#"{"inbox":{"id":"m","person":null}}"#, .invalidArgument),
        ] as [(String, InboxError.Code)]
    )
    func `a push for another person is refused`(push: String, code: InboxError.Code) async throws {
        let phone = try await Device(ScriptedServer(person: "\u{E9}"))
        let error = try await #require(throws: InboxError.self) {
            try await phone.inbox.receive(push: Data(push.utf8))
        }
        #expect(error.code == code)
        #expect(try await phone.ids(.active) == [])
    }

    @Test func `a push without a person is refused unless the app accepts it`() async throws {
        let push = Data(#"{"inbox":{"id":"m","title":"t"}}"#.utf8)
        let phone = try await Device(server)
        let error = try await #require(throws: InboxError.self) { try await phone.inbox.receive(push: push) }
        #expect(error.code == .noPerson && error.description.contains("inbox.person"))
        #expect(try await phone.ids(.active) == [])
        let lenient = try await Device(server) { $0.acceptsPushesWithoutPerson = true }
        #expect(try await lenient.inbox.receive(push: push) != nil)
        let foreign = Data(#"{"inbox":{"id":"n","title":"t","person":"bob"}}"#.utf8)
        let refused = try await #require(throws: InboxError.self) { try await lenient.inbox.receive(push: foreign) }
        #expect(refused.code == .otherPerson)
    }

    @Test func `a push is stored without the person's id`() async throws {
        let phone = try await Device(server)
        let push = Data(#"{"inbox":{"id":"m","title":"t","person":"alice"}}"#.utf8)
        #expect(try await phone.inbox.receive(push: push) != nil)
        await phone.inbox.close()
        let files = try FileManager.default.contentsOfDirectory(at: phone.directory, includingPropertiesForKeys: nil)
        let stored = try Data(contentsOf: try #require(files.first { $0.pathExtension == "sqlite" }))
        #expect(stored.range(of: Data(#""title""#.utf8)) != nil)
        #expect(stored.range(of: Data(#""person""#.utf8)) == nil)
    }

    @Test(arguments: [0, -1, .infinity, .nan] as [TimeInterval])
    func `an invalid keepFor is a typed error`(lifetime: TimeInterval) async throws {
        let phone = try await Device(server)
        let error = try await #require(throws: InboxError.self) {
            try await phone.inbox.receive(push: push(), keepFor: lifetime)
        }
        #expect(error.code == .invalidArgument)
    }
}
