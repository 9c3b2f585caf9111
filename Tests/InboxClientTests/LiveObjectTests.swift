import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxTesting
import Observation
import Testing

@testable import Replica

@MainActor
@Suite(.timeLimit(.minutes(5))) struct LiveObjectTests {
    @Test func `one id has one live object, which is changed in place`() async throws {
        let server = ScriptedServer(person: "alice")
        server.deliver(.at(-1, "a"), .at(-2, "b"))
        let device = try await Device(server)
        try await device.inbox.sync()
        async let first = device.inbox.live("a")
        async let second = device.inbox.live("a")
        let (one, other) = (try #require(try await first), try #require(try await second))
        #expect(one === other)
        let b = try #require(try await device.inbox.live("b"))
        #expect(one.title == "Title of a" && one.isUnread)

        let notified = Locked<[String]>([])
        let observer = NotificationCenter.default.addObserver(forName: .liveObjectDidChange, object: one, queue: nil) {
            _ in
            notified.withLock { $0.append("a") }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let isObserved = Locked(false)
        withObservationTracking {
            _ = one.value
        } onChange: {
            isObserved.withLock { $0 = true }
        }
        try await device.inbox.markRead("a")
        #expect(try await eventually { await MainActor.run { !one.isUnread } })
        #expect(notified.withLock { $0 } == ["a"])
        #expect(isObserved.withLock { $0 })
        #expect(b.isUnread)

        // Deleted and restored.
        try await device.inbox.delete("a")
        #expect(try await eventually { await MainActor.run { one.isGone } })
        #expect(try await device.inbox.live("a") === one)
        try await device.inbox.undelete(["a"])
        #expect(try await eventually { await MainActor.run { !one.isGone } })
        #expect(notified.withLock { $0.count } == 3)
        server.recall("b")
        try await device.inbox.sync()
        #expect(try await eventually { await MainActor.run { b.isGone } })
        #expect(b.title == "Title of b")
    }

    @Test(arguments: [true, false])
    func `live objects are gone after closing the inbox or signing out`(signsOut: Bool) async throws {
        let server = ScriptedServer(person: "alice")
        server.deliver(.at(-1, "a"))
        let device = try await Device(server)
        try await device.inbox.sync()
        let object = try #require(try await device.inbox.live("a"))
        let notified = Locked(0)
        let observer = NotificationCenter.default.addObserver(
            forName: .liveObjectDidChange,
            object: object,
            queue: nil
        ) { _ in notified.withLock { $0 += 1 } }
        defer { NotificationCenter.default.removeObserver(observer) }
        if signsOut { try await device.inbox.signOut() } else { await device.inbox.close() }
        #expect(try await eventually { await MainActor.run { object.isGone } })
        #expect(notified.withLock { $0 } == 1)
        await #expect(throws: InboxError.self) { try await device.inbox.live("a") }
    }

    @Test func `live objects are gone once the inbox is deallocated`() async throws {
        let server = ScriptedServer(person: "alice")
        server.deliver(.at(-1, "a"))
        var device: Device? = try await Device(server)
        try await device?.inbox.sync()
        let object = try #require(try await device?.inbox.live("a"))
        device = nil
        #expect(try await eventually { await MainActor.run { object.isGone } })
    }

    @Test func `a missing message has no live object`() async throws {
        let server = ScriptedServer(person: "alice")
        server.deliver(.at(-1, "a"))
        let device = try await Device(server)
        #expect(try await device.inbox.live("a") == nil)
        try await device.inbox.sync()
        #expect(try await device.inbox.live("unknown") == nil)
        #expect(try await device.inbox.live("a") != nil)
        try await device.inbox.delete("a")
        await device.inbox.close()
        await #expect(throws: InboxError.self) { try await device.inbox.live("b") }
    }

    @Test func `an unreferenced live object is released, and the last one with its listener`() async throws {
        let server = ScriptedServer(person: "alice")
        server.deliver(.at(-1, "a"))
        let device = try await Device(server)
        let store = device.inbox.store
        // The listener that advances time.
        let before = 1
        #expect(try await eventually { store.changes.listenerCount == before })
        try await device.inbox.sync()
        var object = try await device.inbox.live("a")
        #expect(try await eventually { store.changes.listenerCount == before + 1 })
        weak let weakObject = object
        object = nil
        #expect(weakObject == nil)
        try await device.inbox.markRead("a")
        // It ends at the next change.
        #expect(try await eventually { store.changes.listenerCount == before && store.observers.isEmpty })
        object = try await device.inbox.live("a")
        #expect(object?.isUnread == false)
        try await device.inbox.markUnread("a")
        #expect(try await eventually { await MainActor.run { object?.isUnread == true } })
    }

    @Test func `the latest counts are read from memory, also by surface and category`() async throws {
        let server = ScriptedServer(person: "alice")
        let now = ManualClock().now
        server.deliver(
            Message(id: "a", surface: "inbox", title: "x", category: "orders", deliverAt: now),
            Message(id: "b", surface: "inbox", title: "x", deliverAt: now),
            Message(id: "c", surface: "news", title: "x", category: "orders", deliverAt: now)
        )
        let device = try await Device(server)
        #expect(device.inbox.latestCounts() == MessageCounts(isExact: false))
        try await device.inbox.sync()
        try await device.inbox.markRead("a")
        #expect(device.inbox.latestCounts() == MessageCounts(total: 3, unread: 2, unseen: 2))
        #expect(device.inbox.latestCounts(surface: "inbox") == MessageCounts(total: 2, unread: 1, unseen: 1))
        #expect(device.inbox.latestCounts(category: "orders") == MessageCounts(total: 2, unread: 1, unseen: 1))
        #expect(
            device.inbox.latestCounts(surface: "inbox", category: "") == MessageCounts(total: 1, unread: 1, unseen: 1)
        )
        #expect(device.inbox.latestCounts() == (try await device.inbox.counts()))
        let again = try await Device(server, directory: device.directory)
        #expect(again.inbox.latestCounts() == device.inbox.latestCounts())
    }
}
