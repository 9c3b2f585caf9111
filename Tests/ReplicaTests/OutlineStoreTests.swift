import Foundation
import GRDB
import Groundwork
import ReplicaTesting
import JMAP
import Testing

@testable import Replica

/// Outlines of records that aren't stored, in a store without a server.
@Suite(.timeLimit(.minutes(5))) struct OutlineStoreTests {
    private let type = RecordType.outlined

    private func store(at state: String = "s1") async throws -> TemporaryStore {
        let notes = try TemporaryStore(type)
        try await notes.store.write { writer in try writer.setState(type, account: "a", state) }
        return notes
    }

    /// Applies a page of outlines as of a state.
    private func list(
        _ notes: TemporaryStore,
        _ ids: [String],
        upTo state: String,
        begins: Bool = true,
        after: String? = nil
    ) async throws {
        try await notes.store.write { writer in
            if begins { try writer.beginOutline(type, upTo: state) }
            let rows = try ids.map { id in
                let values: [JSON] = [.string(id), "f", 0, 1_777_000_000_000]
                return try JSONText(checking: JSON.array(values).utf8)
            }
            try writer.store(OutlinePage(rows: rows, after: after, state: state), of: type, isCurrent: true)
        }
    }

    @discardableResult
    private func markAllDone(_ notes: TemporaryStore, _ scope: String? = nil) async throws -> [String]? {
        let at = notes.clock.now
        return try await notes.store.write { writer in
            try writer.updateAll(
                type,
                scope: scope,
                to: JSONObject([("at", .string(RFC3339.string(from: at)))])
            )
        }
    }

    private func open(_ notes: TemporaryStore) async throws -> [String] {
        try await notes.store.read { db in
            try String.fetchAll(
                db,
                sql:
                    "SELECT id FROM note WHERE doneAt IS NULL UNION SELECT id FROM noteOutline WHERE doneAt IS NULL ORDER BY 1"
            )
        }
    }

    private func bulkEntries(_ notes: TemporaryStore) async throws -> [String] {
        try await notes.store.read { db in
            try String.fetchAll(db, sql: "SELECT id || value FROM pending WHERE substr(id, 1, 1) = '*' ORDER BY rowid")
        }
    }

    private func lightRows(_ notes: TemporaryStore) async throws -> [String] {
        try await notes.store.read { db in try String.fetchAll(db, sql: "SELECT id FROM noteOutline ORDER BY id") }
    }

    private func openCount(_ notes: TemporaryStore) -> Int {
        notes.store.counts(type).buckets.reduce(0) { $0 + $1.numbers[0] }
    }

    @Test func `a write to all applies to the rest of the listing, not to a later listing`() async throws {
        let notes = try await store()
        try await list(notes, ["a", "b"], upTo: "s1", after: "b")
        #expect(try await markAllDone(notes) == ["b", "a"])
        try await list(notes, ["c"], upTo: "s1", begins: false)
        #expect(try await open(notes) == [])
        #expect(openCount(notes) == 0 && notes.store.counts(type).isExact)
        // Whether a later listing includes the write isn't known, so the server's values apply.
        try await list(notes, ["a", "b", "c", "d"], upTo: "s2")
        #expect(try await open(notes) == ["a", "b", "c", "d"])
    }

    @Test func `a write to all before the first page applies to that page`() async throws {
        let notes = try await store()
        try await notes.store.write { writer in try writer.setServerCounts(type, []) }
        #expect(try await markAllDone(notes) == [])
        // The write is sent although no known record matches.
        #expect(try await notes.pending().count == 1)
        try await list(notes, ["a", "b"], upTo: "s1")
        #expect(openCount(notes) == 0)
        try await notes.pull(note("h", ["folder": "f"]))
        #expect(openCount(notes) == 1)
    }

    @Test func `a write to all without matches isn't sent, and the earlier one stays`() async throws {
        let notes = try await store()
        try await list(notes, ["a", "b"], upTo: "s1")
        #expect(try await markAllDone(notes) == ["b", "a"])
        let first = try await bulkEntries(notes)
        notes.clock.advance(by: 5)
        #expect(try await markAllDone(notes) == [])
        #expect(try await bulkEntries(notes) == first && first.count == 1)
    }

    @Test func `a write to all needs a known outline`() async throws {
        let notes = try await store()
        try await notes.pull(note("a"))
        #expect(try await markAllDone(notes) == nil)
        #expect(try await open(notes) == ["a"])
        #expect(try await notes.pending() == [])
    }

    @Test func `a write to all names the provisional records`() async throws {
        let notes = try await store()
        try await list(notes, [], upTo: "s1")
        let until = notes.clock.now.addingTimeInterval(60).milliseconds
        let pushed = try JSONText(checking: note("p", ["folder": "f"]).utf8)
        try await notes.store.write { writer in _ = try writer.receive(type, pushed, until: until) }
        #expect(try await markAllDone(notes) == ["p"])
        #expect(try await notes.pending().contains { $0.hasPrefix("p doneAt ") })
    }

    @Test func `a write to all, then one to a record, keeps the latter on the page's repetition`() async throws {
        let notes = try await store()
        try await list(notes, ["a", "b"], upTo: "s1", after: "b")
        try await markAllDone(notes)
        #expect(try await notes.mark("a", done: nil) == ["a"])
        try await list(notes, ["a", "b"], upTo: "s1", begins: false)
        #expect(try await open(notes) == ["a"])
    }

    @Test func `a change of another property leaves the values of a write to all`() async throws {
        let notes = try await store()
        try await list(notes, ["a"], upTo: "s1")
        try await notes.pull(note("h", ["folder": "f"]))
        try await markAllDone(notes)
        try await notes.store.write { writer in
            let patches: [JSON] = ["a", "h"].map { ["id": .string($0), "color": "red", "doneAt": .null] }
            try writer.patch(type, patches.map { try JSONText(checking: $0.utf8) })
        }
        #expect(try await open(notes) == [])
        #expect(try await notes.value("color", of: "h") == "red")
    }

    @Test func `the server's counts apply until the outline is complete, with pending writes`() async throws {
        let notes = try await store()
        try await notes.pull(note("h", ["folder": "f"]))
        let counted: JSON = [["folder": "f", "open": 5, "starred": 1, "done": 2]]
        try await notes.store.write { writer in try writer.setServerCounts(type, counted) }
        #expect(openCount(notes) == 5 && !notes.store.counts(type).isExact)
        // The counts don't include pushed records.
        let until = notes.clock.now.addingTimeInterval(60).milliseconds
        let pushed = try JSONText(checking: note("p", ["folder": "f"]).utf8)
        try await notes.store.write { writer in _ = try writer.receive(type, pushed, until: until) }
        #expect(openCount(notes) == 6)
        _ = try await notes.mark("h", done: "2026-05-01T08:00:00Z")
        #expect(openCount(notes) == 5)
        try await markAllDone(notes)
        let buckets = try await notes.store.read { db in try db.serverCountsNow(type) }
        #expect(buckets == [0])
        try await list(notes, ["a"], upTo: "s1")
        #expect(notes.store.counts(type).isExact)
        // From now on the server's counts are ignored.
        try await notes.store.write { writer in try writer.setServerCounts(type, counted) }
        let kept = try await notes.store.read { db in try String.fetchOne(db, sql: "SELECT counts FROM outline") }
        #expect(kept == nil)
    }

    /// The counts by folder while the outline is incomplete.
    private func openByFolder(_ notes: TemporaryStore) -> [String: Int] {
        Dictionary(notes.store.counts(type).buckets.map { ($0.values[0], $0.numbers[0]) }) { $0 + $1 }
    }

    @Test func `a write to all of one scope leaves the server's counts of other scopes`() async throws {
        let notes = try await store()
        for (id, folder) in [("a", "f"), ("b", "g")] { try await notes.pull(note(id, ["folder": .string(folder)])) }
        let counted: JSON = [
            ["folder": "f", "open": 5, "starred": 0, "done": 0], ["folder": "g", "open": 3, "starred": 0, "done": 0],
        ]
        try await notes.store.write { writer in try writer.setServerCounts(type, counted) }
        #expect(try await markAllDone(notes, "f") == ["a"])
        #expect(openByFolder(notes) == ["f": 0, "g": 3])
        #expect(try await open(notes) == ["b"])
    }

    @Test func `server counts that are too small yield no negative counts`() async throws {
        let notes = try await store()
        for id in ["a", "b"] { try await notes.pull(note(id, ["folder": "f"])) }
        // The counts are from before the server knew both notes.
        let counted: JSON = [["folder": "f", "open": 1, "starred": 0, "done": 0]]
        try await notes.store.write { writer in try writer.setServerCounts(type, counted) }
        for id in ["a", "b"] { _ = try await notes.mark(id, done: "2026-05-01T08:00:00Z") }
        #expect(openByFolder(notes) == ["f": 0])
    }

    @Test func `removing one write to all keeps the values of another`() async throws {
        let notes = try await store()
        try await list(notes, ["a", "b"], upTo: "s1", after: "b")
        try await markAllDone(notes)
        _ = try await notes.mark("b", done: nil)
        try await markAllDone(notes)
        let entries = try await notes.store.read { db in
            try Row.fetchAll(db, sql: "SELECT id, value FROM pending WHERE substr(id, 1, 1) = '*' ORDER BY rowid").map {
                PendingEntry(id: $0[0], path: "markAllDone", value: try JSON(parsing: ($0[1] as String).utf8))
            }
        }
        #expect(entries.count == 2)
        try await notes.store.write { writer in
            try writer.db.execute(sql: "DELETE FROM pending WHERE id = ?", arguments: [entries[0].id])
            try writer.restore(type, bulk: entries[0])
        }
        #expect(try await open(notes) == [])
    }

    @Test func `a listing that contains a provisional record confirms it`() async throws {
        let notes = try await store()
        let until = notes.clock.now.addingTimeInterval(60).milliseconds
        let pushed = try JSONText(checking: note("p", ["folder": "f"]).utf8)
        try await notes.store.write { writer in _ = try writer.receive(type, pushed, until: until) }
        try await list(notes, ["p"], upTo: "s1")
        let isTheServers = try await notes.store.read { db in
            try Bool.fetchOne(
                db,
                sql: "SELECT provisionalUntil IS NULL AND isUnconfirmed IS NOT NULL FROM note WHERE id = 'p'"
            )
        }
        #expect(isTheServers == true)
        // A write to all names the records that are newer than the listing's state.
        #expect(try await markAllDone(notes) == ["p"])
        #expect(try await notes.pending().contains { $0.hasPrefix("p doneAt ") })
    }

    @Test func `eviction leaves outlines, and keeps provisional and unconfirmed records`() async throws {
        let notes = try await store()
        try await list(notes, [], upTo: "s1")
        for (number, id) in ["a", "b", "c", "d"].enumerated() {
            let at = "2026-05-01T08:00:0\(number)Z"
            try await notes.pull(note(id, ["folder": "f", "at": .string(at)]))
        }
        try await notes.store.write { writer in
            try writer.db.execute(sql: "UPDATE note SET isUnconfirmed = 1 WHERE id = 'a'")
            try writer.db.execute(sql: "UPDATE note SET provisionalUntil = 9e15 WHERE id = 'b'")
            try writer.evict(type, limit: 2)
        }
        #expect(try await notes.ids() == ["a", "d"])
        #expect(try await lightRows(notes) == ["c"])
    }

    @Test func `queries of outlines use their indexes`() async throws {
        let notes = try await store()
        guard case .newest(_, _, let retention) = type.window else { return }
        let plans = try await notes.store.read { db in
            try [
                Database.keptOutline(type, retention),
                "SELECT 1 FROM noteOutline WHERE phase = 0 AND doneAt IS NULL LIMIT 1",
                "SELECT id FROM noteOutline WHERE phase IN (0, 1) AND (at, id) > (5, 'a') ORDER BY at DESC, id DESC LIMIT 9",
            ].map { try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + $0).map { $0["detail"] as String }.joined() }
        }
        #expect(plans[0].contains("noteOutline_kept"), "\(plans)")
        #expect(plans[1].contains("noteOutline_0"), "\(plans)")
        #expect(plans[2].contains("phase=? AND (at,id)>"), "\(plans)")
    }
}

extension Database {
    /// The first counter of each bucket.
    fileprivate func serverCountsNow(_ type: RecordType) throws -> [Int] {
        try counts(type).buckets.map { $0.numbers[0] }
    }
}
