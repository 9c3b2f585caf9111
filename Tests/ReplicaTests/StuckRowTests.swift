import Foundation
import GRDB
import Groundwork
import ReplicaTesting
import Testing

@testable import Replica

/// A type whose rule keeps its rows due at any time.
@Suite(.timeLimit(.minutes(5))) struct StuckRowTests {
    private static let stuck = RecordType(
        name: "Stuck",
        capability: "https://example.com/stuck",
        table: "stuck",
        columns: [RecordColumn("at", .date, missing: .invalid)],
        due: "{at}",
        window: .all
    )

    private func withStore(_ body: (ReplicaStore) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("stuck-\(UUID())")
        let clock = ManualClock()
        let location = StoreLocation(directory: directory, server: URL(string: "https://a.example")!, person: "alice")
        let store = try ReplicaStore(at: location, types: [Self.stuck], clock: clock)
        let past = RFC3339.string(from: clock.now.addingTimeInterval(-60))
        try await store.write { writer in
            let record: JSON = ["id": "a", "at": .string(past)]
            try writer.apply(Self.stuck, [JSONText(checking: record.utf8)])
        }
        try await body(store)
        await store.close()
        try FileManager.default.removeItem(at: directory)
    }

    @Test func `a row that stays due can be read`() async throws {
        try await withStore { store in
            for _ in 0..<3 {
                let ids = try await store.read { db in try String.fetchAll(db, sql: "SELECT id FROM stuck") }
                #expect(ids == ["a"])
            }
        }
    }

    @Test func `a row that stays due doesn't change the revision`() async throws {
        try await withStore { store in
            func revision() async throws -> Int? {
                try await store.read { db in try Int.fetchOne(db, sql: "SELECT revision FROM store") }
            }
            let before = try await revision()
            try await store.advance()
            #expect(try await revision() == before)
        }
    }
}
