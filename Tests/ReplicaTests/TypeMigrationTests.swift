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
}
