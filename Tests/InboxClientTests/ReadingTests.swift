import Coverage
import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ReadingTests {
    let server = ScriptedServer(person: "alice")

    @Test func `an inbox opens without a network, and cached queries succeed`() async throws {
        let device = try await Device(server)
        device.disconnect()
        #expect(try await device.inbox.messages() == [])
        #expect(try await device.inbox.counts() == MessageCounts(isExact: false))
        #expect(try await device.inbox.message(id: "m1") == nil)
        let error = try await #require(throws: InboxError.self) { _ = try await device.inbox.fetchMessages() }
        #expect(error.code == .notConnected)
    }

    @Test func `another system's id finds its newest message, and SQLite leaves others out`() async throws {
        func message(_ number: Double, _ data: [String: String]) -> Message {
            Message(
                id: "m\(Int(number))",
                title: "T",
                deliverAt: device0.addingTimeInterval(number - 10),
                additionalData: data
            )
        }
        server.deliver(
            message(1, ["id": "a"]),
            message(2, ["id": "a"]),
            message(3, ["id": "b\"\\"]),
            message(4, ["id": "caf\u{E9}"]),
            message(5, ["other": "a"]),
            message(6, [:])
        )
        let device = try await Device(server)
        try await device.inbox.sync()
        func found(_ ids: String...) async throws -> [String] {
            try await device.inbox.ids(ids, orInAdditionalData: "id")
        }
        #expect(try await found("a", "m1", "never", "b\"\\") == ["m2", "m1", "never", "m3"])
        // The same letters in other bytes.
        #expect(try await found("cafe\u{301}", "") == ["m4", ""])
        try await device.inbox.delete("m2")
        #expect(try await found("a") == ["m1"])
        let possible = try await device.inbox.idsPossibly(inAdditionalData: "id", of: ["a", "x"])
        #expect(possible.sorted() == ["m1", "m2", "m4"])
    }

    @Test func `a fetch returns the newest delivery first, ties by id`() async throws {
        server.deliver(.at(-10, "old"), .at(0, "a"), .at(0, "b"), .at(-5, "middle"))
        let device = try await Device(server)
        #expect(try await device.inbox.fetchMessages().map(\.id) == ["b", "a", "middle", "old"])
        #expect(try await device.inbox.messages(limit: 2, offset: 1).map(\.id) == ["a", "middle"])
        #expect(try await device.inbox.counts() == MessageCounts(total: 4, unread: 4, unseen: 4))
    }

    @Test func `a message survives the round trip with all its properties`() async throws {
        let sent = Message(
            id: "m1",
            surface: "offers",
            title: "Títle \u{1F4E6}",
            body: "line\nbreak \"quoted\"",
            html: "<p>hi</p>",
            media: Media(url: "https://cdn.example/a.png", darkURL: "https://cdn.example/b.png", alt: "A parcel"),
            actions: [MessageAction(id: "go", text: "Go", link: "app://go", actionType: .other("new"))],
            templateID: "t",
            category: "c",
            groupKey: "g",
            priority: -3,
            isPinned: true,
            deliverAt: Date(timeIntervalSince1970: 1_777_593_600.123),
            expiresAt: device0.addingTimeInterval(86_400),
            consentCategory: "ads",
            additionalData: ["k": "v"],
            campaignID: "camp",
            seenAt: device0
        )
        server.deliver(sent)
        let device = try await Device(server)
        try await device.inbox.sync()
        #expect(try await device.inbox.message(id: "m1") == sent)
    }

    private var device0: Date { ManualClock().now }

    @Test(.rulesOut(.airshipIOS63)) func `filters and counts agree`() async throws {
        let clock = ManualClock()
        server.deliver(.at(-1, "a"), .at(-2, "b"), .at(-3, "c"), .at(-4, "d"), .at(-5, "e"), .at(-6, "f"))
        let device = try await Device(server, clock: clock)
        try await device.inbox.sync()
        try await device.inbox.markRead("a")
        try await device.inbox.archive("b")
        try await device.inbox.snooze(["c"], until: clock.after(60))
        try await device.inbox.delete("d")
        try await device.inbox.markSeen(["e"])
        #expect(try await device.ids() == ["a", "e", "f"])
        #expect(try await device.ids(.unread) == ["e", "f"])
        #expect(try await device.ids(.read) == ["a"])
        #expect(try await device.ids(.archived) == ["b"])
        #expect(try await device.ids(.snoozed) == ["c"])
        #expect(try await device.ids(.active) == ["a", "b", "c", "e", "f"])
        #expect(try await device.ids(.deleted) == ["d"])
        #expect(
            try await device.inbox.counts() == MessageCounts(total: 3, unread: 2, unseen: 1, snoozed: 1, archived: 1)
        )
        #expect(try await device.inbox.message(id: "d") == nil)
        #expect(try await device.inbox.message(id: "b")?.archivedAt != nil)
    }

    @Test func `a surface is found by any Unicode form of its name`() async throws {
        server.deliver(Message(id: "a", surface: "Cafe\u{301}", deliverAt: ManualClock().now))
        let device = try await Device(server)
        try await device.inbox.sync()
        for name in ["Café", "Cafe\u{301}"] {
            #expect(try await device.inbox.messages(surface: name).map(\.id) == ["a"])
            #expect(try await device.inbox.counts(surface: name).total == 1)
        }
    }

    @Test func `each surface has its own list and counts`() async throws {
        var offer = Message.at(0, "offer")
        offer.surface = "offers"
        server.deliver(offer, .at(-1, "news"))
        let device = try await Device(server)
        try await device.inbox.sync()
        #expect(try await device.inbox.messages(surface: "offers").map(\.id) == ["offer"])
        #expect(try await device.inbox.counts(surface: "offers").total == 1)
        #expect(try await device.inbox.counts(surface: "nowhere") == MessageCounts())
        #expect(try await device.inbox.counts().total == 2)
    }

    @Test func `marking all of a surface read leaves other surfaces unread`() async throws {
        for (id, surface) in [("offer1", "offers"), ("offer2", "offers"), ("news", "inbox")] {
            var message = Message.at(0, id)
            message.surface = surface
            server.deliver(message)
        }
        let device = try await Device(server)
        try await device.inbox.sync()
        #expect(Set(try await device.inbox.markAllRead(surface: "offers")) == ["offer1", "offer2"])
        #expect(try await device.ids(.unread) == ["news"])
        #expect(try await device.inbox.counts(surface: "offers").unread == 0)
        #expect(try await device.inbox.counts(surface: "inbox").unread == 1)
        try await device.inbox.sync()
        #expect(server.messages.filter(\.isUnread).map(\.id) == ["news"])
        #expect(try await device.inbox.markAllRead() == ["news"])
    }

    @Test(.rulesOut(.airshipIOS63, .novu7689))
    func `expired messages disappear and snoozed ones return by the device's clock`() async throws {
        let clock = ManualClock()
        server.deliver(.at(-1, "expires", expiresAt: clock.after(30)), .at(-2, "sleeps"))
        let device = try await Device(server, clock: clock)
        try await device.inbox.sync()
        try await device.inbox.snooze(["sleeps"], until: clock.after(60))
        device.disconnect()
        #expect(try await device.ids() == ["expires"])
        clock.advance(by: 30)
        #expect(try await device.ids() == [])
        #expect(try await device.inbox.message(id: "expires") == nil)
        #expect(try await device.inbox.counts() == MessageCounts(snoozed: 1))
        clock.advance(by: 30)
        #expect(try await device.ids() == ["sleeps"])
        #expect(try await device.inbox.counts() == MessageCounts(total: 1, unread: 1, unseen: 1))
    }

    @Test func `an observer receives the current list, then each change, also those by time`() async throws {
        let clock = ManualClock()
        server.deliver(.at(-1, "a", expiresAt: clock.after(30)), .at(-2, "b"))
        let device = try await Device(server, clock: clock)
        var snapshots = device.inbox.observe().makeAsyncIterator()
        #expect(
            try await snapshots.next()
                == InboxSnapshot(counts: MessageCounts(isExact: false), isComplete: false, hasSynced: false)
        )
        try await device.inbox.sync()
        #expect(try await snapshots.next()?.items.map(\.id) == ["a", "b"])
        try await device.inbox.markRead("b")
        let read = try #require(await snapshots.next())
        #expect(read.counts.unread == 1)
        #expect(read.pendingWrites == 1)
        #expect(try await eventually { clock.sleeperCount > 0 })
        clock.advance(by: 30)
        #expect(try await snapshots.next()?.items.map(\.id) == ["b"])
        await device.inbox.close()
        #expect(try await snapshots.next() == nil)
    }

    @Test func `a snapshot states whether the device has synced, also after clearing`() async throws {
        let device = try await Device(server)
        var snapshots = device.inbox.observe().makeAsyncIterator()
        let empty = InboxSnapshot(counts: MessageCounts(isExact: false), isComplete: false, hasSynced: false)
        #expect(try await snapshots.next() == empty)
        // Everything arrives but the messages.
        device.transport.answer { [server] request in
            let calls = String(decoding: request.body ?? [], as: UTF8.self)
            guard !calls.contains("InboxMessage/") else { throw TransportError.unreachable("no network") }
            return server.answer(request)
        }
        await #expect(throws: InboxError.self) { try await device.inbox.sync() }
        var others = device.inbox.observe().makeAsyncIterator()
        #expect(try await others.next()?.hasSynced == false)
        device.reconnect()
        try await device.inbox.sync()
        #expect(try await snapshots.next() == InboxSnapshot(hasSynced: true), "an inbox that is known to be empty")
        await device.inbox.close()
        let again = try await Device(server, clock: device.clock, directory: device.directory)
        snapshots = again.inbox.observe().makeAsyncIterator()
        #expect(try await snapshots.next()?.hasSynced == true)
        try await again.inbox.clearAll()
        #expect(try await snapshots.next()?.hasSynced == false)
        try await again.inbox.sync()
        #expect(try await snapshots.next()?.hasSynced == true)
    }

    @Test func `actions accept one id or many`() async throws {
        server.deliver(.at(-1, "a"))
        let device = try await Device(server)
        try await device.inbox.sync()
        let (inbox, later) = (device.inbox, device.clock.after(60))
        let actions: [(String, () async throws -> Bool)] = [
            ("seen", { try await inbox.markSeen("a") }),
            ("archived", { try await inbox.archive("a") }), ("unarchived", { try await inbox.unarchive("a") }),
            ("snoozed", { try await inbox.snooze("a", until: later) }),
            ("unsnoozed", { try await inbox.unsnooze("a") }),
            ("deleted", { try await inbox.delete("a") }), ("undeleted", { try await inbox.undelete("a") }),
            ("dismissed", { try await inbox.dismiss("a") }),
        ]
        for (name, act) in actions {
            #expect(try await act(), "\(name)")
            #expect(try await !act(), "\(name) again")
        }
        try await inbox.undelete("a")
        #expect(try await inbox.click(["a", "missing"]) == ["a"])
        #expect(try await inbox.message(id: "a")?.isUnread == false)
        #expect(try await !inbox.markSeen("missing"))
    }

    /// The parts of a longer key path have their names where modules describe them alike, else their types.
    @Test func `an unsupported sort is named by its property or its type`() async throws {
        let device = try await Device(server)
        let sorts: [(SortDescriptor<Message>, String)] = [
            (SortDescriptor(\.templateID, comparator: .lexical), "a sort by templateID;"),
            (SortDescriptor(\.title.count), "a sort by title[.](count|[(]a computed Int[)]);"),
            (SortDescriptor(\.status.rawValue, comparator: .lexical), "a sort by .*(status|MessageStatus).*;"),
            (SortDescriptor(\.actions.count), "a sort by .*(actions|Array<MessageAction>).*;"),
        ]
        for (sort, pattern) in sorts {
            let error = await #expect(throws: InboxError.self) {
                try await device.inbox.fetch(Query<Message>(sort: [sort]))
            }
            #expect(error?.code == .invalidArgument)
            let text = error?.description ?? ""
            #expect(text.range(of: pattern, options: .regularExpression) != nil, "\(text)")
            #expect(!text.contains("0x"), "\(text)")
        }
    }

    @Test func `a closed inbox throws closed`() async throws {
        let device = try await Device(server)
        await device.inbox.close()
        for call in [
            { _ = try await device.inbox.messages() }, { try await device.inbox.sync() },
            { try await device.inbox.markRead("m") },
        ] {
            let error = await #expect(throws: InboxError.self) { try await call() }
            #expect(error?.code == .closed)
        }
        #expect(device.inbox.connectionState == .closed)
    }

    @Test(arguments: ["", String(repeating: "é", count: 129)])
    func `a person id of the wrong length is refused`(person: String) async throws {
        let error = await #expect(throws: InboxError.self) {
            _ = try await Inbox.open(
                server: URL(string: "https://inbox.example")!,
                person: person,
                directory: FileManager.default.temporaryDirectory
            ) { "" }
        }
        #expect(error?.code == .invalidArgument)
    }

    @Test func `a folder that can't be created is a storage error`() async throws {
        let error = await #expect(throws: InboxError.self) {
            _ = try await Inbox.open(
                server: URL(string: "https://inbox.example")!,
                person: "alice",
                directory: URL(fileURLWithPath: "/dev/null/inbox")
            ) { "" }
        }
        #expect(error?.code == .storage)
    }

    @Test(.rulesOut(.brazeSwift193, .cleverTapIOS355)) @MainActor
    func `the main actor stays free while the inbox works`() async throws {
        server.deliver(.at(0, "a"))
        let device = try await Device(server)
        let (inMain, sent) = AsyncStream.makeStream(of: Bool.self)
        device.transport.answer { [server] request in
            // The main actor can run this although it awaits the call below.
            sent.yield(await MainActor.run { true })
            return server.answer(request)
        }
        _ = try await device.inbox.fetchMessages()
        var iterator = inMain.makeAsyncIterator()
        #expect(await iterator.next() == true)
    }
}
