import Coverage
import Foundation
import GRDB
import Groundwork
import Testing

@testable import InboxServer

@Suite(.timeLimit(.minutes(10))) struct MigrationTests {
    /// As each earlier version left it, down to an empty file.
    @Test(.rulesOut(.novu4464), arguments: [nil] + Schema.migrator.migrations.dropLast().map { $0 })
    func databaseOfAnEarlierVersion_isBroughtUpToDateByStartingTheServer(version: String?) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            do {
                let pool = try DatabasePool(path: file.path(percentEncoded: false))
                if let version { try Schema.migrator.migrate(pool, upTo: version) }
                try pool.close()
            }
            let server = try await TestServer.start(file: file, clock: ManualClock())
            do {
                let id = try await server.send(to: ["person": "ann"])
                #expect(try await server.device(of: "ann").ids() == [id])
                try await server.stop()
            } catch {
                try await server.stop()
                throw error
            }
        }
    }
}
