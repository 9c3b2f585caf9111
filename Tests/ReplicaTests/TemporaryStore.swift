import Foundation
import GRDB
import Groundwork
import ReplicaTesting
import JMAP

@testable import Replica

extension RecordType {
    var doneAt: RecordColumn { column("doneAt")! }
    var color: RecordColumn { column("color")! }
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
            try writer.update(type, RecordType.note.doneAt, to: value, ids: ids)
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
