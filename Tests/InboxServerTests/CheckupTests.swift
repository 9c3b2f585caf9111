import Foundation
import GRDB
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10)), .onlySQLite) struct CheckupTests {
    /// The checkup of a stopped server's database after some damaging SQL.
    private func checkup(_ sql: String, now: Date = ManualClock().now) async throws -> DatabaseCheckup {
        var checkup: DatabaseCheckup?
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let server = try await TestServer.start(file: file, clock: ManualClock())
            try await server.send(to: ["people": ["ann", "bob"]])
            try await server.send(to: ["everyone": true])
            try await server.send(to: ["person": "ann"], ["title": "Later", "deliverAt": "2026-05-01T09:00:00Z"])
            try await server.stop()
            var configuration = Configuration()
            configuration.foreignKeysEnabled = false
            let queue = try DatabaseQueue(path: file.path, configuration: configuration)
            try await queue.write { try $0.execute(sql: sql) }
            try queue.close()
            checkup = try await blocking { try DatabaseCheckup(of: file, now: now) }
        }
        return try #require(checkup)
    }

    private func verdict(_ name: String, _ checkup: DatabaseCheckup) -> DatabaseCheckup.Finding.Verdict? {
        checkup.findings.first { $0.name == name }?.verdict
    }

    @Test func `a good database is healthy`() async throws {
        let checkup = try await checkup("SELECT 1")
        #expect(checkup.isHealthy, "\(checkup.findings)")
        for name in ["Integrity", "References", "Schema", "Sequences", "Due"] {
            #expect(verdict(name, checkup) == .good)
        }
        let contents = checkup.findings.first { $0.name == "Contents" }?.value
        #expect(contents == "people: 2, messages: 3, deliveries: 3")
    }

    @Test(
        arguments: [
            ("DELETE FROM person WHERE name = 'bob'", "References"),
            ("UPDATE person SET sequence = 0", "Sequences"),
            ("UPDATE counter SET value = 0", "Sequences"),
            ("DELETE FROM due", "Due"),
            ("INSERT INTO grdb_migrations VALUES ('of a later version')", "Schema"),
        ]
    )
    func `each kind of inconsistency is found, with advice`(sql: String, name: String) async throws {
        let checkup = try await checkup(sql)
        #expect(!checkup.isHealthy)
        #expect(verdict(name, checkup) == .trouble, "\(checkup.findings)")
        #expect(checkup.findings.filter { $0.verdict == .trouble }.allSatisfy { $0.advice != nil })
    }

    @Test func `the server doesn't open a database of a newer version`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            try await TestServer.start(file: file, clock: ManualClock()).stop()
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('of a later version')") }
            try queue.close()
            #expect(throws: ServerSetupError.self) { try Storage(file: file) }
        }
    }

    @Test func `an overdue delivery is a notice and not an error`() async throws {
        let checkup = try await checkup("SELECT 1", now: ManualClock().now.addingTimeInterval(7_200))
        #expect(verdict("Due", checkup) == .notice)
        #expect(checkup.isHealthy)
    }

    @Test func `a missing file and a text file are not databases`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "text")
            #expect(throws: MaintenanceError.self) { try DatabaseCheckup(of: file) }
            try Data("no database, by any means; it is a text of some length".utf8).write(to: file)
            #expect(throws: MaintenanceError.self) { try DatabaseCheckup(of: file) }
        }
    }
}
