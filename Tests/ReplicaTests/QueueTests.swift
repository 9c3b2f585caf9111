import Groundwork
import ReplicaTesting
import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct QueueTests {
    private func record(_ uid: String, isExpendable: Bool = false) -> QueuedRecord {
        QueuedRecord(uid: uid, json: ["uid": .string(uid)], isExpendable: isExpendable)
    }

    private func uids(_ notes: TemporaryStore) async throws -> [String] {
        try await notes.store.read { db in try db.queued(.noteEvent, limit: 100).map(\.uid) }
    }

    @Test func `queued records keep their order, each uid once`() async throws {
        let notes = try TemporaryStore()
        try await notes.store.write { writer in
            try writer.enqueue(.noteEvent, [record("b"), record("a"), record("b")])
        }
        #expect(try await uids(notes) == ["b", "a"])
        #expect(try await notes.store.read { db in try db.queued(.noteEvent, limit: 1) } == [record("b")])
    }

    @Test func `a full queue drops expendable records first, then the oldest, and counts them`() async throws {
        let notes = try TemporaryStore()
        func add(_ records: QueuedRecord...) async throws {
            try await notes.store.write { writer in try writer.enqueue(.noteEvent, records) }
        }
        try await add(record("1"), record("2", isExpendable: true), record("3"), record("4"), record("5"))
        try await add(record("6"))
        #expect(try await uids(notes) == ["1", "3", "4", "5", "6"])
        try await add(record("7"))
        #expect(try await uids(notes) == ["3", "4", "5", "6", "7"])
        try await add(record("8", isExpendable: true))
        #expect(try await uids(notes) == ["3", "4", "5", "6", "7"], "the new expendable record is dropped first")
        #expect(try await notes.store.read { db in try db.droppedCount() } == 3)
    }

    @Test func `queue positions aren't reused, so the order stays`() async throws {
        let notes = try TemporaryStore()
        try await notes.store.write { writer in
            try writer.enqueue(.noteEvent, [record("1"), record("2")])
            try writer.dequeue(.noteEvent, ["2", "unknown"])
            try writer.enqueue(.noteEvent, [record("3"), record("4"), record("5"), record("6"), record("7")])
        }
        #expect(try await uids(notes) == ["3", "4", "5", "6", "7"])
        #expect(try await notes.store.read { db in try db.droppedCount() } == 1)
    }
}
