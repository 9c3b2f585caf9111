import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxModel
import Testing

/// Two devices with windows of different sizes have the same counts, whatever part of the inbox they hold.
@Suite(.timeLimit(.minutes(5))) struct WholeInboxTests {
    private func inbox(
        _ server: TestServer,
        in folder: URL,
        isLive: Bool = false,
        configure: (inout InboxConfiguration) -> Void = { _ in }
    ) async throws -> Inbox {
        var configuration = InboxConfiguration()
        configuration.isLive = isLive
        configuration.trackingConsent = .off
        configure(&configuration)
        return try await Inbox.open(
            server: server.url,
            person: "ann",
            directory: folder,
            configuration: configuration
        ) { try await server.token(for: "ann") }
    }

    private func send(_ count: Int, to server: TestServer, from start: Int = 0) async throws {
        let messages = (start..<start + count).map { number -> JSON in
            let message: JSON = [
                "title": .string("Number \(number)"), "category": .string(number % 3 == 0 ? "third" : "other"),
                "surface": .string(number % 2 == 0 ? "inbox" : "news"), "pinned": .bool(number == 0),
            ]
            return ["to": ["person": "ann"], "message": message]
        }
        #expect(try await server.rest("POST", "/v1/messages", .array(messages)).status == 201)
    }

    /// The trial of November 2026: 301 messages, a device that existed before them, and a new one.
    @Test func `two devices of an inbox of 301 have equal counts, also offline and all read`() async throws {
        try await withFolder { folder in
            try await withServer { server in
                let phone = try await inbox(server, in: folder.appending(path: "phone"))
                try await phone.sync()
                #expect(try await phone.counts() == MessageCounts())
                try await send(301, to: server)
                try await phone.sync()
                let tablet = try await inbox(server, in: folder.appending(path: "tablet"))
                try await tablet.sync()
                #expect(try await phone.messages().count == 200)
                #expect(try await tablet.messages().count == 51)
                let all = MessageCounts(total: 301, unread: 301, unseen: 301)
                for device in [phone, tablet] {
                    #expect(try await device.counts() == all)
                    #expect(device.latestCounts() == all)
                    #expect(try await device.counts(surface: "news").unread == 150)
                    #expect(device.latestCounts(category: "third").total == 101)
                    #expect(try await device.count(Query(where: #Predicate { $0.category == "third" })) == 101)
                    #expect(try await device.messages().contains { $0.isPinned }, "a pinned message is on every device")
                }
                try await tablet.markAllRead()
                #expect(try await tablet.counts() == MessageCounts(total: 301))
                #expect(try await tablet.status().pendingWrites == 1)
                try await tablet.sync()
                #expect(try await tablet.status().pendingWrites == 0)
                try await phone.sync()
                #expect(try await phone.counts() == MessageCounts(total: 301))
                #expect(try await phone.status().state == tablet.status().state)
                // Of a message that a device doesn't hold, it fetches only the dates.
                #expect(try await phone.messages().count == 200)
                let oldest = try #require(try await phone.messages().last?.id)
                try await phone.markUnread(oldest)
                try await phone.sync()
                try await tablet.sync()
                try await server.stop()
                for device in [phone, tablet] {
                    #expect(try await device.counts().unread == 1)
                    await device.close()
                }
                let again = try await inbox(server, in: folder.appending(path: "tablet"))
                #expect(try await again.counts() == MessageCounts(total: 301, unread: 1))
                await again.close()
            }
        }
    }

    @Test func `read all on a surface, then unread again, is sent in that order`() async throws {
        try await withFolder { folder in
            try await withServer { server in
                try await send(120, to: server)
                let phone = try await inbox(server, in: folder.appending(path: "phone"))
                try await phone.sync()
                let first = try #require(try await phone.messages(surface: "news").first?.id)
                try await phone.archive(first)
                try await phone.markAllRead(surface: "news")
                try await phone.unarchive(first)
                #expect(try await phone.counts(surface: "news").unread == 1, "it was archived")
                let second = try #require(try await phone.messages(.read, surface: "news").first?.id)
                try await phone.markUnread(second)
                let counts = try await phone.counts()
                #expect(counts.unread == 60 + 2)
                try await phone.sync()
                #expect(try await phone.counts() == counts)
                let tablet = try await inbox(server, in: folder.appending(path: "tablet"))
                try await tablet.sync()
                #expect(try await tablet.counts() == counts)
                for device in [phone, tablet] { await device.close() }
            }
        }
    }

    @Test func `a message that arrives while read all is pending stays unread`() async throws {
        try await withFolder { folder in
            try await withServer { server in
                try await send(80, to: server)
                let phone = try await inbox(server, in: folder.appending(path: "phone"))
                try await phone.sync()
                try await phone.markAllRead()
                try await send(5, to: server, from: 80)
                try await phone.sync()
                #expect(try await phone.counts() == MessageCounts(total: 85, unread: 5, unseen: 5))
                await phone.close()
            }
        }
    }

    @Test func `loading older messages fetches contents until the end, and they stay`() async throws {
        try await withFolder { folder in
            try await withServer { server in
                try await send(120, to: server)
                let phone = try await inbox(server, in: folder.appending(path: "phone"))
                try await phone.sync()
                #expect(try await phone.messages().count == 51)
                #expect(try await phone.loadOlder(limit: 40) == 40)
                #expect(try await phone.messages().count == 91)
                // A change makes the device reconcile its window, and keeps the older contents.
                try await send(1, to: server, from: 120)
                try await phone.sync()
                #expect(try await phone.messages().count == 92)
                #expect(try await phone.loadOlder(limit: 40) == 29)
                #expect(try await phone.loadOlder(limit: 40) == 0)
                #expect(try await phone.messages().map(\.title).last == "Number 0")
                await #expect(throws: InboxError.self) { try await phone.loadOlder(limit: 0) }
                await phone.close()
            }
        }
    }

    @Test func `an observed query fetches missing messages and reports completeness`() async throws {
        try await withFolder { folder in
            try await withServer { server in
                try await send(120, to: server)
                let phone = try await inbox(server, in: folder.appending(path: "phone"), isLive: true)
                #expect(try await eventually { phone.latestCounts().isExact })
                let plain = try #require(try await phone.observe().first { $0.items.count == 51 })
                #expect(!plain.isComplete)
                let newest = try #require(try await phone.observe(limit: 20).first { _ in true })
                #expect(newest.items.count == 20 && newest.isComplete)
                let query = Query<Message>(where: #Predicate { $0.category == "third" })
                let all = try await phone.observe(query).first { $0.isComplete }
                #expect(all?.items.count == 40)
                let titled = Query<Message>(where: #Predicate { $0.title == "Number 7" })
                #expect(try await phone.observe(titled).first { !$0.items.isEmpty }?.items.count == 1)
                await phone.close()
            }
        }
    }

    /// Null sorts first or last, for outlines as for messages.
    @Test func `a query sorted by a nullable property fetches its first messages`() async throws {
        try await withFolder { folder in
            try await withServer { server in
                let end = JSON(Date(timeIntervalSinceNow: 86_400))
                for number in 0..<120 {
                    var message = JSONObject([("title", .string("Number \(number)"))])
                    if number < 5 { message["expiresAt"] = end }
                    try await server.send(to: ["person": "ann"], .object(message))
                }
                let phone = try await inbox(server, in: folder.appending(path: "phone"), isLive: true)
                #expect(try await eventually { phone.latestCounts().isExact })
                let ending = Query<Message>(sort: [SortDescriptor(\.expiresAt, order: .reverse)], limit: 20)
                let first = try #require(try await phone.observe(ending).first { $0.isComplete })
                #expect(first.items.prefix(5).allSatisfy { $0.expiresAt != nil })
                #expect(first.items.count == 20 && first.items[5].expiresAt == nil)

                // Read messages come after unread ones, whichever are older.
                try await phone.markRead(phone.messages().map(\.id))
                try await phone.sync()
                let unreadFirst = Query<Message>(sort: [SortDescriptor(\.readAt)], limit: 40)
                let list = try #require(try await phone.observe(unreadFirst).first { $0.isComplete })
                #expect(list.items.count == 40 && list.items.allSatisfy(\.isUnread))
                await phone.close()
            }
        }
    }

    /// A list that is empty on the device but not in the inbox.
    @Test func `a list by filter or surface is fetched, also without a limit`() async throws {
        try await withFolder { folder in
            try await withServer { server in
                for number in 0..<90 {
                    let surface = number < 4 ? "offers" : "inbox"
                    try await server.send(
                        to: ["person": "ann"],
                        ["title": .string("Number \(number)"), "surface": .string(surface)]
                    )
                }
                let device = try await server.device(of: "ann")
                let ids = try await device.ids()
                for id in ids.dropLast(10) { try await device.update(id, ["readAt": "2026-05-01T08:00:00Z"]) }
                for id in ids.suffix(13).prefix(3) {
                    try await device.update(id, ["archivedAt": "2026-05-01T08:00:00Z"])
                }
                for id in ids.suffix(15).prefix(2) {
                    try await device.update(id, ["deletedAt": "2026-05-01T08:00:00Z"])
                }
                let phone = try await inbox(server, in: folder.appending(path: "phone"), isLive: true)
                #expect(try await eventually { phone.latestCounts().isExact })
                #expect(try await phone.messages(.unread).isEmpty)
                for (filter, count) in [(MessageFilter.unread, 10), (.archived, 3), (.deleted, 2)] {
                    let list = try #require(try await phone.observe(filter).first { $0.isComplete })
                    #expect(list.items.count == count, "\(filter)")
                }
                let offers = try #require(try await phone.observe(surface: "offers").first { $0.isComplete })
                #expect(offers.items.count == 4)
                await phone.close()
            }
        }
    }

    /// Where only the device can evaluate a query, it fetches pages and evaluates them until there are no more.
    @Test func `a text query finds old messages and is complete after the server's last page`() async throws {
        try await withFolder { folder in
            try await withServer { server in
                for number in 0..<300 {
                    try await server.send(
                        to: ["person": "ann"],
                        [
                            "title": .string(number % 100 == 0 ? "A parcel, \(number)" : "Number \(number)"),
                            "category": .string(number % 2 == 0 ? "orders" : "news"),
                        ]
                    )
                }
                let phone = try await inbox(server, in: folder.appending(path: "phone"), isLive: true)
                #expect(try await eventually { phone.latestCounts().isExact })
                let query = Query<Message>(
                    where: #Predicate { $0.category == "orders" && $0.title.localizedStandardContains("parcel") },
                    sort: [SortDescriptor(\.priority, order: .reverse)],
                    limit: 20
                )
                let list = try #require(try await phone.observe(query).first { $0.isComplete })
                #expect(list.items.map(\.title).sorted() == ["A parcel, 0", "A parcel, 100", "A parcel, 200"])
                // A message that isn't on the device might match: only the server's last page makes the result
                // complete.
                let none = Query<Message>(where: #Predicate { $0.title == "Nothing of the kind" }, limit: 5)
                let empty = try #require(try await phone.observe(none).first { $0.isComplete })
                #expect(empty.items.isEmpty)
                await phone.close()
            }
        }
    }

    @Test func `a message outside the window can be fetched by id and updated`() async throws {
        try await withFolder { folder in
            try await withServer { server in
                try await send(120, to: server)
                let device = try await server.device(of: "ann")
                let oldest = try #require(try await device.ids().last { $0 != "" })
                let phone = try await inbox(server, in: folder.appending(path: "phone"))
                try await phone.sync()
                let ids = try await device.ids(["position": 100, "limit": 2])
                #expect(try await phone.message(id: ids[0]) == nil)
                #expect(try await phone.markRead(ids[0]))
                #expect(try await phone.counts().unread == 119)
                try await phone.sync()
                #expect(try await device.message(ids[0])?["readAt"] != .null)
                #expect(try await phone.counts().unread == 119)
                #expect(try await phone.fetchMessage(id: ids[1])?.id == ids[1])
                #expect(try await phone.message(id: oldest) != nil, "it is pinned")
                #expect(try await phone.fetchMessage(id: "unknown") == nil)
                await phone.close()
            }
        }
    }

    /// A message that was deleted before a device's first sync and is undeleted on another device returns to its
    /// position.
    @Test func `a message undeleted on another device is listed again`() async throws {
        try await withFolder { folder in
            try await withServer { server in
                try await send(10, to: server)
                let phone = try await inbox(server, in: folder.appending(path: "phone"))
                try await phone.sync()
                let id = try #require(try await phone.messages().first?.id)
                try await phone.delete(id)
                try await phone.sync()
                let tablet = try await inbox(server, in: folder.appending(path: "tablet"))
                try await tablet.sync()
                #expect(try await tablet.counts().total == 9)
                try await phone.undelete([id])
                try await phone.sync()
                try await tablet.sync()
                #expect(try await tablet.counts().total == 10)
                #expect(try await tablet.messages().first?.id == id)
                for device in [phone, tablet] { await device.close() }
            }
        }
    }
}
