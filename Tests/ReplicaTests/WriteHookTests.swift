import Foundation
import Groundwork
import ReplicaTesting
import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct WriteHookTests {
    struct Halt: Error {}

    @Test func `a write reports its moments in order`() async throws {
        let moments = Locked<[WriteMoment]>([])
        let notes = try TemporaryStore { moment in moments.withLock { $0.append(moment) } }
        try await notes.pull(note("a"))
        #expect(moments.withLock { $0 } == [.begins, .commits, .isCommitted])
    }

    @Test func `a write that fails right after its commit is durable`() async throws {
        let notes = try TemporaryStore { moment in if moment == .isCommitted { throw Halt() } }
        await #expect(throws: Halt.self) { try await notes.pull(note("a")) }
        #expect(try await notes.ids() == ["a"])
    }

    @Test func `counts in memory are never behind the readable rows`() async throws {
        let (store, isFull) = (Locked<ReplicaStore?>(nil), Locked(false))
        let known = Locked<[[Int]]>([])
        let notes = try TemporaryStore { moment in
            guard moment == .commits, let store = store.withLock({ $0 }) else { return }
            let counts = store.counts(.note)
            known.withLock { $0.append(counts.buckets.flatMap(\.numbers)) }
            if isFull.withLock({ $0 }) { throw Halt() }
        }
        store.withLock { $0 = notes.store }
        defer { store.withLock { $0 = nil } }
        try await notes.pull(note("a"))
        // The counts before the commit include its changes.
        #expect(known.withLock { $0 } == [[1, 0, 0]])
        isFull.withLock { $0 = true }
        await #expect(throws: Halt.self) { try await notes.pull(note("b")) }
        #expect(known.withLock { $0 } == [[1, 0, 0], [2, 0, 0]])
        // The write changed nothing.
        #expect(notes.store.counts(.note).buckets.map(\.numbers) == [[1, 0, 0]])
    }

    @Test func `a write that fails at its commit changes nothing, not even the next due date`() async throws {
        let isFull = Locked(false)
        let notes = try TemporaryStore { moment in
            if moment == .commits, isFull.withLock({ $0 }) { throw Halt() }
        }
        let hiddenUntil = notes.clock.now.addingTimeInterval(10)
        try await notes.pull(note("a", ["hiddenUntil": .string(RFC3339.string(from: hiddenUntil))]))
        isFull.withLock { $0 = true }
        await #expect(throws: Halt.self) { try await notes.mark("a", done: "2026-05-01T08:00:00Z") }
        isFull.withLock { $0 = false }
        #expect(notes.store.nextDue == hiddenUntil)
        notes.clock.advance(by: 10)
        #expect(try await notes.ids("phase = 0") == ["a"])
    }
}
