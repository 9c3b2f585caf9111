import Foundation
import GRDB
import Groundwork
import JMAP
import ReplicaTesting
import Testing

@testable import Replica

/// A type whose records a device derives from those of another type.
@Suite(.timeLimit(.minutes(5))) struct DerivedTypeTests {
    private let server = NoteServer()

    /// Shelves: of each folder with photos the number of its photos.
    private static let shelf: RecordType = RecordType(
        name: "Shelf",
        capability: RecordType.noteCapability,
        table: "shelf",
        columns: [RecordColumn("photoCount", .integer, missing: .integer(0))],
        window: .derived,
        derive: { writer in
            let counts = try Row.fetchAll(
                writer.db,
                sql: "SELECT value, count(*) FROM photo, json_each(photo.folders) GROUP BY value ORDER BY value"
            ).map { (id: $0[0] as String, count: $0[1] as Int) }
            let shelves = try counts.map { shelf in
                let json: JSON = ["id": .string(shelf.id), "photoCount": JSON(shelf.count)]
                return try JSONText(checking: json.utf8)
            }
            let ids = Set(counts.map(\.id))
            let gone = try String.fetchAll(writer.db, sql: "SELECT id FROM shelf").filter { !ids.contains($0) }
            try writer.apply(DerivedTypeTests.shelf, shelves)
            try writer.remove(DerivedTypeTests.shelf, gone)
        }
    )

    private func shelves(_ device: NoteDevice) async throws -> [String] {
        try await device.store.read { db in
            try String.fetchAll(db, sql: "SELECT id || ' ' || photoCount FROM shelf ORDER BY id")
        }
    }

    @Test func `derived records follow their sources, local and remote, and aren't requested`() async throws {
        server.put(.folder, ["id": "a", "name": "A"], ["id": "b", "name": "B"])
        server.put(.photo, note("p1", ["folders": ["a": true]]), note("p2", ["folders": ["a": true, "b": true]]))
        try await NoteDevice.with([.folder, .photo, Self.shelf], on: server) { device in
            try await device.engine.sync()
            #expect(try await shelves(device) == ["a 2", "b 1"])
            try await device.store.write { writer in
                _ = try writer.update(
                    .photo,
                    RecordType.photo.column("folders")!,
                    members: ["b": false],
                    ids: ["p2"]
                )
            }
            #expect(try await shelves(device) == ["a 2"], "before the change is sent")
            server.change(.photo) { _ = $0.remove("p1") }
            try await device.engine.sync()
            #expect(try await shelves(device) == ["a 1"])
            #expect(!server.log.contains { $0.hasPrefix("Shelf/") })
        }
    }

    /// A type with two tables of changes, whose derivation is noted, and may note a change for another type.
    private func derivedType(_ name: String, noting next: String? = nil, in calls: Locked<[String]>) -> RecordType {
        let tables = ["changed\(name)", "gone\(name)"]
        return RecordType(
            name: name,
            capability: RecordType.noteCapability,
            table: "note\(name)",
            columns: [],
            window: .derived,
            schema: tables.map { "CREATE TABLE \($0)(id INTEGER PRIMARY KEY)" },
            derive: { writer in
                calls.withLock { $0.append(name) }
                for table in tables { try writer.db.execute(sql: "DELETE FROM \(table)") }
                if let next { try writer.db.execute(sql: "INSERT INTO changed\(next) VALUES (1)") }
            },
            derivedFrom: tables
        )
    }

    @Test func `a type is derived if a table of its changes has a row, in the types' order`() async throws {
        let calls = Locked<[String]>([])
        let notes = try TemporaryStore(derivedType("A", noting: "B", in: calls))
        #expect(try notes.store.add([derivedType("B", in: calls), .note, derivedType("C", noting: "A", in: calls)]))
        func derived(after table: String?) async throws -> [String] {
            calls.withLock { $0 = [] }
            try await notes.store.write { writer in
                if let table { try writer.db.execute(sql: "INSERT INTO \(table) VALUES (1)") }
            }
            return calls.withLock { $0 }
        }
        #expect(try await derived(after: nil).isEmpty)
        #expect(try await derived(after: "changedB") == ["B"])
        #expect(try await derived(after: "goneB") == ["B"])
        #expect(try await derived(after: "goneA") == ["A", "B"])
        // What is noted for an earlier type is derived with the next write.
        #expect(try await derived(after: "changedC") == ["C"])
        #expect(try await derived(after: "goneC") == ["A", "B", "C"])
        #expect(try await derived(after: nil) == ["A", "B"])
        #expect(try await derived(after: nil).isEmpty)
    }

    @Test func `a derived record has the columns that are read from its text`() async throws {
        let type = RecordType(
            name: "Shelf",
            capability: RecordType.noteCapability,
            table: "shelf",
            columns: [
                RecordColumn("title", .text, missing: .text("None")),
                RecordColumn("size", .integer, missing: .integer(7)),
                RecordColumn("isOpen", .bool, missing: .integer(1)),
                RecordColumn("openedAt", .date),
                RecordColumn("folders", .members),
            ],
            window: .derived
        )
        let shelves = try TemporaryStore(type)
        let records: [JSON] = [
            ["id": "a"],
            ["id": "a", "title": .null, "size": .null, "isOpen": .null, "openedAt": .null, "folders": .null],
            ["id": "a", "title": 1, "size": "1", "isOpen": 1, "openedAt": "now", "folders": ["a"]],
            ["id": "a", "title": "", "size": 0, "isOpen": true, "openedAt": "", "folders": [:]],
            [
                "id": "a", "title": "Cafe\u{301} \"B\"", "size": 12, "isOpen": false,
                "openedAt": "1969-05-01T08:00:00.25Z", "folders": ["b": true, "a": true],
            ],
        ]
        for record in records {
            try await shelves.store.write { writer in
                let select = "SELECT id, json, title, size, isOpen, openedAt, folders FROM shelf"
                try writer.apply(type, "a", derived: record)
                let bound = try Row.fetchOne(writer.db, sql: select)
                try writer.remove(type, ["a"])
                try writer.apply(type, [JSONText(checking: record.utf8)])
                let read = try Row.fetchOne(writer.db, sql: select)
                #expect(bound != nil && bound == read, "\(record)")
                try writer.remove(type, ["a"])
            }
        }
    }
}
