import Foundation
import GRDB
import Groundwork
import JMAP
import ReplicaTesting
import Testing

@testable import Replica

/// Annotations of writes in a patch.
@Suite(.timeLimit(.minutes(5))) struct AnnotationsTests {
    let day1 = "2026-05-01T08:00:00Z"
    let day2 = "2026-05-02T08:00:00Z"

    /// Notes whose writes are annotated with their writer's agreement.
    private func notes() async throws -> TemporaryStore {
        var type = RecordType.note
        type.annotations = ["agreed"]
        let notes = try TemporaryStore(type)
        try await notes.pull(note("a"), note("b"))
        return notes
    }

    /// Marks a note done or undone, annotated with the writer's agreement.
    private func mark(_ notes: TemporaryStore, done: String?, agreed: Bool) async throws {
        let type = notes.type
        let value = done.map(JSON.string) ?? .null
        try await notes.store.write { writer in
            _ = try writer.update(type, type.doneAt, to: value, ids: ["a"])
            try writer.annotate(type, "agreed", agreed, of: "a")
        }
    }

    private func color(_ notes: TemporaryStore, _ color: String, agreed: Bool) async throws {
        let type = notes.type
        try await notes.store.write { writer in
            _ = try writer.update(type, type.color, to: .string(color), ids: ["a"])
            try writer.annotate(type, "agreed", agreed, of: "a")
        }
    }

    private func pendingCount(_ notes: TemporaryStore) async throws -> Int {
        let type = notes.type
        return try await notes.store.read { db in try db.pendingCount([type]) }
    }

    @Test func `an annotation is sent in its write's patch and counts as the same write`() async throws {
        let notes = try await notes()
        try await mark(notes, done: day1, agreed: true)
        #expect(try await pendingCount(notes) == 1)
        let sealed = try #require(try await notes.seal(1))
        #expect(sealed.update == ["a": ["doneAt": .string(day1), "agreed": true]])
        try await notes.answer(sealed)
        #expect(try await notes.pending() == [])
    }

    @Test(arguments: [(true, true, true), (true, false, false), (false, true, false), (false, false, false)])
    func `of two pending writes, an annotation of false wins over true`(first: Bool, second: Bool, both: Bool)
        async throws
    {
        let notes = try await notes()
        try await mark(notes, done: day1, agreed: first)
        try await color(notes, "red", agreed: second)
        let sealed = try #require(try await notes.seal(1))
        #expect(sealed.update["a"]?["agreed"] == .bool(both))
    }

    @Test func `an annotation without a pending write isn't kept`() async throws {
        let notes = try await notes()
        let type = notes.type
        try await notes.store.write { writer in try writer.annotate(type, "agreed", true, of: "a") }
        #expect(try await notes.pending() == [])
        try await mark(notes, done: day1, agreed: true)
        try await mark(notes, done: nil, agreed: false)
        #expect(try await notes.pending() == [], "it is removed with the write")
        #expect(try await pendingCount(notes) == 0)
    }

    @Test func `a sealed batch keeps its annotation, and a later write has its own`() async throws {
        let notes = try await notes()
        try await mark(notes, done: day1, agreed: true)
        let sealed = try #require(try await notes.seal(1))
        try await color(notes, "red", agreed: false)
        #expect(try await notes.seal(2) == sealed)
        try await notes.answer(sealed)
        #expect(try await notes.pending() == ["a agreed false", "a color \"red\""])
    }

    @Test(arguments: [(true, false), (false, true), (false, false)])
    func `when a batch is unsealed, an annotation of false wins over true`(first: Bool, second: Bool) async throws {
        let notes = try await notes()
        let type = notes.type
        try await mark(notes, done: day1, agreed: first)
        _ = try await notes.seal(1)
        try await color(notes, "red", agreed: second)
        try await notes.store.write { writer in try writer.unseal(type) }
        #expect(
            try await notes.pending() == ["a agreed false", "a color \"red\"", "a doneAt \"\(day1)\""]
        )
    }

    @Test func `a write that is undone and repeated while in flight leaves no annotation`() async throws {
        let notes = try await notes()
        try await mark(notes, done: day1, agreed: true)
        let sealed = try #require(try await notes.seal(1))
        try await mark(notes, done: nil, agreed: true)
        try await mark(notes, done: day1, agreed: true)
        try await notes.answer(sealed)
        #expect(try await notes.pending() == [])
    }

    @Test func `a refused write is reported without its annotation`() async throws {
        let notes = try await notes()
        let type = notes.type
        try await mark(notes, done: day1, agreed: true)
        let sealed = try #require(try await notes.seal(1))
        let lost = try await notes.store.write { writer in try writer.answer(type, sealed, refused: ["a"]) }
        #expect(lost.map(\.path) == ["doneAt"])
        #expect(try await notes.pending() == [])
    }

    @Test func `a damaged annotation reads as false and is deleted with its write`() async throws {
        let notes = try await notes()
        let type = notes.type
        try await mark(notes, done: day1, agreed: true)
        let (dropped, pending) = try await notes.store.write { writer in
            try writer.db.execute(sql: "UPDATE pending SET value = 'tru' WHERE path = 'agreed'")
            return (
                try writer.rejectDamaged(type),
                try String.fetchAll(writer.db, sql: "SELECT value FROM pending WHERE path = 'agreed'")
            )
        }
        #expect(dropped == [] && pending == ["false"])
        let lost = try await notes.store.write { writer in
            try writer.db.execute(sql: "UPDATE pending SET value = '\"2026' WHERE path = 'doneAt'")
            return try writer.rejectDamaged(type)
        }
        #expect(lost.map(\.path) == ["doneAt"])
        #expect(try await notes.pending() == [])
    }

    @Test(arguments: [true, false])
    func `a damaged file is rebuilt with its annotations`(isReadable: Bool) async throws {
        let notes = try await notes()
        try await mark(notes, done: day1, agreed: true)
        if !isReadable {
            try await notes.store.write { writer in
                try writer.db.execute(sql: "UPDATE pending SET value = 'tru' WHERE path = 'agreed'")
            }
        }
        let location = notes.store.location
        await notes.store.close()
        // The header is overwritten.
        let file = try FileHandle(forWritingTo: location.file)
        try file.write(contentsOf: Data(repeating: 0, count: 16))
        try file.close()
        let repaired = try ReplicaStore(at: location, types: [notes.type], clock: notes.clock)
        #expect(repaired.repair != nil)
        let agreed = try await repaired.read { db in
            try String.fetchAll(db, sql: "SELECT value FROM pending WHERE path = 'agreed'")
        }
        #expect(agreed == [isReadable ? "true" : "false"])
        await repaired.close()
    }

    @Test func `an annotation that a rebuild has lost is restored as false`() async throws {
        let notes = try await notes()
        let type = notes.type
        try await mark(notes, done: day1, agreed: true)
        try await notes.store.write { writer in
            try writer.db.execute(sql: "DELETE FROM pending WHERE path = 'agreed'")
            try writer.insertMissingAnnotations(type)
        }
        #expect(try await notes.pending() == ["a agreed false", "a doneAt \"\(day1)\""])
    }
}
