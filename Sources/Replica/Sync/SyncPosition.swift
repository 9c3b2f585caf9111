package import Foundation
package import GRDB
import Groundwork

/// How far a type's rows are current, as the server's account and state.
package struct SyncPosition: Hashable, Sendable {
    package let account: String
    /// Nil before the first sync, and while a resync is due.
    package let state: String?
    /// When a sync last ended.
    package let syncedAt: Date?

    /// Whether all that the device is to hold has come at least once: with the state that comes in the same transaction
    /// as the last of it, or, while a resync is due, at an earlier time.
    package var hasSynced: Bool { state != nil || syncedAt != nil }
}

extension Database {
    package func syncPosition(_ type: RecordType) throws -> SyncPosition? {
        try Row.fetchOne(
            cachedStatement(sql: "SELECT account, state, syncedAt FROM sync WHERE type = ?"),
            arguments: [type.name]
        ).map { row in
            SyncPosition(account: row[0], state: row[1], syncedAt: (row[2] as Int?).map(Date.init(milliseconds:)))
        }
    }
}

extension StoreWriter {
    /// Records the server's state up to which the rows are current. Nil asks for a resync.
    func setState(_ type: RecordType, account: String, _ state: String?) throws {
        // What is listed is of a state from which nothing leads on.
        if state == nil { try expireOutline(type) }
        try db.cachedStatement(
            sql: """
                INSERT INTO sync(type, account, state, syncedAt) VALUES (:type, :account, :state, NULL)
                    ON CONFLICT DO UPDATE SET account = excluded.account, state = excluded.state,
                        windowState = CASE WHEN account IS excluded.account THEN windowState END
                    WHERE account IS NOT excluded.account OR state IS NOT excluded.state
                """
        ).execute(arguments: ["type": type.name, "account": account, "state": state])
    }

    func forgetState(_ type: RecordType) throws {
        try expireOutline(type)
        try db.execute(sql: "UPDATE sync SET state = NULL WHERE type = ?", arguments: [type.name])
    }

    func setSyncedAt(_ type: RecordType) throws {
        try db.execute(sql: "UPDATE sync SET syncedAt = ? WHERE type = ?", arguments: [now, type.name])
    }
}
