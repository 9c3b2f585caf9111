import Coverage
import Foundation
import Groundwork
import InboxClient
import InboxTesting
import RunningServer
import Testing

/// Read, seen, deleted and counted messages on devices of a running server.
@Suite(.timeLimit(.minutes(10))) struct StateTests {
    @Test(.rulesOut(.airshipIOS63, .nylas759))
    func `the unread count follows each action and expiry at once, never below zero`() async throws {
        let clock = ManualClock()
        try await RunningServer.run(clock: clock) { server in
            let ids = try await server.send(0..<4, to: "alice")
            let expiry: JSON = ["title": "Soon over", "expiresAt": JSON(clock.now.addingTimeInterval(60))]
            _ = try await server.send(to: "alice", expiry)
            let phone = try await Phone.open(server) { $0.clock = clock }
            try await phone.inbox.sync()
            #expect(phone.inbox.latestCounts().unread == 5)
            phone.transport.isDisconnected = true
            try await phone.inbox.delete(ids[0])
            #expect(phone.inbox.latestCounts().unread == 4)
            try await phone.inbox.markRead(ids[1])
            #expect(phone.inbox.latestCounts().unread == 3)
            try await phone.inbox.archive(ids[2])
            #expect(phone.inbox.latestCounts().unread == 2)
            clock.advance(by: 60)
            #expect(try await phone.inbox.counts().unread == 1)
            // Repeated actions and unknown ids change nothing.
            for id in ids + ["unknown"] {
                try await phone.inbox.markRead(id)
                try await phone.inbox.delete(id)
                try await phone.inbox.delete(id)
            }
            #expect(try await phone.inbox.counts() == MessageCounts())
            phone.transport.isDisconnected = false
            try await phone.inbox.sync()
            #expect(try await phone.inbox.counts() == MessageCounts())
            await phone.inbox.close()
        }
    }

    @Test(.rulesOut(.airshipFlutter26))
    func `new messages are unread, whether fetched, broadcast or pushed`() async throws {
        try await RunningServer.run { server in
            _ = try await server.send(0..<3, to: "alice")
            let phone = try await Phone.open(server)
            try await phone.inbox.sync()
            try await phone.inbox.markAllRead()
            try await phone.inbox.sync()
            let one = try await server.send(to: "alice", ["title": "To one"])
            try await server.rest("POST", "v1/messages", ["to": ["everyone": true], "message": ["title": "To all"]])
            let push = #"{"inbox":{"id":"pushed","person":"alice","title":"Pushed"}}"#
            try await phone.inbox.receive(push: Data(push.utf8))
            try await phone.inbox.sync()
            #expect(try await phone.inbox.messages(.unread).map(\.title).sorted() == ["Pushed", "To all", "To one"])
            #expect(try await phone.inbox.message(id: one)?.seenAt == nil)
            #expect(try await phone.inbox.counts().unread == 3)
            await phone.inbox.close()
        }
    }

    @Test(.rulesOut(.airshipReactNative751, .novu620, .novu6914))
    func `read and seen dates and counts survive a restart, a sync and another device`() async throws {
        try await RunningServer.run { server in
            let ids = try await server.send(0..<4, to: "alice")
            let transport = TestTransport()
            let first = try await Phone.open(server, transport: transport)
            try await first.inbox.sync()
            transport.isDisconnected = true
            try await first.inbox.markRead(ids[0])
            try await first.inbox.markSeen([ids[1]])
            let counts = MessageCounts(total: 4, unread: 3, unseen: 2)
            #expect(first.inbox.latestCounts() == counts)
            await first.inbox.close()
            let reloaded = try await Phone.open(server, transport: transport)
            #expect(reloaded.inbox.latestCounts() == counts)
            transport.isDisconnected = false
            try await reloaded.inbox.sync()
            let tablet = try await Phone.open(server, name: "tablet")
            try await tablet.inbox.sync()
            for inbox in [reloaded.inbox, tablet.inbox] {
                #expect(try await inbox.counts() == counts)
                #expect(try await inbox.messages(.read).map(\.id) == [ids[0]])
                #expect(try await inbox.message(id: ids[1])?.seenAt != nil)
                await inbox.close()
            }
        }
    }

    @Test(.rulesOut(.brazeSwift155)) func `a dismissed message doesn't return after any refresh`() async throws {
        try await RunningServer.run { server in
            let ids = try await server.send(0..<2, to: "alice")
            let transport = TestTransport()
            let phone = try await Phone.open(server, transport: transport)
            try await phone.inbox.sync()
            transport.isDisconnected = true
            try await phone.inbox.dismiss([ids[0]])
            // It doesn't return while the server doesn't know the dismissal.
            try await phone.inbox.clearAll()
            transport.isDisconnected = false
            #expect(try await phone.inbox.fetchMessages().map(\.id) == [ids[1]])
            try await server.rest("PUT", "v1/messages/\(ids[0])", ["message": ["title": "Again"]])
            #expect(try await phone.inbox.fetchMessages().map(\.id) == [ids[1]])
            await phone.inbox.close()
            let reloaded = try await Phone.open(server)
            #expect(try await reloaded.inbox.fetchMessages().map(\.id) == [ids[1]])
            await reloaded.inbox.close()
        }
    }

    @Test(.rulesOut(.brazeWeb134, .brazeWeb137))
    func `after each change of account, it shows its own messages only, each once`() async throws {
        try await RunningServer.run { server in
            var sent = [
                "alice": try await server.send(0..<3, to: "alice"), "bob": try await server.send(0..<2, to: "bob"),
            ]
            try await server.rest("POST", "v1/messages", ["to": ["everyone": true], "message": ["title": "To all"]])
            var configuration = InboxConfiguration()
            configuration.isLive = false
            let current = CurrentInbox(
                server: server.url,
                directory: server.folder.appending(path: "phone"),
                configuration: configuration
            ) {
                try await server.token(of: $0)
            }
            for round in 0..<4 {
                let person = round % 2 == 0 ? "alice" : "bob"
                sent[person]? += try await server.send(round..<(round + 1), to: person)
                current.identify(person)
                #expect(try await current.inbox.messages().isEmpty, "no messages before the first answer")
                let shown = try await current.fetchMessages()
                #expect(
                    shown.map(\.id).filter { sent[person]?.contains($0) == true }.sorted() == sent[person]?.sorted()
                )
                #expect(shown.filter { $0.title == "To all" }.count == 1)
                #expect(shown.count == (sent[person]?.count ?? 0) + 1)
                #expect(try await current.inbox.counts().total == shown.count)
            }
            current.anonymize()
        }
    }

    @Test(.rulesOut(.brazeFlutter68))
    func `an edited message has all edited properties and keeps the person's`() async throws {
        try await RunningServer.run { server in
            let content: JSON = [
                "title": "Old", "body": "Text", "html": "<p>Hi</p>", "media": ["url": "https://example.com/a.png"],
                "actions": [["id": "go", "text": "Go", "link": "https://example.com"]], "category": "orders",
                "additionalData": ["k": "v"],
            ]
            let id = try await server.send(to: "alice", content)
            let phone = try await Phone.open(server)
            try await phone.inbox.sync()
            try await phone.inbox.markRead(id)
            try await phone.inbox.sync()
            let before = try #require(try await phone.inbox.message(id: id))
            var edited = try #require(content.objectValue)
            edited["title"] = "New"
            try await server.rest("PUT", "v1/messages/\(id)", ["message": .object(edited)])
            try await phone.inbox.sync()
            let after = try #require(try await phone.inbox.message(id: id))
            var expected = before
            expected.title = "New"
            #expect(after == expected)
            #expect(after.actions.map(\.link) == ["https://example.com"] && after.readAt != nil)
            let tablet = try await Phone.open(server, name: "tablet")
            #expect(try await tablet.inbox.fetchMessages() == [expected])
            await tablet.inbox.close()
            await phone.inbox.close()
        }
    }

    @Test(.rulesOut(.novuTS78, .airshipReactNative430, .airshipReactNative449, .novu7689))
    func `archiving, snoozing, filtering and counting have the same result on all devices`() async throws {
        let clock = ManualClock()
        try await RunningServer.run(clock: clock) { server in
            let ids = try await server.send(0..<4, to: "alice")
            let phone = try await Phone.open(server) { $0.clock = clock }
            try await phone.inbox.sync()
            try await phone.inbox.archive(ids[0])
            try await phone.inbox.snooze([ids[1]], until: clock.now.addingTimeInterval(60))
            try await phone.inbox.markRead(ids[2])
            try await phone.inbox.sync()
            let tablet = try await Phone.open(server, name: "tablet") { $0.clock = clock }
            try await tablet.inbox.sync()
            for inbox in [phone.inbox, tablet.inbox] {
                #expect(try await inbox.messages(.archived).map(\.id) == [ids[0]])
                #expect(try await inbox.messages(.snoozed).map(\.id) == [ids[1]])
                #expect(try await inbox.messages(.unread).map(\.id) == [ids[3]])
                let titled = Query<Message>(where: #Predicate { $0.title == "2" })
                #expect(try await inbox.fetch(titled).map(\.id) == [ids[2]])
                let counts = MessageCounts(total: 2, unread: 1, unseen: 1, snoozed: 1, archived: 1)
                #expect(try await inbox.counts() == counts)
            }
            clock.advance(by: 60)
            for inbox in [phone.inbox, tablet.inbox] {
                #expect(try await inbox.messages(.unread).map(\.id) == [ids[3], ids[1]])
                await inbox.close()
            }
        }
    }
}
