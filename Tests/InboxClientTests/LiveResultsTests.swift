import Coverage
import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxTesting
import Observation
import Testing

@testable import Replica

@MainActor
@Suite(.timeLimit(.minutes(5))) struct LiveResultsTests {
    /// A delegate that records its calls.
    private final class Listener: LiveResultsDelegate {
        typealias Record = Message

        enum Call: Equatable {
            case changed([String])
            case altered([String], ListChanges)
            case failed(InboxError.Code?)
            case completed
        }

        private(set) var calls: [Call] = []

        func resultsDidReload(_ results: LiveResults<Message>) {
            calls.append(.changed(results.items.map(\.id)))
        }

        func results(_ results: LiveResults<Message>, didChange changes: ListChanges) {
            calls.append(.altered(results.items.map(\.id), changes))
        }

        func results(_ results: LiveResults<Message>, didFailWith error: any Error) {
            calls.append(.failed((error as? InboxError)?.code))
        }

        func resultsDidRefresh(_ results: LiveResults<Message>) { calls.append(.completed) }

        /// Returns the call with an index, waiting for it.
        func call(_ number: Int) async throws -> Call {
            try #require(await eventually { await MainActor.run { self.calls.count > number } }, "after \(calls)")
            return calls[number]
        }
    }

    @Test func `the delegate receives the stored list, then the fetch's end, then each change`() async throws {
        let server = ScriptedServer(person: "alice")
        server.deliver(.at(-2, "a"), .at(-1, "b"))
        let device = try await Device(server)
        let results = device.inbox.results(where: #Predicate { $0.isUnread })
        let listener = Listener()
        results.delegate = listener
        #expect(try await listener.call(0) == .changed([]))
        // The change and the end of the fetch arrive in either order.
        let calls = [try await listener.call(1), try await listener.call(2)]
        #expect(calls.contains(.completed))
        #expect(results.items.map(\.id) == ["b", "a"])

        try await device.inbox.markRead("b")
        guard case .altered(let ids, let changes) = try await listener.call(3) else { throw CancellationError() }
        #expect(ids == ["a"])
        #expect(changes.deletions == [0] && changes.insertions.isEmpty && changes.updates.isEmpty)
        try await device.inbox.markUnread("b")
        guard case .altered(_, let back) = try await listener.call(4) else { throw CancellationError() }
        #expect(back.insertions == [0] && back.deletions.isEmpty)
    }

    @Test func `before the first sync, results report that they have not synced`() async throws {
        let server = ScriptedServer(person: "alice")
        let device = try await Device(server)
        let results = device.inbox.results(cachePolicy: .cacheOnly)
        let listener = Listener()
        results.delegate = listener
        #expect(try await listener.call(0) == .changed([]))
        #expect(!results.hasSynced)
        try await device.inbox.sync()
        #expect(try await eventually { results.hasSynced })
        #expect(results.items.isEmpty)
    }

    @Test func `changes to predicate, sort and range while running are applied together`() async throws {
        let server = ScriptedServer(person: "alice")
        for number in 0..<6 { server.deliver(.at(Double(-number), "m\(number)", pinned: number % 2 == 0)) }
        let device = try await Device(server)
        try await device.inbox.sync()
        let synced = device.transport.requests.count
        let results = device.inbox.results(range: 0..<2, cachePolicy: .cacheOnly)
        let listener = Listener()
        results.delegate = listener
        #expect(try await listener.call(0) == .changed(["m0", "m1"]))
        results.range = 0..<4
        results.predicate = #Predicate { $0.isPinned }
        results.sortDescriptors = [SortDescriptor(\.deliverAt)]
        results.range = 1..<3
        #expect(try await listener.call(1) == .changed(["m2", "m0"]))
        // The earlier sync sent the only requests.
        #expect(device.transport.requests.count == synced)
        await results.refresh()
        #expect(try await listener.call(2) == .completed)
        #expect(device.transport.requests.count > synced)
        results.range = -5..<1
        guard case .altered(["m4"], let changes) = try await listener.call(3) else { throw CancellationError() }
        #expect(changes.deletions == [0, 1] && changes.insertions == [0])
    }

    @Test func `a growing range adds to the items without a request`() async throws {
        let server = ScriptedServer(person: "alice")
        for number in 0..<6 { server.deliver(.at(Double(-number), "m\(number)")) }
        let device = try await Device(server)
        try await device.inbox.sync()
        let results = device.inbox.results(range: 0..<2)
        let listener = Listener()
        results.delegate = listener
        #expect(try await listener.call(0) == .changed(["m0", "m1"]))
        #expect(try await listener.call(1) == .completed)
        let requests = device.transport.requests.count
        results.range = 0..<4
        guard case .altered(["m0", "m1", "m2", "m3"], let more) = try await listener.call(2) else {
            throw CancellationError()
        }
        #expect(more.insertions == [2, 3] && more.deletions.isEmpty && more.moves.isEmpty && more.updates.isEmpty)
        // A change in the meantime is part of the differences, and later differences start there.
        try await device.inbox.markRead("m1")
        results.range = 0..<600
        #expect(
            try await eventually { await MainActor.run { results.items.count == 6 && !results.items[1].isUnread } }
        )
        let calls = listener.calls.count
        try await device.inbox.archive("m5")
        guard case .altered(_, let fewer) = try await listener.call(calls) else { throw CancellationError() }
        #expect(fewer.deletions == [5] && fewer.insertions.isEmpty && fewer.updates.isEmpty)
        #expect(device.transport.requests.count == requests)
        // Setting the same value is no change.
        results.sortDescriptors = []
        results.range = 0..<600
        results.predicate = #Predicate { $0.priority == 0 }
        #expect(try await listener.call(calls + 1) == .changed(["m0", "m1", "m2", "m3", "m4"]))
        #expect(try await listener.call(calls + 2) == .completed)
        #expect(device.transport.requests.count > requests)
    }

    @Test func `a busy main actor receives the newest list with the changes from its own`() async throws {
        let server = ScriptedServer(person: "alice")
        let ids = (0..<12).map { "m\($0)" }
        for (number, id) in ids.enumerated() { server.deliver(.at(Double(-number), id)) }
        let device = try await Device(server)
        try await device.inbox.sync()
        let results = device.inbox.results(cachePolicy: .cacheOnly)
        let listener = Listener()
        results.delegate = listener
        #expect(try await listener.call(0) == .changed(ids))
        holdMainActor { [inbox = device.inbox] in
            // Another observer receives each change.
            var snapshots = inbox.observe().makeAsyncIterator()
            _ = try? await snapshots.next()
            for id in ids {
                _ = try? await inbox.archive(id)
                _ = try? await snapshots.next()
            }
        }
        #expect(try await eventually { await MainActor.run { results.items.isEmpty } })
        var shown = ids
        for case .altered(let now, let changes) in listener.calls.dropFirst() {
            shown = changes.applied(to: shown, from: now)
            #expect(shown == now)
        }
        #expect(
            (2...3).contains(listener.calls.count),
            "a waiting one and the newest: \(listener.calls)"
        )
    }

    /// Blocks the main actor until the work is done.
    private func holdMainActor(until work: @escaping @Sendable () async -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            await work()
            done.signal()
        }
        done.wait()
    }

    @Test func `a failed fetch is reported, and the items stay`() async throws {
        let server = ScriptedServer(person: "alice")
        server.deliver(.at(-1, "a"))
        let device = try await Device(server)
        try await device.inbox.sync()
        device.disconnect()
        let results = device.inbox.results()
        let listener = Listener()
        results.delegate = listener
        #expect(try await listener.call(0) == .changed(["a"]))
        #expect(try await listener.call(1) == .failed(.notConnected))
        #expect(results.items.map(\.id) == ["a"] && !results.isRefreshing)
        results.predicate = #Predicate { $0.priority * 2 > 2 }
        #expect(try await listener.call(2) == .failed(.invalidArgument))
    }

    @Test(arguments: [true, false])
    func `results are empty after closing the inbox or signing out`(signsOut: Bool) async throws {
        let server = ScriptedServer(person: "alice")
        server.deliver(.at(-1, "a"))
        let device = try await Device(server)
        try await device.inbox.sync()
        let results = device.inbox.results(cachePolicy: .cacheOnly)
        let listener = Listener()
        results.delegate = listener
        #expect(try await listener.call(0) == .changed(["a"]))
        if signsOut { try await device.inbox.signOut() } else { await device.inbox.close() }
        #expect(try await listener.call(1) == .changed([]))
        #expect(results.items.isEmpty)
    }

    @Test func `observation reports each change of the items`() async throws {
        let server = ScriptedServer(person: "alice")
        server.deliver(.at(-1, "a"))
        let device = try await Device(server)
        try await device.inbox.sync()
        let results = device.inbox.results(cachePolicy: .cacheOnly)
        let notified = Locked(0)
        func observe() {
            withObservationTracking {
                _ = results.items
            } onChange: {
                notified.withLock { $0 += 1 }
            }
        }
        observe()
        #expect(try await eventually { await MainActor.run { results.items.map(\.id) == ["a"] } })
        #expect(notified.withLock { $0 } == 1)
        observe()
        try await device.inbox.markRead("a")
        #expect(try await eventually { await MainActor.run { results.items.first?.isUnread == false } })
        #expect(notified.withLock { $0 } == 2)
    }

    @Test(.rulesOut(.knock544)) func `unreferenced results end their listeners`() async throws {
        let device = try await Device(ScriptedServer(person: "alice"))
        let store = device.inbox.store
        // The listener that advances time.
        let before = 1
        #expect(try await eventually { store.changes.listenerCount == before && store.observers.isEmpty })
        let listener = Listener()
        var results: LiveResults<Message>? = device.inbox.results(cachePolicy: .cacheOnly)
        results?.delegate = listener
        _ = try await listener.call(0)
        #expect(store.changes.listenerCount == before + 1 && !store.observers.isEmpty)
        weak let weakObject = results
        results = nil
        #expect(try await eventually { await MainActor.run { weakObject == nil } })
        #expect(try await eventually { store.changes.listenerCount == before && store.observers.isEmpty })
        try await device.inbox.markAllRead()
    }

    @Test func `unreferenced results are released during a request`() async throws {
        let device = try await Device(ScriptedServer(person: "alice"))
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        device.transport.answer { [server = device.server] request in
            for await _ in gate {}
            return server.answer(request)
        }
        var results: LiveResults<Message>? = device.inbox.results()
        #expect(try await eventually { device.transport.requests.count == 1 })
        #expect(results?.isRefreshing == true)
        weak let weakObject = results
        results = nil
        #expect(try await eventually { await MainActor.run { weakObject == nil } })
        open.finish()
        #expect(try await eventually { try await device.inbox.status().lastSync != nil })
    }
}
