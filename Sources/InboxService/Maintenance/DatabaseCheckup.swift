package import Foundation
import GRDB
import Groundwork

/// A checkup of a server's database. A server may be running.
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

    /// Runs the checkup. It blocks the calling thread for a time that grows with the file.
    ///
    /// - Parameter connectionLimit: The maximum number of connections of a server that is started in this environment.
    /// - Throws: ``MaintenanceError`` if the file can't be read at all.
    package init(of database: URL, now: Date, connectionLimit: Int) throws {
        let queue = try DatabaseCopy.openReadOnly(database)
        do {
            let inside = try queue.read { db in try Self.content(db, now: now) }
            try queue.close()
            findings = inside + HostCheckup(database: database, connectionLimit: connectionLimit).findings
        } catch let error as DatabaseError {
            throw MaintenanceError(error, at: database.path)
        }
    }

    private static let restore = "Stop the server and restore the last backup: inbox restore"

    private static func content(_ db: Database, now: Date) throws -> [Finding] {
        let problems = try String.fetchAll(db, sql: "PRAGMA integrity_check(10)")
        guard problems == ["ok"] else {
            return [Finding("Integrity", problems.joined(separator: "; "), .trouble, restore)]
        }
        return [
            Finding("Integrity", "good"), try references(db), try schema(db), try sequences(db), try due(db, now: now),
            try contents(db), try broadcasts(db),
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
    private static func sequences(_ db: Database) throws -> Finding {
        let own = try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM delivery JOIN person ON person.id = delivery.person
                WHERE delivery.sequence > person.sequence OR delivery.created > person.sequence
                """
        )
        let broadcasts = try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM message WHERE broadcastCreated > broadcastSequence
                    OR broadcastSequence > (SELECT value FROM counter WHERE name = 'broadcast')
                """
        )
        let wrong = (own ?? 0) + (broadcasts ?? 0)
        guard wrong > 0 else { return Finding("Sequences", "good") }
        return Finding("Sequences", "\(wrong) records are ahead of their counters", .trouble, restore)
    }

    private static func due(_ db: Database, now: Date) throws -> Finding {
        let lost = try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM message WHERE state = 0
                    AND NOT EXISTS (SELECT 1 FROM due WHERE kind = ? AND due.message = message.id)
                """,
            arguments: [DueKind.deliver.rawValue]
        )
        if let lost, lost > 0 {
            return Finding("Due", "\(lost) waiting messages will never be delivered", .trouble, restore)
        }
        let late = try Int.fetchOne(
            db,
            sql: "SELECT count(*) FROM due WHERE at < ?",
            arguments: [now.addingTimeInterval(-60).milliseconds]
        )
        let all = try Int.fetchOne(db, sql: "SELECT count(*) FROM due") ?? 0
        guard let late, late > 0 else { return Finding("Due", "\(all) pending") }
        return Finding(
            "Due",
            "\(late) of \(all) overdue",
            .notice,
            "A running server processes them immediately. Check that it is running."
        )
    }

    private static func contents(_ db: Database) throws -> Finding {
        func count(_ table: String) throws -> Int { try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0 }
        let (people, messages, deliveries) = (try count("person"), try count("message"), try count("delivery"))
        return Finding("Contents", "people: \(people), messages: \(messages), deliveries: \(deliveries)")
    }

    private static func broadcasts(_ db: Database) throws -> Finding {
        let sql = "SELECT count(*) FROM message WHERE recipients IS NULL AND state < 2"
        let (live, limit) = (try Int.fetchOne(db, sql: sql) ?? 0, TooManyBroadcasts.limit)
        return Finding(
            "Broadcasts",
            "\(live) live of at most \(limit)",
            live * 10 >= limit * 9 ? .notice : .good,
            "Recall old messages to everyone, or let them expire sooner."
        )
    }
}
