import Crypto
import Foundation
import GRDB
import Groundwork

/// Carries over the erasures of people, the revocations of API keys, tokens and signing keys, and the audit log from
/// the replaced database to the restored copy, so that none of them is undone by a restore.
struct RestoreCarryover {
    /// The database that is replaced. It is only read.
    let from: Database
    /// The copy, with its migrations applied.
    let to: Database
    let now: Date

    /// Carries over the data of the database that is replaced, as far as it is readable.
    ///
    /// - Parameter database: The database that is replaced.
    /// - Throws: `DatabaseError` if the copy can't be written.
    static func apply(of database: URL, to copy: DatabaseQueue, now: Date) throws -> RestoreReport {
        var report = RestoreReport()
        if FileManager.default.fileExists(atPath: database.path) {
            do {
                let queue = try DatabaseCopy.openReadOnly(database)
                try queue.read { from in
                    // Assigned right after the write, so that the report is kept even if reading a damaged database
                    // fails later.
                    report = try copy.write { to in try RestoreCarryover(from: from, to: to, now: now).apply() }
                }
                try queue.close()
            } catch let error as MaintenanceError {
                report.relation = .unreadable(error.description)
            } catch let error as DatabaseError where error.resultCode != .SQLITE_FULL {
                report.relation = .unreadable(MaintenanceError(error, at: database.path).description)
            }
        }
        try copy.write { [report] db in try RestoreCarryover(from: db, to: db, now: now).audit(report) }
        return report
    }

    private var transaction: WriteTransaction {
        WriteTransaction(db: .sqlite(to), now: now, lastMessageID: 0, random: .system)
    }

    private func apply() throws -> RestoreReport {
        var report = RestoreReport()
        guard try !Self.signingKeys(in: from).isDisjoint(with: Self.signingKeys(in: to)) else {
            report.relation = .otherServer
            return report
        }
        report.relation = .sameServer
        // Erasures come first: the rest is then about people who have been created again since.
        try part(&report) { ($0.erasures, $0.erasedPeople) = try carryErasures() }
        try part(&report) { $0.revokedKeys = try carryRevocations() }
        try part(&report) { ($0.endedSessions, $0.endedTokens) = try carryTokenEnds() }
        try part(&report) { $0.hasLaterSigningKey = try carrySigningKeys() }
        try part(&report) { _ in try carryAudit() }
        return report
    }

    /// Carries over a part in a savepoint, completely or not at all. Some parts of a damaged database may be readable.
    private func part(_ report: inout RestoreReport, _ carry: (inout RestoreReport) throws -> Void) throws {
        do {
            try to.inSavepoint {
                try carry(&report)
                return .commit
            }
        } catch let error as DatabaseError where error.resultCode != .SQLITE_FULL {
            report.relation = .unreadable(error.message ?? "SQLite error \(error.resultCode.rawValue)")
        }
    }

    /// Returns the SHA-256 of all keys with which the server has ever signed people's tokens. Databases with a common
    /// key are states of the same server.
    private static func signingKeys(in db: Database) throws -> Set<Data> {
        let current = try Data.fetchAll(db, sql: "SELECT value FROM setting WHERE name = 'tokenKey'")
        let former =
            try db.tableExists("formerTokenKey") ? Data.fetchAll(db, sql: "SELECT hash FROM formerTokenKey") : []
        return Set(current.map { Data(SHA256.hash(data: $0)) } + former)
    }

    private func carryErasures() throws -> (erasures: Int, people: Int) {
        guard try from.tableExists("erasure") else { return (0, 0) }
        let start = try from.columns(in: "erasure").contains { $0.name == "start" } ? "start" : "NULL"
        var receipts: [Data: String] = [:]
        var count = 0
        let columns = "id, personHash, at, removed, \(start)"
        let rows = try Row.fetchCursor(from, sql: "SELECT \(columns) FROM erasure ORDER BY at")
        while let row = try rows.next() {
            try to.run(
                "INSERT OR IGNORE INTO erasure (id, personHash, at, removed, start) VALUES (?, ?, ?, ?, ?)",
                [row[0] as String, row[1] as Data, row[2] as Int, row[3] as String, row[4] as Int?]
            )
            guard to.changesCount > 0 else { continue }
            count += 1
            receipts[row[1]] = row[0]
        }
        guard !receipts.isEmpty else { return (count, 0) }
        let names = try String.fetchAll(
            to,
            sql: """
                SELECT name FROM person UNION SELECT personName FROM tokenEnd UNION SELECT personName FROM endedToken
                UNION SELECT personName FROM audit WHERE personName IS NOT NULL
                """
        )
        var people = 0
        for name in names {
            guard let receipt = receipts[Erasure.hash(of: name)] else { continue }
            if try transaction.eraseRows(of: name, receipt: receipt).person != nil { people += 1 }
        }
        return (count, people)
    }

