package import Foundation
import GRDB
import Groundwork

/// A checkup of a server's database, a SQLite file or one of PostgreSQL, which isn't changed. Servers may be running.
public struct DatabaseCheckup: Sendable {
    /// The result of one check.
    public struct Finding: Hashable, Sendable {
        /// The assessment of a value.
        public enum Verdict: String, Sendable {
            /// Everything is in order.
            case good
            /// Something deserves attention, but nothing is broken.
            case notice
            /// Something is broken or about to break.
            case trouble
        }

        /// The part that was checked.
        public let name: String
        /// The value that was found.
        public let value: String
        /// The assessment of the value.
        public let verdict: Verdict
        /// The fix of the problem. Nil if the verdict is good.
        public let advice: String?

        init(_ name: String, _ value: String, _ verdict: Verdict = .good, _ advice: String? = nil) {
            self.name = name
            self.value = value
            self.verdict = verdict
            self.advice = verdict == .good ? nil : advice
        }
    }

    /// The results, in their display order.
    public let findings: [Finding]

    /// Whether no finding has the verdict `trouble`.
    public var isHealthy: Bool { findings.allSatisfy { $0.verdict != .trouble } }

    /// Runs the checkup. It blocks the calling thread for a time that grows with the database.
    ///
    /// - Parameters:
    ///   - database: A file's URL, or a `postgres:` address.
    ///   - now: The time of the call by this machine's clock.
    ///   - connectionLimit: The maximum number of connections of a server that is started in this environment.
    /// - Throws: ``MaintenanceError`` if the database can't be read at all.
    package init(of database: URL, now: Date, connectionLimit: Int) throws {
        guard !Storage.isPostgreSQL(database) else {
            #if PostgreSQL
                findings = try PostgresCheckup.run(database.absoluteString, now: now)
                return
            #else
                throw MaintenanceError(
                    "This build doesn't support PostgreSQL. Build it with libpq-dev installed: make build."
                )
            #endif
        }
        let queue = try DatabaseCopy.openReadOnly(database, remedy: Self.restore + ".")
        do {
            let inside = try queue.read { db in try Self.content(db, now: now) }
            try queue.close()
            findings = inside + HostCheckup(database: database, connectionLimit: connectionLimit).findings
        } catch let error as DatabaseError {
            throw MaintenanceError(error, at: database.path, remedy: Self.restore + ".")
        }
    }

    private static let restore = "Stop the server and restore the last backup: inbox restore"

    private static func content(_ db: Database, now: Date) throws -> [Finding] {
        let problems = try String.fetchAll(db, sql: "PRAGMA integrity_check(10)")
        guard problems == ["ok"] else {
            return [Finding("Integrity", problems.joined(separator: "; "), .trouble, restore)]
        }
        return [
            Finding("Integrity", "good"), try references(db), try schema(db),
            try sequences(.sqlite(db), restore: restore), try due(.sqlite(db), now: now, restore: restore),
            try contents(.sqlite(db)), try broadcasts(.sqlite(db)),
        ]
    }

    private static func references(_ db: Database) throws -> Finding {
        let count = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").count
        guard count > 0 else { return Finding("References", "good") }
        return Finding("References", "\(count) rows have dangling references", .trouble, restore)
    }

    private static func schema(_ db: Database) throws -> Finding {
        let applied = try Schema.migrator.appliedIdentifiers(db)
        let unknown = try Schema.unknownMigrations(in: db)
        guard unknown.isEmpty else {
            let names = unknown.joined(separator: ", ")
            return Finding(
                "Schema",
                "newer than this version: \(names)",
                .trouble,
                "Use the version of inbox that wrote it, or a later one."
            )
        }
        guard try Schema.migrator.hasCompletedMigrations(db) else {
            return Finding("Schema", "older than this version", .notice, "The server migrates it at startup.")
        }
        return Finding("Schema", "current (\(applied.count))")
    }

    /// Checks that no record is ahead of the counter that its sequence came from. Otherwise a sequence would be
    /// assigned twice.
    static func sequences(_ db: SQLConnection, restore: String) throws -> Finding {
        let own: Int? = try db.value(
            """
            SELECT count(*) FROM delivery JOIN person ON person.id = delivery.person
            WHERE delivery.sequence > person.sequence OR delivery.created > person.sequence
            """,
            isRare: true
        )
        let broadcasts: Int? = try db.value(
            """
            SELECT count(*) FROM message WHERE broadcastCreated > broadcastSequence
                OR broadcastSequence > (SELECT value FROM counter WHERE name = 'broadcast')
            """,
            isRare: true
        )
        let wrong = (own ?? 0) + (broadcasts ?? 0)
        guard wrong > 0 else { return Finding("Sequences", "good") }
        return Finding("Sequences", "\(wrong) records are ahead of their counters", .trouble, restore)
    }

    static func due(_ db: SQLConnection, now: Date, restore: String) throws -> Finding {
        let lost: Int? = try db.value(
            """
            SELECT count(*) FROM message WHERE state = 0
                AND NOT EXISTS (SELECT 1 FROM due WHERE kind = ? AND due.message = message.id)
            """,
            [DueKind.deliver.rawValue],
            isRare: true
        )
        if let lost, lost > 0 {
            return Finding("Due", "\(lost) waiting messages will never be delivered", .trouble, restore)
        }
        let late: Int? = try db.value(
            "SELECT count(*) FROM due WHERE at < ? AND \(DueKind.isKnown)",
            [now.addingTimeInterval(-60).milliseconds],
            isRare: true
        )
        let all: Int = try db.value("SELECT count(*) FROM due", isRare: true) ?? 0
        guard let late, late > 0 else { return Finding("Due", "\(all) pending") }
        return Finding(
            "Due",
            "\(late) of \(all) overdue",
            .notice,
            "A running server processes them immediately. Check that it is running."
        )
    }

    static func contents(_ db: SQLConnection) throws -> Finding {
        func count(_ table: String) throws -> Int { try db.value("SELECT count(*) FROM \(table)", isRare: true) ?? 0 }
        let (people, messages, deliveries) = (try count("person"), try count("message"), try count("delivery"))
        return Finding("Contents", "people: \(people), messages: \(messages), deliveries: \(deliveries)")
    }

    static func broadcasts(_ db: SQLConnection) throws -> Finding {
        let count: Int? = try db.value(
            "SELECT count(*) FROM message WHERE recipients IS NULL AND state < 2",
            isRare: true
        )
        let (live, limit) = (count ?? 0, TooManyBroadcastsError.limit)
        return Finding(
            "Broadcasts",
            "\(live) live of at most \(limit)",
            live * 10 >= limit * 9 ? .notice : .good,
            "Recall old messages to everyone, or let them expire sooner."
        )
    }
}
