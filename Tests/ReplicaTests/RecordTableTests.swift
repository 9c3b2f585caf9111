import Foundation
import GRDB
import Groundwork
import Testing

@testable import Replica

/// The contract of the tables that other modules' SQL relies on.
@Suite(.timeLimit(.minutes(5))) struct RecordTableTests {
    /// Notes whose triggers log each change of a row, and which are counted at the end of each write.
    private static let logged: RecordType = {
        let changes = [("INSERT", "NEW"), ("UPDATE OF color", "NEW"), ("DELETE", "OLD")].enumerated()
        return RecordType(
            name: "Note",
            capability: "https://example.com/notes",
            table: "note",
            columns: [
                RecordColumn("text", .text, missing: .text("")),
                RecordColumn("hiddenUntil", .date),
                RecordColumn("color", .text, isWritable: true),
            ],
            phase: "CASE WHEN {hiddenUntil} > :now THEN 1 ELSE 0 END",
            due: "CASE WHEN {hiddenUntil} > :now THEN {hiddenUntil} END",
            window: .all,
            schema: ["CREATE TABLE change(event TEXT NOT NULL, row INTEGER NOT NULL, color TEXT)"]
                + changes.map { number, change in
                    """
                    CREATE TRIGGER note_log_\(number) AFTER \(change.0) ON note BEGIN
                        INSERT INTO change VALUES ('\(change.0)', \(change.1).rowid, \(change.1).color);
                    END
                    """
                } + sharedTriggers,
            derive: { writer in
                try writer.db.execute(sql: "INSERT INTO change SELECT 'derived', count(*), NULL FROM change")
            }
        )
    }()

    /// Triggers that log each change of a setting and of a document in the table `change`.
    private static let sharedTriggers: [String] = [
        (SettingTable.table, "%.\(SettingTable.name) || '=' || %.\(SettingTable.value)"),
        (DeviceRecordTable.table, "%.\(DeviceRecordTable.kind) || ':' || %.\(DeviceRecordTable.id)"),
    ]
    .flatMap { table, text in
        [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")].map { event, row in
            """
            CREATE TRIGGER \(table)_log_\(event) AFTER \(event) ON \(table) BEGIN
                INSERT INTO change VALUES ('\(event)', 0, \(text.replacingOccurrences(of: "%", with: row)));
            END
            """
        }
    }

    private let notes: TemporaryStore

    init() throws { notes = try TemporaryStore(Self.logged) }

    /// The events of triggers since the last call, without those of `derive`.
    private func changes() async throws -> [String] {
        try await notes.store.write { writer in
            let events = try String.fetchAll(
                writer.db,
                sql: "SELECT event || ' ' || ifnull(color, '-') FROM change WHERE event <> 'derived' ORDER BY rowid"
            )
            try writer.db.execute(sql: "DELETE FROM change")
            return events
        }
    }

    private func paint(_ color: String) async throws {
        try await notes.store.write { writer in
            _ = try writer.update(Self.logged, Self.logged.color, to: .string(color), ids: ["a"])
        }
    }

    private func row<Value: DatabaseValueConvertible & Sendable>(_ column: String) async throws -> Value? {
        try await notes.store.read { db in
            try Value.fetchOne(db, sql: "SELECT \(column) FROM note WHERE \(RecordTable.id) = 'a'")
        }
    }

    @Test func `columns have the effective values, the JSON has the server's`() async throws {
        try await notes.pull(["id": "a", "text": "first", "color": "red", "hiddenUntil": "2026-05-01T01:00:00Z"])
        try await paint("blue")
        #expect(try await row("color") == "blue")
        #expect(try await row("text") == "first")
        let json: Data = try #require(try await row(RecordTable.json))
        #expect(try JSON(parsing: Array(json))["color"] == "red")
        #expect(try await row(RecordTable.phase) == 1)
        #expect(try await row(RecordTable.due) == 1_777_597_200_000)
        #expect(try await notes.store.read { db in try db.count(of: Self.logged) } == 1)
        #expect(try await notes.store.read { db in try db.exists(Self.logged, "a") })
        #expect(try await !notes.store.read { db in try db.exists(Self.logged, "b") })
    }

    @Test func `a row keeps its rowid through changes, and triggers run once for each`() async throws {
        try await notes.pull(["id": "a", "text": "first", "color": "red"])
        let rowid: Int = try #require(try await row("rowid"))
        #expect(try await changes() == ["INSERT red"])
        try await notes.pull(["id": "a", "text": "second", "color": "green"])
        #expect(try await changes() == ["UPDATE OF color green"])
        try await paint("blue")
        #expect(try await changes() == ["UPDATE OF color blue"])
        #expect(try await row("rowid") == rowid)
        try await notes.store.write { writer in try writer.remove(Self.logged, ["a"]) }
        #expect(try await changes() == ["DELETE blue"])
    }

    @Test func `triggers run with each change of a setting, its removal and its repetition too`() async throws {
        for value in ["1", "2", "2", nil, nil] {
            try await notes.store.write { writer in try writer.set(setting: "a", to: value) }
        }
        #expect(try await changes() == ["INSERT a=1", "UPDATE a=2", "UPDATE a=2", "DELETE a=2"])
    }

    @Test func `triggers run with each change of a document, its removal and its repetition too`() async throws {
        let kind = DeviceRecordKind("letter")
        for json in ["1", "2", "2"] {
            try await notes.store.write { writer in try writer.put(kind, DeviceRecord(id: "a", json: json)) }
        }
        try await notes.store.write { writer in try writer.remove(kind, ["a", "b"]) }
        #expect(try await changes() == ["INSERT letter:a", "UPDATE letter:a", "UPDATE letter:a", "DELETE letter:a"])
    }

    /// "c" is of an earlier version. "d" is due, and "e" never is.
    @Test func `documents that wait and record a time to come are found`() async throws {
        let kind = DeviceRecordKind("letter")
        let times: [(String, Int?, Int?)] = [
            ("a", 100, 40), ("b", 90, 60), ("c", 80, nil), ("d", 20, 60), ("e", nil, 60), ("f", 70, 50),
        ]
        try await notes.store.write { writer in
            for (id, due, recordedAt) in times {
                try writer.put(kind, DeviceRecord(id: id, json: "1", due: due, recordedAt: recordedAt))
            }
        }
        func found() async throws -> [String] {
            try await notes.store.read { db in try db.deviceRecordIDs(kind, recordingLaterThan: 50) }
        }
        #expect(try await found() == ["c", "b"])
        // A document that is stored again records another time.
        try await notes.store.write { writer in
            try writer.put(kind, DeviceRecord(id: "a", json: "1", due: 100, recordedAt: 70))
            try writer.put(kind, DeviceRecord(id: "b", json: "1", due: 90, recordedAt: 50))
        }
        #expect(try await found() == ["c", "a"])
        #expect(try await notes.store.read { db in try db.deviceRecord(kind, "a")?.recordedAt } == 70)
    }

    /// Row numbers are those of all kinds, and a removed document's may be used again.
    @Test func `the documents of a kind are compared with a number`() async throws {
        let (letter, other) = (DeviceRecordKind("letter"), DeviceRecordKind("other"))
        func has(_ counts: Int...) async throws -> [Bool] {
            try await notes.store.read { db in try counts.map { try db.hasDeviceRecords(letter, atLeast: $0) } }
        }
        #expect(try await has(1, 2) == [false, false])
        try await notes.store.write { writer in
            for id in ["a", "b", "c"] { try writer.put(letter, DeviceRecord(id: id, json: "1")) }
            for id in ["a", "b"] { try writer.put(other, DeviceRecord(id: id, json: "1")) }
        }
        #expect(try await has(3, 4, 5, 6) == [true, false, false, false])
        try await notes.store.write { writer in try writer.remove(letter, ["a"]) }
        #expect(try await has(2, 3) == [true, false])
        try await notes.store.write { writer in
            try writer.remove(other, ["a", "b"])
            for id in ["d", "e"] { try writer.put(letter, DeviceRecord(id: id, json: "1")) }
        }
        #expect(try await has(4, 5) == [true, false])
    }

    @Test func `a full sync updates no unchanged row`() async throws {
        try await notes.pull(["id": "a", "color": "red"], ["id": "b", "color": "red"])
        _ = try await changes()
        try await notes.store.write { writer in
            let records: [JSON] = [["id": "a", "color": "red"], ["id": "c", "color": "red"]]
            try writer.replace(Self.logged, with: records.map { try JSONText(checking: $0.utf8) })
        }
        #expect(try await changes() == ["INSERT red", "DELETE red"])
    }

    @Test func `deriving runs at the end of a write, after its triggers`() async throws {
        try await notes.pull(["id": "a", "color": "red"], ["id": "b", "color": "blue"])
        let events = try await notes.store.read { db in
            try String.fetchAll(db, sql: "SELECT event FROM change ORDER BY rowid")
        }
        #expect(events.suffix(3) == ["INSERT", "INSERT", "derived"])
    }
}
