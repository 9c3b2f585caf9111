import Foundation
import GRDB
import Groundwork
import ReplicaTesting
import Testing

@testable import Replica

/// An app and its extension, both just updated, open the same store at the same time.
@Suite(.timeLimit(.minutes(5))) struct OpeningTogetherTests {
    @Test(arguments: 0..<12) func `four concurrent openings create a new store once`(round: Int) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("together-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let location = StoreLocation(
            directory: directory,
            server: URL(string: "https://inbox.example")!,
            person: "alice"
        )
        let stores = try await withThrowingTaskGroup(of: ReplicaStore.self) { group in
            for _ in 0..<4 {
                group.addTask { try ReplicaStore(at: location, types: [.note], clock: ManualClock()) }
            }
            return try await group.reduce(into: [ReplicaStore]()) { $0.append($1) }
        }
        #expect(stores.count == 4)
        for store in stores {
            #expect(try await store.read { db in try String.fetchOne(db, sql: "PRAGMA integrity_check") } == "ok")
        }
        for store in stores { await store.close() }
    }
}
