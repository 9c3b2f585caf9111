import Foundation
import GRDB
import Groundwork
import InboxTesting
import JMAP

@testable import Replica

/// A record type other than messages. The replica treats it the same way.
extension RecordType {
    static let note = make(phase: "CASE WHEN {doneAt} IS NOT NULL THEN 2 WHEN {hiddenUntil} > :now THEN 1 ELSE 0 END")

    private static func make(phase: String, open: String = "{phase} = 0", outline: OutlineRule? = nil) -> RecordType {
        RecordType(
            name: "Note",
            capability: "https://example.com/notes",
            table: "note",
            columns: [
                RecordColumn("text", .text, missing: .text("")),
                RecordColumn("folder", .text),
                RecordColumn("stars", .integer, missing: .integer(0)),
                RecordColumn("at", .date, missing: .invalid),
                RecordColumn("hiddenUntil", .date),
                RecordColumn("doneAt", .date, isWritable: true),
                RecordColumn("color", .text, isWritable: true),
            ],
            phase: phase,
            due: "CASE WHEN {doneAt} IS NULL AND {hiddenUntil} > :now THEN {hiddenUntil} END",
            counts: CountRule(
                buckets: ["folder"],
                counters: [("open", open), ("starred", "{phase} = 0 AND {stars} > 0"), ("done", "{phase} = 2")]
            ),
            indexes: ["phase, at", "at WHERE doneAt IS NULL"],
            window: .newest(
                filter: .null,
                sort: [["property": "at", "isAscending": false]],
                retention: RetentionRule(active: "{phase} < 2", evictable: "{stars} = 0", oldestFirst: "at, id")
            ),
            queue: .noteEvent,
            outline: outline
        )
    }

    /// Notes that are known by their outline when they aren't stored.
    static var outlined: RecordType {
        make(
            phase: "CASE WHEN {hiddenUntil} > :now THEN 1 ELSE 0 END",
            open: "{phase} = 0 AND {doneAt} IS NULL",
            outline: OutlineRule(
                columns: ["folder", "stars", "at", "hiddenUntil", "doneAt", "color"],
                order: "at",
                bulk: BulkRule(
                    argument: "markAllDone",
                    result: "markedAllDone",
                    columns: ["doneAt"],
                    condition: "{phase} = 0 AND {doneAt} IS NULL",
                    scope: "folder"
                ),
                indexes: ["phase, at WHERE doneAt IS NULL"]
            )
        )
    }

    var doneAt: RecordColumn { column("doneAt")! }
    var color: RecordColumn { column("color")! }
}

extension QueueType {
    static let noteEvent = QueueType(name: "NoteEvent", capability: "https://example.com/notes", limit: 5)
}

/// A store in its own folder, which is deleted with it.
final class TemporaryStore {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("replica-\(UUID())")
    let clock = ManualClock()
    let store: ReplicaStore
    let type: RecordType

    init(_ type: RecordType = .note, writeHook: WriteHook? = nil) throws {
        self.type = type
        let location = StoreLocation(
            directory: directory,
            server: URL(string: "https://inbox.example")!,
            person: "alice"
        )
        store = try ReplicaStore(at: location, types: [type], clock: clock, writeHook: writeHook)
    }

    deinit {
        Task { [store, directory] in
            try? await store.destroy()
            try? FileManager.default.removeItem(at: directory)
        }
    }

    /// Applies notes as if a server had sent them.
    func pull(_ notes: JSON...) async throws {
        try await store.write { [type] writer in try writer.apply(type, notes.map { try JSONText(checking: $0.utf8) }) }
    }

    func mark(_ ids: String..., done: String?) async throws -> [String] {
        let value = done.map(JSON.string) ?? .null
        return try await store.write { [type] writer in
            try writer.update(type, RecordType.note.doneAt, to: value, ids: ids, where: "true")
        }
    }

    /// Seals the pending writes under a number.
    func seal(_ number: Int, limit: Int = 100) async throws -> SealedWrites? {
        try await store.write { [type] writer in
            _ = try writer.seal(type, as: Batch(epoch: "e", number: number), limit: limit)
            return try writer.sealedWrites(type)
        }
    }

    func answer(_ sealed: SealedWrites, refused: Set<String> = [], later: Set<String> = []) async throws {
        _ = try await store.write { [type] writer in try writer.answer(type, sealed, refused: refused, later: later) }
    }

    func pending() async throws -> [String] {
        try await store.read { db in
            try String.fetchAll(
                db,
                sql:
                    "SELECT id || ' ' || path || ' ' || value || CASE sealed WHEN 1 THEN ' sealed' ELSE '' END FROM pending "
                    + "ORDER BY id, path, sealed DESC"
            )
        }
    }

    /// The value of a note's column, as text.
    func value(_ column: String, of id: String) async throws -> String? {
        try await store.read { db in
            try String.fetchOne(db, sql: "SELECT CAST(\(column) AS TEXT) FROM note WHERE id = ?", arguments: [id])
        }
    }

    func ids(_ condition: String = "true") async throws -> [String] {
        try await store.read { db in try String.fetchAll(db, sql: "SELECT id FROM note WHERE \(condition) ORDER BY id")
        }
    }

    func counts() async throws -> [String: [Int]] {
        try await store.read { db in
            try Row.fetchAll(db, sql: "SELECT folder, open, starred, done FROM noteCount").reduce(into: [:]) {
                $0[$1[0]] = [$1[1], $1[2], $1[3]]
            }
        }
    }
}

/// A note's JSON.
func note(_ id: String, at: String = "2026-04-01T08:00:00Z", _ more: KeyValuePairs<String, JSON> = [:]) -> JSON {
    var object = JSONObject([("id", .string(id)), ("at", .string(at))])
    for (name, value) in more { object[name] = value }
    return .object(object)
}
