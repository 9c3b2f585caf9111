import Coverage
import Dispatch
import Eventually
import Foundation
import Groundwork
@testable import InboxClient
import InboxTesting
import SeededRandom
import Testing

@testable import Replica

/// Live lists, compared with fresh reads of the same lists.
@Suite(.timeLimit(.minutes(5))) struct LiveQueryTests {
    /// The read holds its transaction meanwhile, so that its result is from before the change.
    @Test func `a change during the first read is in the next snapshot`() async throws {
        let server = ScriptedServer(person: "alice")
        server.deliver(.at(0, "a"))
        let device = try await Device(server)
        try await device.inbox.sync()
        let (reads, reached, go) = (Locked(0), Locked(false), DispatchSemaphore(value: 0))
        let query = LiveQuery(device.inbox.store, try StoreQuery(Query<Message>(), in: .inbox)) { _ in
            let isFirst = reads.withLock { reads in
                reads += 1
                return reads == 1
            }
            if isFirst {
                reached.withLock { $0 = true }
                go.wait()
            }
            return 0
        }
        let seen = Locked<[Bool]>([])
        let observing = Task {
            for try await snapshot in query {
                seen.withLock { $0.append(snapshot.records.first?.isUnread ?? false) }
            }
        }
        #expect(try await eventually { reached.withLock(\.self) })
        try await device.inbox.markRead("a")
        go.signal()
        #expect(try await eventually { seen.withLock(\.self) == [true, false] })
        observing.cancel()
        _ = await observing.result
    }

    @Test(arguments: 1...(ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] == nil ? 4 : 12))
    func `each snapshot equals a fresh read, and its changes transform the last one`(seed: Int) async throws {
        var random = Seeded(UInt64(seed))
        let server = ScriptedServer(person: "alice")
        let device = try await Device(server) { configuration in
            configuration.deviceLimit = .newest(40)
            configuration.newDeviceLimit = .newest(25)
        }
        let inbox = device.inbox
        var number = 0
        let (query, filter) = Self.queries[seed % Self.queries.count]
        var snapshots = inbox.observe(query, in: filter).makeAsyncIterator()
        var last = try #require(try await snapshots.next())
        #expect(last.changes.isEmpty == last.items.isEmpty)
        for step in 0..<60 {
            let known = server.messages.map(\.id)
            let some = known.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1:
                for _ in 0..<Int.random(in: 1...(step == 0 ? 60 : 4), using: &random) {
                    number += 1
                    server.deliver(message(number, device.clock, &random))
                }
                try await inbox.sync()
            case 2:
                // The sender replaces the message's date and content.
                for id in some { server.deliver(message(Int(id.dropFirst()) ?? 0, device.clock, &random)) }
                try await inbox.sync()
            case 3:
                for id in some { server.recall(id) }
                try await inbox.sync()
            case 4: try await inbox.markRead(Array(some))
            case 5: try await inbox.markUnread(Array(some))
            case 6: try await inbox.delete(Array(some.prefix(1)))
            case 7:
                try await inbox.snooze(
                    Array(some),
                    until: device.clock.after(Double(Int.random(in: 1...50, using: &random)))
                )
            default:
                device.clock.advance(by: Double(Int.random(in: 1...40, using: &random)))
                try await device.inbox.store.advance()
            }
            let fresh = try await inbox.fetch(query, in: filter)
            let (counts, pending) = (try await inbox.counts(), try await inbox.status().pendingWrites)
            guard fresh != last.items || counts != last.counts || pending != last.pendingWrites else { continue }
            let next = try #require(try await snapshots.next())
            #expect(next.items == fresh, "step \(step)")
            #expect(next.changes.applied(to: last.items, from: next.items) == next.items, "step \(step)")
            // Only inserted items are taken from the new list.
            #expect(Self.applied(next.changes, last.items, next.items) == next.items.map(\.id), "step \(step)")
            #expect(next.counts == counts && next.pendingWrites == pending)
            last = next
        }
        #expect(number > 10)
    }

    private static let queries: [(Query<Message>, MessageFilter)] = [
        (Query(limit: 10), .inbox), (Query(), .inbox), (Query(limit: 5, offset: 3), .active), (Query(), .unread),
        (Query(where: #Predicate { $0.priority > 0 && $0.isUnread }, limit: 8), .inbox),
        (Query(where: #Predicate { $0.title.localizedStandardContains("b") }, limit: 6), .active),
        (Query(sort: [SortDescriptor(\.priority, order: .reverse)], limit: 4), .inbox),
        (Query(sort: [SortDescriptor(\.title, comparator: .lexical), SortDescriptor(\Message.deliverAt)]), .active),
        (Query(limit: 0), .inbox), (Query(), .snoozed), (Query(), .deleted), (Query(limit: 1), .read),
    ]

    private func message(_ number: Int, _ clock: ManualClock, _ random: inout Seeded) -> Message {
        Message(
            id: "m\(number)",
            title: ["a", "b", "Bä", "c"].randomElement(using: &random)!,
            priority: Int.random(in: -2...2, using: &random),
            deliverAt: clock.after(-Double(Int.random(in: 0...500, using: &random))),
            expiresAt: random.chance(0.2) ? clock.after(Double(Int.random(in: 1...200, using: &random))) : nil
        )
    }

    private static func applied(_ changes: ListChanges, _ old: [Message], _ new: [Message]) -> [String] {
        changes.applied(to: old.map(\.id), from: new.map(\.id))
    }

    @Test func `changes between random lists transform one into the other with fewest moves`() {
        var random = Seeded(5)
        for _ in 0..<2_000 {
            let old = Array(0..<Int.random(in: 0...9, using: &random)).shuffled(using: &random)
            let kept = old.filter { _ in random.chance(0.8) }
            var new = random.chance(0.5) ? kept : kept.shuffled(using: &random)
            for arrival in 100..<(100 + Int.random(in: 0...3, using: &random)) {
                new.insert(arrival, at: Int.random(in: 0...new.count, using: &random))
            }
            let updated = Set(kept.filter { _ in random.chance(0.3) })
            let changes = ListChanges(from: old, to: new, id: { $0 }, isChanged: { updated.contains($1) && $0 == $1 })
            #expect(changes.applied(to: old, from: new) == new)
            #expect(changes.updates == new.indices.filter { updated.contains(new[$0]) })
            #expect(changes.deletions == old.indices.filter { !new.contains(old[$0]) })
            if new.filter(old.contains) == old.filter(new.contains) { #expect(changes.moves.isEmpty) }
            #expect(changes.isEmpty == (old == new && updated.isEmpty))
        }
    }

    @Test func `one moved item is one move`() {
        let changes = ListChanges(
            from: [1, 2, 3, 4, 5],
            to: [2, 3, 4, 1, 5],
            id: { $0 },
            isChanged: { _, _ in false }
        )
        #expect(changes.moves == [ListChanges.Move(from: 0, to: 3)])
        #expect(changes.deletions.isEmpty && changes.insertions.isEmpty && changes.updates.isEmpty)
    }

    @Test func `the largest limit and offset work like none`() async throws {
        let server = ScriptedServer(person: "alice")
        server.deliver(.at(-1, "a"), .at(-2, "b"))
        let device = try await Device(server)
        try await device.inbox.sync()
        var snapshots = device.inbox.observe(limit: .max).makeAsyncIterator()
        #expect(try await snapshots.next()?.items.count == 2)
        try await device.inbox.markRead("a")
        #expect(try await snapshots.next()?.changes.updates == [0])
        let search = Query<Message>(
            where: #Predicate { $0.title.localizedStandardContains("title") },
            limit: .max,
            offset: 1
        )
        #expect(try await device.inbox.fetch(search).map(\.id) == ["b"])
        #expect(try await device.inbox.fetch(Query(offset: .max)).isEmpty)
    }

    @Test func `an unsupported query throws at once`() async throws {
        let device = try await Device(ScriptedServer(person: "alice"))
        var snapshots = device.inbox.observe(Query(where: #Predicate { $0.priority * 2 > 2 })).makeAsyncIterator()
        let error = await #expect(throws: InboxError.self) { try await snapshots.next() }
        #expect(error?.code == .invalidArgument)
    }

    @Test(.rulesOut(.knock544)) func `an observation ends with its task and leaves no listener`() async throws {
        let device = try await Device(ScriptedServer(person: "alice"))
        // The listener that advances time.
        let before = 1
        #expect(try await eventually { device.inbox.store.changes.listenerCount == before })
        let received = LatestValue(0)
        let task = Task {
            for try await _ in device.inbox.observe() { received.set(1) }
        }
        for await value in received.values() where value == 1 { break }
        #expect(device.inbox.store.changes.listenerCount == before + 1)
        task.cancel()
        try await task.value
        #expect(try await eventually { device.inbox.store.changes.listenerCount == before })
    }

    /// More rows are cached than shown. These run out.
    @Test(arguments: [33, 40, 100])
    func `removing more rows than are cached shows the next ones`(count: Int) async throws {
        let server = ScriptedServer(person: "alice")
        let device = try await Device(server) { configuration in
            configuration.deviceLimit = .all
            configuration.newDeviceLimit = .all
        }
        for number in 0..<200 { server.deliver(.at(Double(-number), "m\(number)")) }
        try await device.inbox.sync()
        var snapshots = device.inbox.observe(limit: 5).makeAsyncIterator()
        #expect(try await snapshots.next()?.items.map(\.id) == (0..<5).map { "m\($0)" })
        for number in 0..<count { server.recall("m\(number)") }
        try await device.inbox.sync()
        #expect(try await snapshots.next()?.items.map(\.id) == (count..<count + 5).map { "m\($0)" })
    }

    @Test func `removing more rows than are tracked reads the list again`() async throws {
        let server = ScriptedServer(person: "alice")
        let device = try await Device(server) { configuration in
            configuration.deviceLimit = .all
            configuration.newDeviceLimit = .all
        }
        for number in 0..<1_500 { server.deliver(.at(Double(-number), "m\(number)")) }
        try await device.inbox.sync()
        var snapshots = device.inbox.observe(limit: 5).makeAsyncIterator()
        #expect(try await snapshots.next()?.items.count == 5)
        for number in 0..<1_400 { server.recall("m\(number)") }
        try await device.inbox.sync()
        #expect(try await snapshots.next()?.items.map(\.id) == ["m1400", "m1401", "m1402", "m1403", "m1404"])
    }
}
