import Coverage
import Foundation
import Groundwork
import InboxClient
import InboxModel
import InboxTesting
import RunningServer
import Testing
import ZetaCompatibility

/// The statements of Zeta's document about the store on the device, against a server.
@Suite(.timeLimit(.minutes(10))) struct ZetaStoreTests {
    private typealias Phone = any ZTAppInboxManagable

    /// A phone of Alice's, or the same one after a restart.
    private func phone(
        _ server: RunningServer,
        _ transport: TestTransport = TestTransport(),
        name: String = "phone",
        person: String? = "alice",
        clock: any WallClock = SystemClock()
    ) throws -> Phone {
        var configuration = InboxConfiguration()
        configuration.isLive = false
        configuration.transport = transport
        configuration.clock = clock
        let client = ZetaClient()
        client.initialize(
            config: ZTConfig(
                server: server.url,
                directory: server.folder.appending(path: name),
                person: person,
                configuration: configuration
            ) {
                try await server.token(of: $0)
            }
        )
        return try #require(client.inbox)
    }

    // MARK: - Fetching

    @Test(.shows(.z08, .z09)) func `messages are in the order of delivery, not of sending`() async throws {
        let clock = ManualClock()
        try await RunningServer.run(clock: clock) { server in
            let later: JSON = ["title": "Later", "deliverAt": JSON(clock.now.addingTimeInterval(60))]
            let second = try await server.send(to: "alice", later)
            let first = try await server.send(to: "alice", ["title": "Now"])
            let phone = try phone(server, clock: clock)
            #expect(try await phone.fetchMessages().map(\.id) == [first])
            clock.advance(by: 60)
            var ids: [String] = []
            for _ in 0..<500 where ids.count < 2 {
                ids = try await phone.fetchMessages().map(\.id)
                try await Task.sleep(for: .milliseconds(2))
            }
            #expect(ids == [second, first])
        }
    }

    @Test(.shows(.z10, .z11, .z12))
    func `a new device gets the newest 50, keeps 200 active ones and drops the oldest`() async throws {
        let clock = ManualClock()
        try await RunningServer.run(clock: clock) { server in
            var ids = try await server.send(0..<60, to: "alice")
            let phone = try phone(server, clock: clock)
            #expect(try await phone.fetchMessages().map(\.id) == ids.suffix(50).reversed())
            ids += try await server.send(60..<208, to: "alice")
            let expiry: JSON = ["title": "Soon over", "expiresAt": JSON(clock.now.addingTimeInterval(60))]
            let expiring = [
                try await server.send(to: "alice", expiry), try await server.send(to: "alice", expiry),
            ]
            #expect(try await phone.fetchMessages().map(\.id) == (ids.suffix(198) + expiring).reversed())
            // Three deleted and two expired messages make room for five.
            try await phone.markAllMessagesAsDeleted(ids: Array(ids.suffix(3)))
            clock.advance(by: 60)
            #expect(try await phone.getMessageCount() == 195)
            let more = try await server.send(210..<215, to: "alice")
            let kept = ids.dropLast(3).suffix(195) + more
            #expect(try await phone.fetchMessages().map(\.id) == kept.reversed())
            // The next ones replace the oldest.
            let last = try await server.send(215..<218, to: "alice")
            #expect(try await phone.fetchMessages().map(\.id) == (kept.dropFirst(3) + last).reversed())
            #expect(try await phone.getMessageCount() == 200)
        }
    }

    // MARK: - Stored on the device

    @Test(.shows(.z13, .z14, .z15, .z16, .z17)) func `after a fetch, every query is answered offline`() async throws {
        try await RunningServer.run { server in
            let ids = try await server.send(0..<3, to: "alice")
            let transport = TestTransport()
            let phone = try phone(server, transport)
            _ = try await phone.fetchMessages()
            try await phone.markMessageAsRead(messageId: ids[1])
            let asked = transport.requests.count
            transport.isDisconnected = true
            #expect(try await phone.getUnreadMessages().map(\.id) == [ids[2], ids[0]])
            #expect(try await phone.getReadMessages().map(\.id) == [ids[1]])
            #expect(try await phone.getMessageCount() == 3)
            #expect(try await phone.getUnreadMessageCount() == 2)
            #expect(try await phone.getReadMessageCount() == 1)
            #expect(try await phone.getMessage(for: ids[0])?.title == "0")
            #expect(transport.requests.count == asked)
            let error = await #expect(throws: InboxError.self) { try await phone.fetchMessages() }
            #expect(error?.code == .notConnected)
        }
    }

    @Test(.shows(.z01, .z31, .z35, .z52))
    func `reading offline is stored at once, survives a restart and reaches the server`() async throws {
        try await RunningServer.run { server in
            let ids = try await server.send(0..<3, to: "alice")
            let transport = TestTransport()
            do {
                let phone = try phone(server, transport)
                _ = try await phone.fetchMessages()
                transport.isDisconnected = true
                let sent = transport.requests.count
                try await phone.markMessageAsRead(messageId: ids[0])
                #expect(try await phone.getMessage(for: ids[0])?.status == .read)
                #expect(transport.requests.count == sent)
            }
            let started = try phone(server, transport)
            #expect(try await started.getUnreadMessageCount() == 2, "the badge before any fetch")
            #expect(try await started.getMessage(for: ids[0])?.status == .read)
            transport.isDisconnected = false
            #expect(try await started.fetchMessages().count == 3)
            let tablet = try phone(server, name: "tablet")
            _ = try await tablet.fetchMessages()
            #expect(try await tablet.getReadMessages().map(\.id) == [ids[0]])
        }
    }

    @Test(.shows(.z32, .z33, .z37)) func `no query returns a deleted message, and no fetch restores it`() async throws {
        try await RunningServer.run { server in
            let ids = try await server.send(0..<3, to: "alice")
            let transport = TestTransport()
            let phone = try phone(server, transport)
            _ = try await phone.fetchMessages()
            transport.isDisconnected = true
            try await phone.markMessageAsDeleted(messageId: ids[2])
            try await phone.markMessageAsRead(messageId: ids[1])
            transport.isDisconnected = false
            let left = [ids[1], ids[0]]
            for start in 0..<2 {
                let phone = start == 0 ? phone : try self.phone(server, transport)
                // The sender replaces all of them.
                for id in ids { _ = try await server.rest("PUT", "v1/messages/\(id)", ["message": ["title": "New"]]) }
                #expect(try await phone.fetchMessages().map(\.id) == left)
                #expect(try await phone.getUnreadMessages().map(\.id) == [ids[0]])
                #expect(try await phone.getReadMessages().map(\.id) == [ids[1]])
                #expect(try await phone.getMessage(for: ids[2]) == nil)
                #expect(try await phone.getMessageCount() == 2)
                #expect(try await phone.fetchMessages().map(\.id) == left)
            }
            #expect(try await self.phone(server, name: "tablet").fetchMessages().map(\.id) == left)
        }
    }

    @Test(.shows(.z23, .z29)) func `an expired message disappears by the device's clock, offline too`() async throws {
        let clock = ManualClock()
        try await RunningServer.run(clock: clock) { server in
            let soon: JSON = ["title": "Soon over", "expiresAt": JSON(clock.now.addingTimeInterval(60))]
            let id = try await server.send(to: "alice", soon)
            let stays = try await server.send(to: "alice", ["title": "Stays"])
            let transport = TestTransport()
            let phone = try phone(server, transport, clock: clock)
            #expect(try await phone.fetchMessages().map(\.id) == [stays, id])
            let expiry = try #require(try await phone.getMessage(for: id)?.expirationTimestamp?.doubleValue)
            #expect(Date(timeIntervalSince1970: expiry / 1_000) == clock.now.addingTimeInterval(60))
            transport.isDisconnected = true
            clock.advance(by: 60)
            #expect(try await phone.getMessage(for: id) == nil)
            #expect(try await phone.getUnreadMessages().map(\.id) == [stays])
            #expect(try await phone.getMessageCount() == 1)
        }
    }

    @Test(.shows(.z30, .z39, .z40))
    func `clearing everything works offline, and the next fetch restores it`() async throws {
        try await RunningServer.run { server in
            let ids = try await server.send(0..<3, to: "alice")
            let transport = TestTransport()
            let phone = try phone(server, transport)
            #expect(try await phone.fetchMessages().allSatisfy { $0.status == .unread })
            transport.isDisconnected = true
            try await phone.clearAll()
            #expect(try await phone.getMessageCount() == 0)
            #expect(try await phone.getUnreadMessages().isEmpty)
            #expect(try await phone.getMessage(for: ids[0]) == nil)
            transport.isDisconnected = false
            #expect(try await phone.fetchMessages().map(\.id) == ids.reversed())
        }
    }

    @Test(.shows(.z51)) func `a list and its unread count agree, from the start and offline`() async throws {
        try await RunningServer.run { server in
            let ids = try await server.send(0..<5, to: "alice")
            let transport = TestTransport()
            func check(_ phone: Phone, unread: Int, fetches: Bool = true) async throws {
                let messages = try await fetches ? phone.fetchMessages() : phone.getUnreadMessages()
                #expect(messages.count { $0.status != .read } == unread)
                #expect(try await phone.getUnreadMessageCount() == unread)
            }
            do {
                let phone = try phone(server, transport)
                try await check(phone, unread: 5)
                try await phone.markMessageAsRead(messageId: ids[0])
                try await phone.markMessageAsDeleted(messageId: ids[1])
                try await check(phone, unread: 3)
            }
            // Another device reads one, which the next fetch brings together with the count.
            let tablet = try phone(server, name: "tablet")
            _ = try await tablet.fetchMessages()
            try await tablet.markMessageAsRead(messageId: ids[2])
            _ = try await tablet.fetchMessages()
            let started = try phone(server, transport)
            try await check(started, unread: 3, fetches: false)
            try await check(started, unread: 2)
            transport.isDisconnected = true
            try await check(started, unread: 2, fetches: false)
        }
    }

    // MARK: - Buttons and failures

    @Test(.shows(.z24, .z41, .z45, .z46))
    func `buttons keep their order and lead to the target of their hint`() async throws {
        try await RunningServer.run { server in
            let (web, deep) = ("https://example.com/a", "myapp://orders/7")
            let actions: JSON = [
                ["text": "In the app", "link": .string(web), "actionType": "webBrowser"],
                ["text": "Outside", "link": .string(web), "actionType": "externalBrowser"],
                ["text": "Deep", "link": .string(deep)], ["text": "Nowhere", "value": "v"],
            ]
            _ = try await server.send(to: "alice", ["title": "T", "actions": actions])
            let buttons = try #require(try await phone(server).fetchMessages().first?.actionList)
            #expect(buttons.map(\.text) == ["In the app", "Outside", "Deep", "Nowhere"])
            let (page, order) = (try #require(URL(string: web)), try #require(URL(string: deep)))
            #expect(
                buttons.map { LinkDestination($0.link, as: .init(rawValue: $0.actionType)) }
                    == [.inApp(page), .systemBrowser(page), .app(order), .noLink]
            )
        }
    }

    @Test(.shows(.z03)) func `every call throws when no person is identified`() async throws {
        try await RunningServer.run { server in
            let phone = try phone(server, person: nil)
            for call: () async throws -> Void in [
                { _ = try await phone.fetchMessages() }, { _ = try await phone.getUnreadMessages() },
                { _ = try await phone.getReadMessages() }, { _ = try await phone.getMessageCount() },
                { _ = try await phone.getUnreadMessageCount() }, { _ = try await phone.getReadMessageCount() },
                { _ = try await phone.getMessage(for: "m") }, { try await phone.markMessageAsRead(messageId: "m") },
                { try await phone.markAllMessagesAsRead(ids: ["m"]) },
                { try await phone.markMessageAsDeleted(messageId: "m") },
                { try await phone.markAllMessagesAsDeleted(ids: ["m"]) }, { try await phone.clearAll() },
                { try await phone.onMessageClicked(messageId: "m", actionValue: "v") },
            ] {
                let error = await #expect(throws: InboxError.self) { try await call() }
                #expect(error?.code == .notIdentified)
            }
        }
    }
}
