import Eventually
import Foundation
import Groundwork
import Postgres
import RunningPostgres
import Testing

@testable import InboxService

/// The end of a server's storage.
@Suite(.timeLimit(.minutes(5))) struct ClosingStorageTests {
    private func writer(_ storage: Storage) async throws -> Writer {
        try await Writer(storage: storage, clock: SystemClock(), random: .system, committed: { _ in })
    }

    @Test func `a server whose database is paused ends within five seconds`() async throws {
        try await DatabaseServer.run(options: ["max_locks_per_transaction=256"]) { server in
            let storage = try await Storage.open(try #require(URL(string: server.address())))
            try await storage.join()
            let writer = try await writer(storage)
            _ = try await writer.write { try $0.person(named: "ann", advancing: true) }
            try await server.pause()
            let write = Task { _ = try await writer.write { try $0.person(named: "ann", advancing: true) } }
            let read = Task { _ = try await storage.read { try $0.broadcastState() } }
            try await Task.sleep(for: .milliseconds(200))
            let (took, lateness) = try await measured { try await storage.close() }
            #expect(took < .seconds(5) + lateness, "\(took), with a machine that is late by \(lateness)")
            await #expect(throws: PostgresError.self) { try await write.value }
            await #expect(throws: PostgresError.self) { try await read.value }
            try await server.resume()
        }
    }
}
