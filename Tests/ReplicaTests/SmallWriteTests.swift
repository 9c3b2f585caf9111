import Dispatch
import Eventually
import Foundation
import GRDB
import Groundwork
import ReplicaTesting
import Testing

@testable import Replica

/// Writes of few records, which may run on the calling thread.
@Suite(.timeLimit(.minutes(5))) struct SmallWriteTests {
    private func patience(_ writer: StoreWriter) throws -> Int? {
        try Int.fetchOne(writer.db, sql: "PRAGMA busy_timeout")
    }

    @Test func `a small write doesn't wait for another process, and a larger one does`() async throws {
        let notes = try TemporaryStore()
        #expect(try await notes.store.write(records: 1) { writer in try patience(writer) } == 0)
        #expect(try await notes.store.write(records: 1_000) { writer in try patience(writer) } == 10_000)
        #expect(try await notes.store.write { writer in try patience(writer) } == 10_000)
    }

    @Test func `a small write succeeds after another process has written`() async throws {
        let begun = Locked(0)
        let notes = try TemporaryStore { moment in if moment == .begins { begun.withLock { $0 += 1 } } }
        try await notes.pull(note("a"))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: notes.store.location.file.path, configuration: configuration)
        try await other.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
        let write = Task { [store = notes.store] in
            try await store.write(records: 1) { writer in (try patience(writer), try writer.db.revision()) }
        }
        #expect(try await eventually { begun.withLock { $0 } == 2 })
        try await other.writeWithoutTransaction { db in
            try db.execute(sql: "UPDATE store SET revision = revision + 1; COMMIT")
        }
        let revision = try await notes.store.read { db in try db.revision() }
        #expect(try await write.value.1 == revision)
    }

    @Test func `small writes that wait for a longer one block no thread of tasks`() async throws {
        let notes = try TemporaryStore()
        let store = notes.store
        let (isUnderWay, mayEnd) = (Locked(false), DispatchSemaphore(value: 0))
        let long = Task {
            try await store.write { _ in
                isUnderWay.withLock { $0 = true }
                mayEnd.wait()
            }
        }
        #expect(try await eventually { isUnderWay.withLock { $0 } })
        // More than there are threads.
        let small = (0..<100).map { _ in
            Task { try await store.write(records: 1) { writer in try patience(writer) } }
        }
        #expect(try await eventually { store.writes.withLock { $0 } == 101 })
        mayEnd.signal()
        try await long.value
        for write in small { #expect(try await write.value == 10_000) }
        #expect(try await store.write(records: 1) { writer in try patience(writer) } == 0)
    }

    /// Such as when mail is opened in an inbox's file.
    @Test func `a small write that waits for types to be added blocks no thread of tasks`() async throws {
        let notes = try TemporaryStore()
        let store = notes.store
        let (isUnderWay, mayEnd) = (Locked(false), DispatchSemaphore(value: 0))
        let type = RecordType(
            name: "Shelf",
            capability: RecordType.noteCapability,
            table: "shelf",
            columns: [],
            window: .derived,
            derive: { _ in
                guard !isUnderWay.withLock({ exchange(&$0, with: true) }) else { return }
                mayEnd.wait()
            }
        )
        let adding = Task { try await onNewThread { try store.add([type]) } }
        #expect(try await eventually { isUnderWay.withLock { $0 } })
        let write = Task { try await store.write(records: 1) { writer in try patience(writer) } }
        #expect(try await eventually { store.writes.withLock { $0 } == 2 })
        mayEnd.signal()
        #expect(try await adding.value)
        #expect(try await write.value == 10_000)
    }

    @Test func `a small write of a cancelled task changes nothing`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a"))
        let write = Task { [store = notes.store, type = notes.type] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.write(records: 1) { writer in
                try writer.update(type, type.doneAt, to: "2026-05-01T08:00:00Z", ids: ["a"])
            }
        }
        await #expect(throws: CancellationError.self) { try await write.value }
        #expect(try await notes.ids("doneAt IS NULL") == ["a"])
    }

    @Test func `a small write called before the file is closed finds the store closed`() async throws {
        let opened = Locked<ReplicaStore?>(nil)
        let notes = try TemporaryStore { moment in
            // Between the call and the transaction, another task closes the file.
            guard moment == .begins, let store = opened.withLock({ $0 }) else { return }
            store.state.withLock { $0.isClosed = true }
            try store.pool.close()
        }
        let store = notes.store
        opened.withLock { $0 = store }
        await #expect {
            try await store.write(records: 1) { writer in try patience(writer) }
        } throws: { error in
            guard case StoreError.closed = error else { return false }
            return true
        }
        opened.withLock { $0 = nil }
    }
}
