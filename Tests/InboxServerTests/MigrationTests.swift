import Coverage
import Foundation
import GRDB
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10)), .onlySQLite) struct MigrationTests {
    private static let earlier = Schema.migrator.migrations.dropLast().map { $0 }

    /// An empty file, and each earlier version in a long run, otherwise each third one. That the server starts on the
    /// others too is shown by the test of their rows.
    private static let starts: [String?] = {
        let isLong = ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] != nil
        let some: [String?] = earlier.enumerated().filter { isLong || $0.offset % 3 == 0 }.map { $0.element }
        return [nil] + some
    }()

    /// The state of earlier versions, including an empty file.
    @Test(.rulesOut(.novu4464), arguments: starts)
    func `starting the server migrates a database of each earlier version`(version: String?) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            do {
                let pool = try DatabasePool(path: file.path(percentEncoded: false))
                if let version { try Schema.migrator.migrate(pool, upTo: version) }
                try pool.close()
            }
            try await Self.run(file) { server in
                let id = try await server.send(to: ["person": "ann"])
                #expect(try await server.device(of: "ann").ids() == [id])
            }
        }
    }

    private static func run(_ file: URL, _ body: (TestServer) async throws -> Void) async throws {
        let server = try await TestServer.start(file: file, clock: ManualClock())
        do {
            try await body(server)
        } catch {
            try await server.stop()
            throw error
        }
        try await server.stop()
    }

    /// The rows of all tables in the given columns.
    private static func picture(_ file: URL, of columns: [String: [String]]) async throws -> [String: [[DatabaseValue]]]
    {
        let queue = try DatabaseQueue(path: file.path)
        defer { try? queue.close() }
        return try await queue.read { db in
            var picture: [String: [[DatabaseValue]]] = [:]
            for (table, columns) in columns { picture[table] = try ServerFixture.rows(table, columns, db) }
            return picture
        }
    }

    @Test(arguments: ServerFixture.versions)
    func `migration keeps the rows of every table`(_ version: String) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            try FileManager.default.copyItem(at: ServerFixture.file(version), to: file)
            let columns = try await DatabaseQueue(path: ServerFixture.file(version).path).read { db in
                try ServerFixture.tables(db).reduce(into: [:]) { $0[$1] = try ServerFixture.columns($1, db) }
            }
            let before = try await Self.picture(file, of: columns)
            try await Self.run(file) { _ in }
            let after = try await Self.picture(file, of: columns)
            for table in columns.keys { #expect(after[table] == before[table], "\(table)") }

            // The server works with the migrated rows.
            try await Self.run(file) { server in
                let ann = try await server.device(of: "ann")
                let ids = JSON(try await ann.ids())
                let list = try await ann.call("get", ["ids": ids])["list"]?.arrayValue ?? []
                let titles = list.compactMap { $0["title"]?.stringValue }
                #expect(
                    Set(titles) == [
                        "Your parcel is on its way", "To both, edited", "To everyone", "Imported",
                        "To those who are there", "Of a campaign", "Offer", "Granted", "Edited",
                    ],
                    "\(titles)"
                )
                let parcel = list.first { $0["title"] == "Your parcel is on its way" }
                #expect(parcel?["readAt"] == "2026-05-01T08:00:00Z")
                #expect(list.first { $0["title"] == "To both, edited" }?["snoozedUntil"] == "2027-01-01T00:00:00Z")
                #expect(list.first { $0["title"] == "To everyone" }?["deletedAt"] == "2026-05-01T08:00:00Z")
                #expect(try await server.rest("GET", "/v1/people/ann").json["attributes"] == ["plan": "gold"])
                #expect(try await server.rest("GET", "/v1/surfaces/inbox").json["title"] == "News")
                let keys = try await server.rest("GET", "/v1/keys").json["keys"]?.arrayValue
                #expect(keys?.map { $0["name"]?.stringValue } == ["admin", "revoked", "tokens"])
                #expect(try await server.rest("GET", "/v1/audit").json["entries"]?.arrayValue?.isEmpty == false)
            }
        }
    }

    /// The current tables keep the rows of each earlier version, in the columns that it had.
    @Test(arguments: earlier)
    func `migration keeps the rows of each earlier version`(_ version: String) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let fixture = try ServerFixture.file(try #require(ServerFixture.versions.last))
            let pool = try DatabasePool(path: file.path(percentEncoded: false))
            try Schema.migrator.migrate(pool, upTo: version)
            let columns = try await pool.writeWithoutTransaction { db in try Self.fill(db, from: fixture) }
            try pool.close()
            let before = try await Self.picture(file, of: columns)
            try await Self.run(file) { _ in }
            let after = try await Self.picture(file, of: columns)
            for (table, rows) in before {
                #expect(!rows.isEmpty, "\(table)")
                // Later versions add counters and settings.
                let mayGrow = ["counter", "setting"].contains(table)
                #expect(mayGrow ? Set(rows).isSubset(of: after[table] ?? []) : rows == after[table], "\(table)")
            }
            try await Self.checkComputed(file, from: version)
        }
    }

    /// Checks the values that migrations after a version computed from its rows.
    private static func checkComputed(_ file: URL, from version: String) async throws {
        let names = Schema.migrator.migrations
        let isBefore = { (name: String) in (names.firstIndex(of: version) ?? 0) < (names.firstIndex(of: name) ?? 0) }
        let queue = try DatabaseQueue(path: file.path)
        defer { try? queue.close() }
        func titles(_ condition: String) async throws -> Set<String> {
            let sql = "SELECT content ->> '$.title' FROM message WHERE content <> '' AND \(condition)"
            return try await queue.read { db in Set(try String.fetchAll(db, sql: sql)) }
        }
        if isBefore("sent") { #expect(try await titles("campaign = 'spring'") == ["Of a campaign"]) }
        guard isBefore("consent") else { return }
        #expect(try await titles("consentCategory = 'offers'") == ["Offer"])
        #expect(try await titles("grantedConsentCategory = 'news'") == ["Granted"])
        // It isn't known whether these dates were set with consent.
        #expect(try await titles("id IN (SELECT message FROM delivery WHERE withheld = 31)") == ["Offer"])
        #expect(try await titles("id IN (SELECT message FROM delivery WHERE withheld NOT IN (0, 31))").isEmpty)
        #expect(try await titles("id IN (SELECT message FROM event WHERE isWithheld <> 0)").isEmpty)
    }

    /// Fills all tables of an earlier version with the fixture's rows, in the columns that it has.
    ///
    /// - Returns: The filled columns by table.
    private static func fill(_ db: Database, from fixture: URL) throws -> [String: [String]] {
        try db.execute(sql: "PRAGMA foreign_keys = OFF; ATTACH ? AS fixture", arguments: [fixture.path])
        // The outbox first: triggers count its rows in the webhooks.
        let tables = try ServerFixture.tables(db).sorted { $0 == "outbox" && $1 != "outbox" }
        var all: [String: [String]] = [:]
        for table in tables {
            let names = "SELECT name FROM pragma_table_info(?, 'fixture')"
            let now = try String.fetchAll(db, sql: names, arguments: [table])
            let common = try ServerFixture.columns(table, db).filter(now.contains)
            #expect(!common.isEmpty, "\(table) is no more: say here what became of its rows")
            let list = common.map { "\"\($0)\"" }.joined(separator: ", ")
            if table == "counter" {
                // Each version creates its own counters.
                let value = "(SELECT value FROM fixture.counter f WHERE f.name = counter.name)"
                try db.execute(sql: "UPDATE counter SET value = \(value)")
            } else {
                try db.execute(sql: "INSERT INTO \"\(table)\" (\(list)) SELECT \(list) FROM fixture.\"\(table)\"")
            }
            all[table] = common
        }
        try db.execute(sql: "DETACH fixture")
        return all
    }

    /// A new migration needs a new fixture; the earlier ones stay.
    @Test func `the current schema has a fixture with values in every column`() async throws {
        let latest = try #require(ServerFixture.versions.last)
        #expect(latest == Schema.migrator.migrations.last, "\(Self.advice)")
        try await DatabaseQueue(path: ServerFixture.file(latest).path).read { db in
            #expect(try Schema.migrator.appliedIdentifiers(db) == Set(Schema.migrator.migrations))
            for table in try ServerFixture.tables(db) {
                // A column without values tests nothing.
                for column in try ServerFixture.columns(table, db) {
                    let sql = "SELECT count(\"\(column)\") FROM \"\(table)\""
                    #expect(try Int.fetchOne(db, sql: sql) ?? 0 > 0, "\(table).\(column): \(Self.advice)")
                }
            }
        }
    }

    private static let advice: Comment =
        "run this suite with SWIFT_INBOX_MAKE_FIXTURE=Tests/InboxServerTests/Fixtures/NAME.sqlite, and add the name to ServerFixture.versions"

    @Test(.enabled(if: ProcessInfo.processInfo.environment["SWIFT_INBOX_MAKE_FIXTURE"] != nil))
    func `a fixture of the current schema is written`() async throws {
        let target = try #require(ProcessInfo.processInfo.environment["SWIFT_INBOX_MAKE_FIXTURE"])
        try await ServerFixture.make(URL(fileURLWithPath: target))
    }
}
