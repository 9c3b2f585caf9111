import Foundation
import GRDB
import Testing

@testable import InboxServer
@testable import InboxService

/// A server starts only on its own database and changes no other file.
@Suite(.timeLimit(.minutes(5)), .onlySQLite) struct DatabaseFileTests {
    /// The error with which the server rejects a file.
    private func refusal(of file: URL) async throws -> String? {
        do {
            let server = try await TestServer.start(file: file, clock: ManualClock())
            try await server.stop()
            return nil
        } catch let error as ServerSetupError {
            return error.description
        }
    }

    @Test(arguments: [
        ("text", Data("Dear diary,\n".utf8), "isn't a SQLite database"),
        ("noise", Data((0..<8_192).map { _ in UInt8.random(in: 1...255) }), "isn't a SQLite database"),
    ])
    func `a file that isn't a database is rejected unchanged`(_ name: String, _ content: Data, _ words: String)
        async throws
    {
        try await withFolder { folder in
            let file = folder.appending(path: name)
            try content.write(to: file)
            let reason = try #require(try await refusal(of: file))
            #expect(reason.contains(words))
            #expect(reason.contains("inbox restore"))
            #expect(!reason.contains("sqlite_master"))
            let after = try Data(contentsOf: file)
            #expect(after == content)
        }
    }

    @Test func `a folder is rejected`() async throws {
        try await withFolder { folder in
            let reason = try await refusal(of: folder)
            #expect(reason?.contains("is a folder") == true)
        }
    }

    @Test(arguments: [0, 7])
    func `another program's database is rejected unchanged`(applicationID: Int) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "notes.sqlite")
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write { db in
                try db.execute(
                    sql:
                        "PRAGMA application_id = \(applicationID); CREATE TABLE person(name); CREATE TABLE message(text)"
                )
            }
            try queue.close()
            let before = try Data(contentsOf: file)
            let reason = try await refusal(of: file)
            #expect(reason?.contains("but not an inbox server's") == true)
            let after = try Data(contentsOf: file)
            #expect(after == before)
            let error = #expect(throws: MaintenanceError.self) { _ = try DatabaseCheckup(of: file) }
            #expect(error?.description.contains("but not an inbox server's") == true)
        }
    }

    @Test func `a damaged database is rejected with a reference to inbox doctor`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let server = try await TestServer.start(file: file, clock: ManualClock())
            try await server.stop()
            var bytes = try Data(contentsOf: file)
            for page in 5..<12 {
                bytes.replaceSubrange(page * 4_096..<page * 4_096 + 512, with: Data(repeating: 0xA7, count: 512))
            }
            try bytes.write(to: file)
            let reason = try #require(try await refusal(of: file))
            #expect(reason.contains("is damaged"))
            #expect(reason.contains("inbox doctor"))
            let checkup = try? DatabaseCheckup(of: file)
            #expect(checkup?.isHealthy != true)
        }
    }

    @Test func `a database of an interrupted first start is accepted`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write { db in
                try db.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            }
            try queue.close()
            #expect(try await refusal(of: file) == nil)
            #expect(try await mark(of: file) == 0x494E_4258)
        }
    }

    @Test func `a server's database has its application id, also one of an earlier version`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            #expect(try await refusal(of: file) == nil)
            #expect(try await mark(of: file) == 0x494E_4258)
            // An earlier version's database has no application id and gets one.
            let queue = try DatabaseQueue(path: file.path)
            try await queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA application_id = 0") }
            try queue.close()
            #expect(try await refusal(of: file) == nil)
            #expect(try await mark(of: file) == 0x494E_4258)
        }
    }

    private func mark(of file: URL) async throws -> Int? {
        let queue = try DatabaseQueue(path: file.path)
        let mark = try await queue.read { db in try Int.fetchOne(db, sql: "PRAGMA application_id") }
        try queue.close()
        return mark
    }
}
