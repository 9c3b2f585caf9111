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
            storage = try await TestDatabase.storage(for: folder.appending(path: "inbox.sqlite"))
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

        func page(_ part: InboxPart = InboxPart()) async throws -> InboxPage {
            let now = clock.now
            return try await storage.read { reading in
                try reading.inbox(of: person).page(part, counts: UnreadCounts(), now: now)
            }
        }

        func titles(_ tab: InboxTab, _ search: String = "") async throws -> [String] {
            try await page(InboxPart(tab: tab, search: MessageSearch(search))).messages.map(\.title)
        }

        func message(_ id: String) async throws -> Message {
            let found = try await storage.read { reading in
                try reading.inbox(of: person).messages([#require(MessageID(id))]).first
            }
            return try #require(found)
        }

        @discardableResult
        func perform(_ change: MessageChange, on ids: String...) async throws -> DoneAction {
            try await writer.write { transaction in
                try transaction.perform(change, on: ids.compactMap { MessageID($0) }, for: person)
            }
        }

        func undo(_ done: DoneAction) async throws -> Int {
            try await writer.write { transaction in try transaction.undo(done, for: person) }
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
                try transaction.put(settings, of: "offers", if: .none)
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

    @Test func `each tab has its messages, as every screen decides, and its number`() async throws {
        try await withWorld { world in
            let ids = try await world.send((0..<12).map { ["title": .string("\($0)")] })
            let until = world.clock.now.addingTimeInterval(60)
            try await world.perform(.markRead, on: ids[0], ids[1])
            try await world.perform(.archive, on: ids[1], ids[2], ids[3], ids[4])
            try await world.perform(.snooze(until: until), on: ids[3], ids[5], ids[6])
            try await world.perform(.delete, on: ids[4], ids[6], ids[7])
            for time in [0.0, 59.999, 60] {
                world.clock.advance(by: time - world.clock.now.timeIntervalSince(until.addingTimeInterval(-60)))
                var messages: [Message] = []
                for id in ids { messages.append(try await world.message(id)) }
                for tab in InboxTab.allCases {
                    let expected = messages.filter { tab.contains($0, at: world.clock.now) }.map(\.title).reversed()
                    #expect(try await world.titles(tab) == Array(expected), "\(tab) after \(time)")
                }
                let page = try await world.page()
                #expect(page.archived == BoundedCount(count: 3, isExact: true))
                #expect(page.snoozed == BoundedCount(count: time < 60 ? 1 : 0, isExact: true))
                #expect(page.unread.count == (time < 60 ? 4 : 5))
            }
        }
    }

    @Test func `the numbers of the tabs follow the ends of snoozes, from the cache too`() async throws {
        try await withWorld { world in
            let ids = try await world.send(["title": "a"], ["title": "b"])
            let counts = UnreadCounts()
            func snoozed() async throws -> [Int] {
                let now = world.clock.now
                let page = try await world.storage.read { reading in
                    try reading.inbox(of: world.person).page(InboxPart(), counts: counts, now: now)
                }
                return [page.snoozed.count, page.unread.count]
            }
            for (id, seconds) in zip(ids, [60.0, 120]) {
                try await world.perform(.snooze(until: world.clock.now.addingTimeInterval(seconds)), on: id)
            }
            #expect(try await snoozed() == [2, 0])
            world.clock.advance(by: 60)
            #expect(try await snoozed() == [1, 1])
            world.clock.advance(by: 60)
            #expect(try await snoozed() == [0, 2])
        }
    }

    @Test(arguments: ["", "1"])
    func `a tab's pages continue by place while messages arrive`(_ search: String) async throws {
        try await withWorld { world in
            let ids = try await world.send((0..<25).map { ["title": .string("\($0)")] })
            _ = try await world.writer.write { transaction in
                try transaction.perform(.archive, on: ids.compactMap { MessageID($0) }, for: world.person)
            }
            var (part, titles) = (InboxPart(tab: .archived, search: MessageSearch(search), limit: 4), [String]())
            while true {
                let page = try await world.page(part)
                titles += page.messages.map(\.title)
                guard let last = page.messages.last, page.next != nil else { break }
                let new = try await world.send(["title": "1 new"])
                try await world.perform(.archive, on: new[0])
                part.after = DeliveryPlace(last)
            }
            #expect(titles == (0..<25).reversed().map { "\($0)" }.filter { search.isEmpty || $0.contains("1") })
        }
    }

    @Test func `a search has all of its words, and examines a limited number of messages`() async throws {
        try await withWorld { world in
            try await world.send(["title": "Needle in the hay"])
            for _ in 0..<3 { try await world.send((0..<1_000).map { ["title": .string("Hay \($0)")] }) }
            try await world.send(["title": "Café", "body": "needle"])
            var part = InboxPart(search: MessageSearch("NEEDLE"))
            let first = try await world.page(part)
            #expect(first.messages.map(\.title) == ["Café"] && first.isCut)
            part = try #require(first.next)
            #expect(part.after != nil && part.limit == nil && part.search == MessageSearch("NEEDLE"))
            let second = try await world.page(part)
            #expect(second.messages.map(\.title) == ["Needle in the hay"] && !second.isCut && second.next == nil)
            #expect(try await world.titles(.inbox, "cafe needle") == ["Café"])
            #expect(try await world.titles(.archived, "needle") == [])
            #expect(try await world.titles(.inbox, "hay 999") == ["Hay 999", "Hay 999"])
        }
    }

    @Test func `a change skips messages that are deleted, unknown or already changed`() async throws {
        try await withWorld { world in
            let ids = try await world.send(["title": "a"], ["title": "b"], ["title": "c"])
            try await world.perform(.delete, on: ids[0])
            try await world.perform(.archive, on: ids[1])
            let done = try await world.perform(.archive, on: ids[0], ids[1], ids[2], ids[2], "m0000000000000")
            #expect(done.entries.map(\.id.text) == [ids[2]] && done.count == 1)
            #expect(try await world.message(ids[0]).archivedAt == nil)
        }
    }

    @Test func `a repeated action keeps the date of the first`() async throws {
        try await withWorld { world in
            let id = try await world.send(["title": "a"])[0]
            let first = world.clock.now
            for change in [MessageChange.markRead, .archive] { try await world.perform(change, on: id) }
            let message = try await world.message(id)
            func dismiss() async throws {
                _ = try await world.writer.write { transaction in try transaction.dismiss(message, for: world.person) }
            }
            try await dismiss()
            world.clock.advance(by: 60)
            for change in [MessageChange.markRead, .archive, .delete] {
                #expect(try await world.perform(change, on: id).count == 0)
            }
            let now = try await world.message(id)
            #expect(now.readAt == first && now.archivedAt == first && now.deletedAt == first)
            let dismissals = try await world.storage.readTables { db in
                try db.value("SELECT count(*) FROM event WHERE type = 'dismissed'") as Int?
            }
            #expect(dismissals == 1)
            _ = try await world.perform(.undelete, on: id)
            try await world.perform(.markUnread, on: id)
            #expect(try await world.message(id).readAt == nil)
        }
    }

    @Test(arguments: [
        MessageChange.markRead, .markUnread, .archive, .unarchive, .unsnooze, .delete,
        .snooze(until: ManualClock().now.addingTimeInterval(7_200)),
    ])
    func `an undo restores the very dates, once, and nothing that changed since`(_ change: MessageChange) async throws {
        try await withWorld { world in
            let ids = try await world.send(["title": "a"], ["title": "b"], ["title": "c"])
            // The first one had a date before.
            switch change {
            case .markUnread: try await world.perform(.markRead, on: ids[0], ids[1])
            case .unarchive: try await world.perform(.archive, on: ids[0], ids[1])
            case .snooze, .unsnooze:
                try await world.perform(.snooze(until: world.clock.now.addingTimeInterval(3_600)), on: ids[0], ids[1])
            default: break
            }
            world.clock.advance(by: 60)
            var before: [Message] = []
            for id in ids { before.append(try await world.message(id)) }
            let done = try await world.perform(change, on: ids[0], ids[1])
            #expect(done.count == 2 && DoneAction(bytes: done.bytes) == done)
            world.clock.advance(by: 60)
            // The second one is changed since.
            let field = done.field
            let second = try #require(MessageID(ids[1]))
            try await world.writer.write { transaction in
                try transaction.update(
                    second.text,
                    .object(JSONObject([(field.rawValue, "2027-01-01T00:00:00Z")])),
                    for: world.person
                )
            }
            #expect(try await world.undo(done) == 1)
            #expect(try await world.message(ids[0]) == before[0])
            #expect(try await world.message(ids[1]) != before[1])
            #expect(try await world.message(ids[2]) == before[2])
            // The same form, sent again, also after the same change was made again.
            #expect(try await world.undo(done) == 0)
            world.clock.advance(by: 1)
            if case .snooze = change {
            } else {
                try await world.perform(change, on: ids[0])
                let repeated = try await world.message(ids[0])
                #expect(try await world.undo(done) == 0)
                #expect(try await world.message(ids[0]) == repeated)
            }
        }
    }

    @Test func `malformed bytes are no action`() throws {
        let done = DoneAction(allReadAt: 1_000, count: 3)
        #expect(DoneAction(bytes: done.bytes) == done)
        for length in done.bytes.indices { #expect(DoneAction(bytes: done.bytes.prefix(length)) == nil) }
        #expect(DoneAction(bytes: done.bytes + [0]) == nil)
        #expect(DoneAction(bytes: [UInt8]()) == nil)
        #expect(DoneAction(bytes: [99] + done.bytes.dropFirst()) == nil)
        // More messages than are listed.
        #expect(DoneAction(bytes: [0] + done.bytes.dropFirst()) == nil)
    }

    @Test func `marking all as read is undone in parts, of those messages alone`() async throws {
        try await withWorld { world in
            let early = try await world.send(["title": "read before"])
            try await world.perform(.markRead, on: early[0])
            for _ in 0..<2 { try await world.send((0..<1_000).map { ["title": .string("\($0)")] }) }
            world.clock.advance(by: 60)
            let state = try await world.page().state
            let new = try await world.send(["title": "new"])[0]
            var write = MarkAllRead(upToState: state.text, at: world.clock.now, surface: "inbox")
            repeat {
                write.after = try await world.writer.write { [write] transaction in
                    try transaction.markAllRead(write, for: world.person)
                }.after?.text
            } while write.after != nil
            #expect(try await world.titles(.unread) == ["new"])
            try await world.perform(.markRead, on: new)
            let time = write.at.milliseconds
            var (place, counts): (DeliveryPlace?, [Int]) = (nil, [])
            repeat {
                let part = try await world.writer.write { [place] transaction in
                    try transaction.markUnread(readAt: time, after: place, for: world.person)
                }
                counts.append(part.count)
                place = part.after
            } while place != nil
            #expect(counts.reduce(0, +) >= 2_000 && counts.allSatisfy { $0 <= 1_000 })
            #expect(try await world.message(early[0]).readAt != nil)
        }
    }
}
