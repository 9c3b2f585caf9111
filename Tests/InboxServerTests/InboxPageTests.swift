import Foundation
import Groundwork
import InboxModel
import JMAP
import Testing

@testable import InboxServer
@testable import InboxService

/// The rules of a page of an inbox and of the actions on it, in the domain: without HTTP and HTML.
@Suite(.timeLimit(.minutes(10))) struct InboxPageTests {
    /// A person's inbox in a database of its own.
    private struct World: Sendable {
        let storage: Storage
        let writer: Writer
        let person: Person
        let clock = ManualClock()

        init(_ folder: URL) async throws {
            storage = try Storage(file: folder.appending(path: "inbox.sqlite"))
            writer = try await Writer(storage: storage, clock: clock, random: .system, committed: { _ in })
            let people = People(storage: storage, writer: writer, states: try await LatestStates(in: storage))
            person = try await people.person(
                of: Tokens.Verified(person: "ann", issuedAt: nil, expiresAt: .distantFuture)
            )
        }

        /// Sends messages to the person and returns their ids, in the same order.
        @discardableResult
        func send(_ messages: JSON...) async throws -> [String] {
            try await send(messages)
        }

        @discardableResult
        func send(_ messages: [JSON]) async throws -> [String] {
            let body = JSON.array(messages.map { ["to": ["person": "ann"], "message": $0] })
            let outgoing = try OutgoingMessages(checking: JSONReader(body), now: clock.now)
            let sent = try await writer.write { transaction in try transaction.send(outgoing) }
            return (sent.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
        }

        func page(_ part: InboxPart = InboxPart(), undoable: String? = nil) async throws -> InboxPage {
            let now = clock.now
            return try await storage.read { reading in
                try reading.inbox(of: person).page(
                    part,
                    undoable: undoable.flatMap { MessageID($0) },
                    counts: UnreadCounts(),
                    now: now
                )
            }
        }

        func message(_ id: String) async throws -> Message {
            let found = try await storage.read { reading in
                try reading.inbox(of: person).messages([#require(MessageID(id))]).first
            }
            return try #require(found)
        }

        func act(_ action: PersonAction, on id: String) async throws {
            let message = try await message(id)
            try await writer.write { transaction in try transaction.act(action, on: message, for: person) }
        }
    }

    private func withWorld(_ body: (World) async throws -> Void) async throws {
        try await withFolder { folder in try await body(World(folder)) }
    }

    @Test func `a page has its surface's capacity of messages, and its settings`() async throws {
        try await withWorld { world in
            try await world.send((0..<3).map { ["title": .string("\($0)"), "surface": "offers"] })
            try await world.send(["title": "Elsewhere"])
            let settings = InboxSettings(capacity: 2)
            _ = try await world.writer.write { transaction in
                try transaction.put(settings, of: "offers", ifMatch: nil)
            }
            let page = try await world.page(InboxPart(surface: "offers"))
            #expect(page.messages.map(\.title) == ["2", "1"] && page.settings.capacity == 2)
            #expect(page.unread.count == 3 && page.unread.isExact)
            #expect(page.next == InboxPart(surface: "offers", limit: 4))
            #expect(try await world.page(InboxPart(surface: "offers", limit: 4)).next == nil)
            let usual = try await world.page()
            #expect(usual.messages.map(\.title) == ["Elsewhere"] && usual.next == nil && usual.unread.count == 1)
        }
    }

    @Test func `a list grows by thirty up to 200, and continues on another page`() async throws {
        try await withWorld { world in
            try await world.send((0..<231).map { ["title": .string("\($0)")] })
            var (part, limits) = (InboxPart(), [Int?]())
            var page = try await world.page(part)
            while let next = page.next, next.after == nil {
                #expect(page.messages.count == part.limit ?? 30)
                limits.append(next.limit)
                part = next
                page = try await world.page(part)
            }
            #expect(limits == [60, 90, 120, 150, 180])
            let next = try #require(page.next)
            #expect(next.limit == nil && next.after == page.messages.last.flatMap { DeliveryPlace($0) })
            #expect(try await world.page(next).messages.first?.title == "50")
        }
    }

    @Test func `pinned messages of a page come first, each part in the order of delivery`() async throws {
        try await withWorld { world in
            try await world.send(
                ["title": "a", "pinned": true],
                ["title": "b"],
                ["title": "c", "pinned": true],
                ["title": "d"]
            )
            #expect(try await world.page().messages.map(\.title) == ["c", "a", "d", "b"])
        }
    }

    @Test func `only an archived or dismissed message of the inbox can be restored from a page`() async throws {
        try await withWorld { world in
            let id = try await world.send(["title": "a"])[0]
            #expect(try await world.page(undoable: id).undoable == nil)
            for action in [PersonAction.archive, .dismiss] {
                try await world.act(action, on: id)
                let page = try await world.page(undoable: id)
                #expect(page.undoable?.id == id && page.messages.isEmpty, "\(action)")
                try await world.act(.restore, on: id)
                #expect(try await world.page(undoable: id).undoable == nil, "\(action)")
                #expect(try await world.page().messages.map(\.id) == [id], "\(action)")
            }
        }
    }

    @Test func `a repeated action keeps the date of the first`() async throws {
        try await withWorld { world in
            let id = try await world.send(["title": "a"])[0]
            let first = world.clock.now
            for action in [PersonAction.read, .archive, .dismiss] { try await world.act(action, on: id) }
            world.clock.advance(by: 60)
            for action in [PersonAction.read, .archive, .dismiss] { try await world.act(action, on: id) }
            var message = try await world.message(id)
            #expect(message.readAt == first && message.archivedAt == first && message.deletedAt == first)
            let dismissals = try await world.storage.readTables { db in
                try db.value("SELECT count(*) FROM event WHERE type = 'dismissed'") as Int?
            }
            #expect(dismissals == 1)
            try await world.act(.unread, on: id)
            message = try await world.message(id)
            #expect(message.readAt == nil && message.archivedAt == first)
        }
    }
}
