import Coverage
import Foundation
import Groundwork
import InboxClient
import InboxModel
import RunningServer
import Testing
import ZetaCompatibility

/// Each call of Zeta's document, against a server.
@Suite(.timeLimit(.minutes(10))) struct ZetaTests {
    private func config(_ server: RunningServer, person: String?) -> ZTConfig {
        var configuration = InboxConfiguration()
        configuration.isLive = false
        return ZTConfig(
            server: server.url,
            directory: server.folder.appending(path: "device"),
            person: person,
            configuration: configuration
        ) {
            try await server.token(of: $0)
        }
    }

    private func client(_ server: RunningServer, person: String?) throws -> any ZTAppInboxManagable {
        let client = ZetaClient()
        client.initialize(config: config(server, person: person))
        return try #require(client.inbox)
    }

    @Test(.shows(.z06, .z07)) func `the inbox is nil until the client is initialized`() async throws {
        #expect(ZetaClient().inbox == nil)
        try await RunningServer.run { server in
            let client = ZetaClient()
            client.initialize(config: config(server, person: "alice"))
            #expect(client.inbox != nil)
        }
    }

    @Test func `the counts match the lists after another app has archived a message`() async throws {
        try await RunningServer.run { server in
            let id = try await server.send(to: "alice", ["title": "Archived"])
            _ = try await server.send(to: "alice", ["title": "Kept"])
            var configuration = InboxConfiguration()
            configuration.isLive = false
            let other = try await Inbox.open(
                server: server.url,
                person: "alice",
                directory: server.folder.appending(path: "other"),
                configuration: configuration
            ) { try await server.token(of: "alice") }
            try await other.sync()
            try await other.archive(id)
            try await other.sync()
            let inbox = try client(server, person: "alice")
            let messages = try await inbox.fetchMessages()
            #expect(try await inbox.getMessageCount() == messages.count)
            #expect(try await inbox.getUnreadMessageCount() == inbox.getUnreadMessages().count)
            #expect(messages.map(\.title) == ["Kept"])
            await other.close()
        }
    }

    @Test(.shows(.z02, .z18, .z19, .z20, .z21, .z22, .z23, .z24, .z25, .z26, .z27, .z45, .z54))
    func `messages have the properties that were sent`() async throws {
        try await RunningServer.run { server in
            let id = try await server.send(
                to: "alice",
                [
                    "title": "Title", "body": "Body", "media": ["url": "https://example.com/a.png"],
                    "templateId": "card", "additionalData": ["route": "orders"],
                    "expiresAt": "2100-01-01T00:00:00.250Z",
                    "actions": [
                        [
                            "text": "Open", "type": "cta", "value": "open", "link": "https://example.com",
                            "actionType": "webBrowser",
                        ]
                    ],
                ]
            )
            let bare = try await server.send(to: "alice", ["title": "Bare"])
            let inbox = try client(server, person: "alice")
            let messages = try await inbox.fetchMessages()
            #expect(messages.map(\.messageId) == [bare, id])
            let message = try #require(messages.last)
            #expect(message.id == id && message.title == "Title" && message.body == "Body")
            #expect(message.mediaUrl == "https://example.com/a.png" && message.templateId == "card")
            #expect(message.additionalData == ["route": "orders"] && message.status == .unread)
            #expect(message.expirationTimestamp?.int64Value == 4_102_444_800_250)
            let action = try #require(message.actionList?.first)
            #expect(
                [action.text, action.type, action.value, action.link, action.actionType]
                    == ["Open", "cta", "open", "https://example.com", "webBrowser"]
            )
            #expect(messages.first?.actionList == nil && messages.first?.expirationTimestamp == nil)
            #expect(messages.first?.mediaUrl == nil && messages.first?.templateId == "")
            let copy = try JSONDecoder().decode(ZTAppInboxMessage.self, from: JSONEncoder().encode(message))
            #expect(copy.expirationTimestamp == message.expirationTimestamp && copy.status == .unread)
            #expect(copy.actionList?.first?.value == "open" && copy.additionalData == message.additionalData)
        }
    }

    @Test(.shows(.z16, .z35, .z36, .z37, .z38, .z40))
    func `reading and deleting are counted and reach the server`() async throws {
        try await RunningServer.run { server in
            var ids: [String] = []
            for title in ["a", "b", "c", "d"] {
                ids.append(try await server.send(to: "alice", ["title": .string(title)]))
            }
            let inbox = try client(server, person: "alice")
            #expect(try await inbox.getMessageCount() == 0)
            _ = try await inbox.fetchMessages()
            try await inbox.markMessageAsRead(messageId: ids[0])
            // All that are read afterwards, so that an app that retries the others comes to an end.
            let asked = [ids[1], ids[0], "unknown", ids[1]] + (0..<2_000).map { "unknown-\($0)" }
            #expect(try await inbox.markAllMessagesAsRead(ids: asked) == [ids[1], ids[0]])
            try await inbox.markMessageAsDeleted(messageId: ids[3])
            #expect(try await inbox.markAllMessagesAsDeleted(ids: [ids[2], ids[3], "unknown"]) == [ids[2], ids[3]])
            #expect(try await inbox.markAllMessagesAsRead(ids: [ids[2]]).isEmpty, "it is deleted")
            #expect(try await inbox.getMessageCount() == 2)
            #expect(try await inbox.getUnreadMessageCount() == 0)
            #expect(try await inbox.getReadMessageCount() == 2)
            #expect(try await inbox.getReadMessages().map(\.id) == [ids[1], ids[0]])
            #expect(try await inbox.getUnreadMessages().isEmpty)
            #expect(try await inbox.getMessage(for: ids[0])?.status == .read)
            #expect(try await inbox.getMessage(for: ids[2]) == nil)
            // Reading again, and deleting again, is no error.
            try await inbox.markMessageAsRead(messageId: ids[0])
            try await inbox.markMessageAsDeleted(messageId: ids[3])
        }
    }

    @Test(.shows(.z39, .z40)) func `clearing everything resets the statuses, on other devices too`() async throws {
        try await RunningServer.run { server in
            var ids: [String] = []
            for title in ["a", "b", "c"] {
                ids.append(try await server.send(to: "alice", ["title": .string(title)]))
            }
            let inbox = try client(server, person: "alice")
            _ = try await inbox.fetchMessages()
            try await inbox.markMessageAsRead(messageId: ids[0])
            try await inbox.markMessageAsDeleted(messageId: ids[1])
            #expect(try await inbox.fetchMessages().map(\.status) == [.unread, .read])
            try await inbox.clearAll()
            #expect(try await inbox.getMessageCount() == 0)
            let messages = try await inbox.fetchMessages()
            #expect(messages.map(\.id) == ids.reversed() && messages.allSatisfy { $0.status == .unread })
            let other = try await client(server, person: "alice").fetchMessages()
            #expect(other.map(\.id) == ids.reversed() && other.allSatisfy { $0.status == .unread })
        }
    }

    @Test(.shows(.z35, .z37)) func `marking an unknown id throws`() async throws {
        try await RunningServer.run { server in
            let inbox = try client(server, person: "alice")
            let id = try await server.send(to: "alice", ["title": "T"])
            for call: () async throws -> Void in [
                { try await inbox.markMessageAsRead(messageId: id) },
                { try await inbox.markMessageAsDeleted(messageId: "unknown") },
            ] {
                let error = await #expect(throws: InboxError.self) { try await call() }
                #expect(error?.code == .unknownMessage)
            }
            _ = try await inbox.fetchMessages()
            try await inbox.markMessageAsRead(messageId: id)
        }
    }

    @Test(.shows(.z03, .z42)) func `a click on an unknown message throws, on a deleted one it doesn't`() async throws {
        try await RunningServer.run { server in
            let inbox = try client(server, person: "alice")
            let id = try await server.send(to: "alice", ["title": "T"])
            for (unknown, value) in [(id, "open"), ("unknown", "")] {
                let error = await #expect(throws: InboxError.self) {
                    try await inbox.onMessageClicked(messageId: unknown, actionValue: value)
                }
                #expect(error?.code == .unknownMessage)
            }
            _ = try await inbox.fetchMessages()
            // A deleted message is on the device until the server's retention ends.
            try await inbox.markMessageAsDeleted(messageId: id)
            try await inbox.onMessageClicked(messageId: id, actionValue: "open")
            _ = try await inbox.fetchMessages()
            let figures = try await server.rest("GET", "v1/messages/\(id)/figures")
            #expect(figures["clicked"]?.intValue == 1)
        }
    }

    /// The document's argument: the action's value, or its link if the value is empty; either may be long.
    @Test(.shows(.z42, .z53), arguments: ["open", String(repeating: "v", count: 2_000), ""])
    func `a click is counted by action and marks the message read`(value: String) async throws {
        try await RunningServer.run { server in
            let link = "https://example.com/" + String(repeating: "l", count: 1_000)
            let actions: JSON = [["id": "1", "text": "Open", "value": .string(value), "link": .string(link)]]
            let id = try await server.send(to: "alice", ["title": "T", "actions": actions])
            let inbox = try client(server, person: "alice")
            let action = try #require(try await inbox.fetchMessages().first?.actionList?.first)
            try await inbox.onMessageClicked(
                messageId: id,
                actionValue: action.value.isEmpty ? action.link : action.value
            )
            #expect(try await inbox.getUnreadMessageCount() == 0)
            _ = try await inbox.fetchMessages()
            let figures = try await server.rest("GET", "v1/messages/\(id)/figures")
            #expect(figures["clicked"]?.intValue == 1)
            #expect(figures["clicksByAction"]?["1"]?.intValue == 1)
        }
    }

    @Test func `a fetch without a person is a typed error`() async throws {
        try await RunningServer.run { server in
            let inbox = try client(server, person: nil)
            let error = await #expect(throws: InboxError.self) { try await inbox.fetchMessages() }
            #expect(error?.code == .notIdentified)
        }
    }

    @Test func `initializing again changes the person, or keeps the messages`() async throws {
        try await RunningServer.run { server in
            let (alices, bobs) = (
                try await server.send(to: "alice", ["title": "A"]), try await server.send(to: "bob", ["title": "B"])
            )
            let client = ZetaClient()
            client.initialize(config: config(server, person: "alice"))
            #expect(try await client.inbox?.fetchMessages().map(\.id) == [alices])
            client.initialize(config: config(server, person: "alice"))
            #expect(try await client.inbox?.getMessageCount() == 1)
            client.initialize(config: config(server, person: "bob"))
            #expect(try await client.inbox?.getMessageCount() == 0)
            #expect(try await client.inbox?.fetchMessages().map(\.id) == [bobs])
        }
    }

    // MARK: - Completion handlers

    @Test(.shows(.z04)) func `completion handlers are called on the main actor`() async throws {
        try await RunningServer.run { server in
            let id = try await server.send(to: "alice", ["title": "A"])
            let other = try await server.send(to: "alice", ["title": "B"])
            let inbox = try client(server, person: "alice")
            /// Waits for the handler's call.
            func outcome<T: Sendable>(_ call: (@escaping @MainActor (T) -> Void) -> Void) async -> T {
                await withCheckedContinuation { continuation in
                    call {
                        MainActor.assertIsolated()
                        continuation.resume(returning: $0)
                    }
                }
            }
            func ids(_ messages: [ZTAppInboxMessage]?, _ error: (any Error)?) -> [String]? {
                error == nil ? messages?.map(\.id) : nil
            }
            let all = await outcome { done in inbox.fetchMessages { done(ids($0, $1)) } }
            #expect(all == [other, id])
            let one = await outcome { done in inbox.getMessage(for: id) { message, _ in done(message?.title) } }
            #expect(one == "A")
            #expect(await outcome { done in inbox.markMessageAsRead(messageId: id) { done($0 == nil) } })
            let read = await outcome { done in
                inbox.markAllMessagesAsRead(ids: [id, other]) { ids, _ in done(ids) }
            }
            #expect(read == [id, other])
            #expect(await outcome { done in inbox.getReadMessages { done(ids($0, $1)) } } == [other, id])
            #expect(await outcome { done in inbox.getUnreadMessages { done(ids($0, $1)) } } == [])
            #expect(await outcome { done in inbox.getMessageCount { count, _ in done(count) } } == 2)
            #expect(await outcome { done in inbox.getUnreadMessageCount { count, _ in done(count) } } == 0)
            #expect(await outcome { done in inbox.getReadMessageCount { count, _ in done(count) } } == 2)
            #expect(
                await outcome { done in inbox.onMessageClicked(messageId: id, actionValue: "x") { done($0 == nil) } }
            )
            #expect(await outcome { done in inbox.markMessageAsDeleted(messageId: id) { done($0 == nil) } })
            let deleted = await outcome { done in
                inbox.markAllMessagesAsDeleted(ids: [id, other]) { ids, _ in done(ids) }
            }
            #expect(deleted == [id, other])
            #expect(await outcome { done in inbox.clearAll { done($0 == nil) } })
            let withoutPerson = try self.client(server, person: nil)
            let code = await outcome { done in
                withoutPerson.fetchMessages { _, error in done((error as? InboxError)?.code) }
            }
            #expect(code == .notIdentified)
        }
    }

    // MARK: - Statuses

    @Test(
        .shows(.z22, .z47, .z48),
        arguments: [(ZTAppInboxMessageStatus.read, "READ"), (.unread, "UNREAD"), (.deleted, "DELETED")]
    )
    func `a status has its text`(status: ZTAppInboxMessageStatus, text: String) throws {
        #expect(ZTAppInboxMessageStatusHelper.string(from: status) == text)
        #expect(ZTAppInboxMessageStatusHelper.status(from: text) == status)
        #expect(
            try JSONDecoder().decode([ZTAppInboxMessageStatus].self, from: JSONEncoder().encode([status])) == [status]
        )
    }

    @Test func `an unknown status text is unread`() {
        #expect(ZTAppInboxMessageStatusHelper.status(from: "read?") == .unread)
    }
}
