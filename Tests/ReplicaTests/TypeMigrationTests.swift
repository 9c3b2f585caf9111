import Foundation
import GRDB
import Groundwork
import ReplicaTesting
import Testing

@testable import Replica

/// The later changes of a type's own tables.
@Suite(.timeLimit(.minutes(5))) struct TypeMigrationTests {
    /// Items with a table of the type's own and its first migrations.
    private func type(_ migrations: Int) -> RecordType {
        RecordType(
            name: "Item",
            capability: "https://example.com/items",
            table: "item",
            columns: [RecordColumn("text", .text, missing: .text(""))],
            window: .all,
            schema: ["CREATE TABLE step(name TEXT NOT NULL)", "INSERT INTO step VALUES ('schema')"],
            migrations: Array(
                [
                    (name: "one", sql: ["ALTER TABLE step ADD COLUMN number", "INSERT INTO step VALUES ('one', 1)"]),
                    (name: "two", sql: ["INSERT INTO step SELECT 'two', count(*) FROM item"]),
                ].prefix(migrations)
            )
        )
    }

    /// Opens the store of a folder with the type of a version, and returns the steps so far.
    private func open(_ directory: URL, _ migrations: Int) async throws -> [String] {
        let server = try #require(URL(string: "https://items.example"))
        let location = StoreLocation(directory: directory, server: server, person: "ann")
        let store = try ReplicaStore(at: location, types: [type(migrations)], clock: ManualClock())
        let steps = try await store.read { db in
            try String.fetchAll(db, sql: "SELECT name FROM step ORDER BY rowid")
        }
        await store.close()
        return steps
    }

    @Test func `each change runs once, in order, in a store of any version before`() async throws {
        for first in 0...2 {
            let directory = FileManager.default.temporaryDirectory.appendingPathComponent("migrations-\(UUID())")
            defer { try? FileManager.default.removeItem(at: directory) }
            #expect(try await open(directory, first) == Array(["schema", "one", "two"].prefix(first + 1)))
            for _ in 1...2 { #expect(try await open(directory, 2) == ["schema", "one", "two"]) }
        }
    }

    @Test(arguments: ["replica \(Schema.version + 1)", "replica pages", "item \(Schema.version + 1)", "item: three"])
    func `a store of a newer version is refused, and isn't changed`(migration: String) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("migrations-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        _ = try await open(directory, 2)
        // A change for which an earlier version would take the file for a damaged one.
        let queue = try DatabaseQueue(path: try file(in: directory))
        try await queue.write { db in
            try db.execute(
                sql: "INSERT INTO grdb_migrations VALUES (?); ALTER TABLE store RENAME COLUMN revision TO newRevision",
                arguments: [migration]
            )
        }
        try queue.close()
        for _ in 1...2 {
            let error = await #expect(throws: StoreError.self) { try await open(directory, 2) }
            guard case .newer(_, let found) = error else { throw try #require(error) }
            #expect(found == migration)
            #expect(error?.description.contains("a newer version (\(migration))") == true)
            let wrapped = ReplicaError.wrapping(try #require(error)) as? ReplicaError
            #expect(wrapped?.code == .newerVersion)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(!names.contains { $0.hasSuffix(".damaged") })
    }

    @Test(arguments: ["other 11", "other: three", "item 10", "words"])
    func `migrations of other types and earlier parts refuse no store`(migration: String) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("migrations-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        _ = try await open(directory, 2)
        let queue = try DatabaseQueue(path: try file(in: directory))
        try await queue.write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [migration])
        }
        try queue.close()
        #expect(try await open(directory, 2) == ["schema", "one", "two"])
    }

    @Test func `a type that a newer version has changed isn't added to an open store`() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("migrations-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let server = try #require(URL(string: "https://items.example"))
        let location = StoreLocation(directory: directory, server: server, person: "ann")
        let store = try ReplicaStore(at: location, types: [.note], clock: ManualClock())
        #expect(try store.add([type(2)]))
        store.remove([type(2)])
        try await store.write { writer in
            try writer.db.execute(sql: "INSERT INTO grdb_migrations VALUES ('item: three')")
        }
        let error = #expect(throws: StoreError.self) { try store.add([type(2)]) }
        guard case .newer = error else { throw try #require(error) }
        // The other types are as before.
        try await store.write { writer in try writer.clear(.note) }
        await store.close()
    }

    /// The path of the only store of a folder.
    private func file(in directory: URL) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        return directory.appendingPathComponent(try #require(names.first { $0.hasSuffix(".sqlite") })).path
    }
}
