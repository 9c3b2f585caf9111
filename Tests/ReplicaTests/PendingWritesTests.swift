import Groundwork
import JMAP
import ReplicaTesting
import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct PendingWritesTests {
    let day1 = "2026-05-01T08:00:00Z"
    let day2 = "2026-05-02T08:00:00Z"

    func milliseconds(_ date: String) -> String { String(RFC3339.date(from: date)!.milliseconds) }

    @Test func `an update stores the effective value and its entry in one transaction`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a"))
        #expect(try await notes.mark("a", "missing", done: day1) == ["a"])
        #expect(try await notes.value("doneAt", of: "a") == milliseconds(day1))
        #expect(try await notes.value("server_doneAt", of: "a") == nil)
        #expect(try await notes.pending() == ["a doneAt \"\(day1)\""])
        #expect(try await notes.mark("a", done: day1) == [], "the value is unchanged")
    }

    @Test func `a write that throws halfway stores neither value nor entry`() async throws {
        struct Halt: Error {}
        let notes = try TemporaryStore()
        try await notes.pull(note("a"))
        let day = JSON.string(day1)
        await #expect(throws: Halt.self) {
            try await notes.store.write { writer in
                _ = try writer.update(.note, RecordType.note.doneAt, to: day, ids: ["a"])
                throw Halt()
            }
        }
        #expect(try await notes.value("doneAt", of: "a") == nil)
        #expect(try await notes.pending() == [])
        #expect(try await notes.counts() == ["": [1, 0, 0]])
    }

    @Test func `done, then undone before sending, leaves nothing to send`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a"))
        _ = try await notes.mark("a", done: day1)
        _ = try await notes.mark("a", done: nil)
        #expect(try await notes.pending() == [])
        #expect(try await notes.value("doneAt", of: "a") == nil)
    }

    @Test func `done, then undone while done is in flight, sends undone too`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a"))
        _ = try await notes.mark("a", done: day1)
        let sealed = try #require(await notes.seal(1))
        _ = try await notes.mark("a", done: nil)
        // The server's value is null as well, but the sealed entry is about to change it.
        #expect(try await notes.pending() == ["a doneAt \"\(day1)\" sealed", "a doneAt null"])
        try await notes.answer(sealed)
        #expect(try await notes.pending() == ["a doneAt null"])
        #expect(try await notes.value("doneAt", of: "a") == nil)
        #expect(try await notes.value("server_doneAt", of: "a") == milliseconds(day1))
    }

    @Test func `a pull of older values leaves pending and sealed values shown`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a"))
        _ = try await notes.mark("a", done: day1)
        try await notes.pull(note("a", ["text": "edited"]))
        #expect(try await notes.value("doneAt", of: "a") == milliseconds(day1))
        #expect(try await notes.value("text", of: "a") == "edited")
        _ = try await notes.seal(1)
        try await notes.pull(note("a", ["doneAt": .string(day2)]))
        #expect(
            try await notes.value("doneAt", of: "a") == milliseconds(day1),
            "the sealed value has priority over the server's"
        )
        #expect(try await notes.value("server_doneAt", of: "a") == milliseconds(day2))
    }

    @Test func `a pull while an older value is in flight leaves the newer value shown`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a"))
        _ = try await notes.mark("a", done: day1)
        _ = try await notes.seal(1)
        _ = try await notes.mark("a", done: day2)
        try await notes.pull(note("a", ["text": "edited"]))
        #expect(try await notes.value("text", of: "a") == "edited")
        #expect(try await notes.value("doneAt", of: "a") == milliseconds(day2))
        #expect(try await notes.pending() == ["a doneAt \"\(day1)\" sealed", "a doneAt \"\(day2)\""])
    }

    @Test func `an acknowledgement confirms the sealed value and leaves the unsealed one`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a"))
        _ = try await notes.mark("a", done: day1)
        let sealed = try #require(await notes.seal(1))
        _ = try await notes.mark("a", done: day2)
        try await notes.answer(sealed)
        #expect(try await notes.value("server_doneAt", of: "a") == milliseconds(day1))
        #expect(try await notes.value("doneAt", of: "a") == milliseconds(day2))
        #expect(try await notes.pending() == ["a doneAt \"\(day2)\""])
    }

    @Test func `rows of the same response are applied after the acknowledgement`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a"))
        _ = try await notes.mark("a", done: day1)
        let sealed = try #require(await notes.seal(1))
        // Another device undid it in the meantime. The answer contains both.
        try await notes.store.write { writer in
            try writer.answer(.note, sealed, refused: [])
            try writer.apply(.note, [JSONText(checking: note("a").utf8)])
        }
        #expect(try await notes.value("doneAt", of: "a") == nil)
        #expect(try await notes.pending() == [])
    }

    @Test func `a refusal shows the server's value and removes the entry`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a", ["doneAt": .string(day2)]))
        _ = try await notes.mark("a", done: nil)
        let sealed = try #require(await notes.seal(1))
        try await notes.answer(sealed, refused: ["a"])
        #expect(try await notes.value("doneAt", of: "a") == milliseconds(day2))
        #expect(try await notes.value("phase", of: "a") == "2")
        #expect(try await notes.pending() == [])
    }

    @Test func `a refusal leaves a newer value unchanged`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a"))
        _ = try await notes.mark("a", done: day1)
        let sealed = try #require(await notes.seal(1))
        _ = try await notes.mark("a", done: day2)
        try await notes.answer(sealed, refused: ["a"])
        #expect(try await notes.value("doneAt", of: "a") == milliseconds(day2))
        #expect(try await notes.pending() == ["a doneAt \"\(day2)\""])
    }

    @Test func `a rate-limited write is sent again in a later batch`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a"), note("b"))
        _ = try await notes.mark("a", "b", done: day1)
        let sealed = try #require(await notes.seal(1))
        try await notes.answer(sealed, refused: [], later: ["b"])
        #expect(try await notes.pending() == ["b doneAt \"\(day1)\""])
        #expect(try await notes.seal(2)?.key.number == 2)
    }

    @Test func `a sealed batch is repeated unchanged after later writes`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a"), note("b"))
        _ = try await notes.mark("a", done: day1)
        let first = try await notes.seal(1)
        _ = try await notes.mark("b", done: day1)
        _ = try await notes.mark("a", done: day2)
        #expect(try await notes.seal(2) == first, "the next batch is sealed only after an answer")
    }

    @Test func `a batch holds whole records up to the limit, oldest first`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a"), note("b"), note("c"))
        _ = try await notes.mark("c", "a", "b", done: day1)
        _ = try await notes.store.write { writer in
            try writer.update(.note, RecordType.note.color, to: "red", ids: ["c"])
        }
        let sealed = try #require(await notes.seal(1, limit: 2))
        #expect(sealed.entries.map { "\($0.id) \($0.path)" } == ["c doneAt", "a doneAt", "c color"])
        #expect(sealed.update["c"] == ["doneAt": .string(day1), "color": "red"])
    }

    @Test func `a batch that is too large is unsealed, and newer values win`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a"), note("b"))
        _ = try await notes.mark("a", "b", done: day1)
        _ = try await notes.seal(1)
        _ = try await notes.mark("a", done: day2)
        try await notes.store.write { writer in try writer.unseal(.note) }
        #expect(try await notes.pending() == ["a doneAt \"\(day2)\"", "b doneAt \"\(day1)\""])
        #expect(try await notes.seal(2, limit: 1)?.key.number == 2)
    }

    @Test func `a removal by the server hides the row and keeps the entry until its answer`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a"))
        _ = try await notes.mark("a", done: day1)
        try await notes.store.write { writer in try writer.remove(.note, ["a"]) }
        #expect(try await notes.ids() == [])
        #expect(try await notes.pending() == ["a doneAt \"\(day1)\""])
        let sealed = try #require(await notes.seal(1))
        try await notes.answer(sealed, refused: ["a"])
        #expect(try await notes.pending() == [])
    }
}