    private func carryRevocations() throws -> Int {
        guard try from.columns(in: "apiKey").contains(where: { $0.name == "revokedAt" }) else { return 0 }
        var count = 0
        let rows = try Row.fetchCursor(
            from,
            sql: "SELECT hash, revokedAt, scopes FROM apiKey WHERE revokedAt IS NOT NULL"
        )
        while let row = try rows.next() {
            // With its list of scopes, a setup key that a call has revoked can't be set up again.
            try to.run(
                """
                UPDATE apiKey SET revokedAt = ?1, scopes = coalesce(scopes, ?3)
                WHERE hash = ?2 AND (revokedAt IS NULL OR (scopes IS NULL AND ?3 IS NOT NULL))
                """,
                [row[1] as Int, row[0] as Data, row[2] as String?]
            )
            count += to.changesCount
        }
        return count
    }

    private func carryTokenEnds() throws -> (sessions: Int, tokens: Int) {
        guard try from.tableExists("tokenEnd") else { return (0, 0) }
        var (sessions, tokens) = (0, 0)
        let ends = try Row.fetchCursor(from, sql: "SELECT personName, at, start FROM tokenEnd")
        while let row = try ends.next() {
            try to.run(
                """
                INSERT INTO tokenEnd (personName, at, start) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET at = excluded.at, start = excluded.start WHERE excluded.start > start
                """,
                [row[0] as String, row[1] as Int, row[2] as Int]
            )
            sessions += to.changesCount
        }
        let ended = try Row.fetchCursor(from, sql: "SELECT token, personName, expiresAt FROM endedToken")
        while let row = try ended.next() {
            try to.run(
                "INSERT OR IGNORE INTO endedToken (token, personName, expiresAt) VALUES (?, ?, ?)",
                [row[0] as Data, row[1] as String, row[2] as Int]
            )
            tokens += to.changesCount
        }
        return (sessions, tokens)
    }

    private func carrySigningKeys() throws -> Bool {
        let sql = "SELECT value FROM setting WHERE name = 'tokenKey'"
        guard let current = try Data.fetchOne(from, sql: sql) else { return false }
        let isLater = try Data.fetchOne(to, sql: sql) != current
        try to.run("UPDATE setting SET value = ? WHERE name = 'tokenKey'", [current])
        guard try from.tableExists("formerTokenKey") else { return isLater }
        try to.execute(sql: "DELETE FROM formerTokenKey")
        let rows = try Row.fetchCursor(from, sql: "SELECT hash, secret, endsAt FROM formerTokenKey")
        while let row = try rows.next() {
            try to.run(
                "INSERT INTO formerTokenKey (hash, secret, endsAt) VALUES (?, ?, ?)",
                [row[0] as Data, row[1] as Data?, row[2] as Int]
            )
        }
        return isLater
    }

    /// Carries the audit entries over. An entry of both is kept as the replaced one has it: an erasure may have removed
    /// the person from it.
    private func carryAudit() throws {
        guard try from.tableExists("audit") else { return }
        let columns = "uid, at, kind, apiKey, personName, erasure, reason, count, detail"
        let rows = try Row.fetchCursor(from, sql: "SELECT \(columns) FROM audit ORDER BY id")
        while let row = try rows.next() {
            try to.run(
                """
                INSERT INTO audit (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (uid) DO UPDATE SET
                    personName = excluded.personName, erasure = excluded.erasure, count = excluded.count
                ON CONFLICT (kind, reason, at) WHERE count IS NOT NULL DO UPDATE SET count = max(count, excluded.count)
                """,
                StatementArguments(Array(row.databaseValues))
            )
        }
    }

    private func audit(_ report: RestoreReport) throws {
        try transaction.audit(.databaseRestored, by: .tool, detail: report.detail)
    }
}

extension RestoreReport {
    /// The audit log's details of a restore.
    var detail: JSONObject {
        JSONObject([
            ("erasures", JSON(erasures)), ("erasedPeople", JSON(erasedPeople)), ("revokedKeys", JSON(revokedKeys)),
            ("endedSessions", JSON(endedSessions)), ("endedTokens", JSON(endedTokens)),
        ])
    }
}
