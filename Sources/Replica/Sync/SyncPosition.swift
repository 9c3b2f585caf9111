package import Foundation
package import GRDB
import Groundwork

/// The account and the state up to which a type's rows are current.
package struct SyncPosition: Hashable, Sendable {
    package let account: String
    /// The server's state; nil before the first sync, and while a full sync is due.
    package let state: String?
    /// The time at which a sync last ended; nil if none has.
    package let syncedAt: Date?

    /// Whether all records that belong on the device have been fetched at least once. The state is stored in the same
    /// transaction as the last of them. While a full sync is due, the time of an earlier sync shows it.
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
    /// Stores the server's state up to which the rows are current. Nil makes a full sync due.
    func setState(_ type: RecordType, account: String, _ state: String?) throws {
        // No changes can be calculated from the outline's state.
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

    func clearState(_ type: RecordType) throws {
        try expireOutline(type)
        try db.execute(sql: "UPDATE sync SET state = NULL WHERE type = ?", arguments: [type.name])
    }

    func setSyncedAt(_ type: RecordType) throws {
        try db.execute(sql: "UPDATE sync SET syncedAt = ? WHERE type = ?", arguments: [now, type.name])
    }
}
