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

    @Test(arguments: [false, true])
    func `a file that was moved or truncated isn't replaced while its log has data`(isTruncated: Bool) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let log = folder.appending(path: "inbox.sqlite-wal")
            if isTruncated { try Data().write(to: file) }
            let content = Data("frames of a log".utf8)
            try content.write(to: log)
            let reason = try #require(try await refusal(of: file))
            #expect(reason.contains("is missing or empty, and its log \(log.path) isn't"), "\(reason)")
            #expect(reason.contains("inbox restore"))
            let after = try Data(contentsOf: log)
            #expect(after == content)
            // An empty log is none.
            try Data().write(to: log)
            #expect(try await refusal(of: file) == nil)
        }
    }

    @Test func `a database without a file, or with an empty one, is new`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            #expect(DatabaseFile.isNew(file))
            try Data().write(to: file)
            #expect(DatabaseFile.isNew(file))
            #expect(try await refusal(of: file) == nil)
            #expect(!DatabaseFile.isNew(file))
            let postgres = try #require(URL(string: "postgres://inbox.example/inbox"))
            #expect(!DatabaseFile.isNew(postgres))
        }
    }

    @Test func `errors of SQLite at a start name the file and the remedy`() throws {
        let file = URL(fileURLWithPath: "/srv/inbox.sqlite")
        for (code, words) in [
            (ResultCode.SQLITE_FULL, "/srv/inbox.sqlite can't be written: the disk is full. Make room on it."),
            (.SQLITE_CANTOPEN, "/srv/inbox.sqlite can't be opened. Check that it exists"),
            (.SQLITE_IOERR, "/srv/inbox.sqlite: "),
        ] {
            let error = DatabaseError(resultCode: code, message: "words of SQLite", sql: "COMMIT TRANSACTION")
            let description = try #require(Storage.setupError(of: error, at: file)?.description)
            #expect(description.hasPrefix(words), "\(description)")
            #expect(!description.contains("COMMIT"))
        }
        let error = DatabaseError(resultCode: .SQLITE_FULL)
        #expect(Storage.setupError(of: error, at: URL(string: "postgres://inbox.example/inbox")) == nil)
        #expect(Storage.setupError(of: CancellationError(), at: file) == nil)
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
