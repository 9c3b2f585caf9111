package import Foundation
package import GRDB
import Groundwork

extension WriteTransaction {
    /// The number of entries of the due-queue per transaction, so that other writes run in between.
    static let dueLimit = 50
    /// After how many changed rows no further entry is taken.
    private static let dueRowLimit = 10_000

    /// Does what is due by now, earliest first, and what was due while the server was down first of all.
    ///
    /// - Returns: Whether there may be more.
    func runDue() throws -> Bool {
        let entries = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT kind, message, person FROM due WHERE at <= ? ORDER BY at, kind LIMIT ?"),
            arguments: [now.milliseconds, Self.dueLimit]
        )
        let changes = db.totalChangesCount
        for entry in entries {
            guard db.totalChangesCount - changes < Self.dueRowLimit else { return true }
            let message = MessageID(rawValue: entry[1])
            let person: Int = entry[2]
            guard let kind = DueKind(rawValue: entry[0]) else { continue }
            try unschedule(kind, message: message, person: person)
            switch kind {
            case .deliver: try show(message)
            case .expire: try take(message)
            case .purge: try destroy(message, of: person)
            }
        }
        return entries.count == Self.dueLimit
    }

    /// Drops the records that are kept for a time only.
    func dropOldRecords() throws {
        func drop(_ table: String, before column: String, lifetime: TimeInterval) throws {
            try db.run("DELETE FROM \(table) WHERE \(column) < ?", [now.addingTimeInterval(-lifetime).milliseconds])
        }
        try drop("idempotency", before: "at", lifetime: IdempotencyKey.lifetime)
        try drop("batch", before: "at", lifetime: StoredBatch.lifetime)
        try drop("event", before: "receivedAt", lifetime: StoredEvent.lifetime)
        try drop("outbox", before: "createdAt", lifetime: OutboxLimits.lifetime)
        try drop("audit", before: "at", lifetime: AuditEntry.lifetime)
        // It signs no longer.
        try db.run(
            "UPDATE webhook SET earlierSecret = NULL, earlierUntil = NULL WHERE earlierUntil <= ?",
            [now.milliseconds]
        )
        try dropOldSessions()
        try dropOldBlobs()
    }

    /// Gives a message that has waited its place in each inbox.
    func show(_ message: MessageID) throws {
        guard try stage(of: message) == .waiting else { return }
        if try isBroadcast(message) {
            try showBroadcast(message)
        } else {
            try db.run("UPDATE message SET state = 1 WHERE id = ?", [message.rawValue])
            try nextSequences(of: message, at: .waiting)
            try db.run(
                """
                UPDATE delivery SET (state, created, sequence, edited) =
                    (SELECT 1, sequence, sequence, sequence FROM person WHERE id = person)
                WHERE message = ? AND state = 0
                """,
                [message.rawValue]
            )
        }
    }

    /// Takes a message away from everyone, and what is due of it; each inbox that showed it hears of it as destroyed.
    func take(_ message: MessageID) throws {
        guard let stage = try stage(of: message), stage != .gone else { return }
        try db.run("UPDATE message SET state = 2 WHERE id = ?", [message.rawValue])
        switch stage {
        case .waiting:
            // The message was in no inbox, so its removal isn't reported.
            try db.run("DELETE FROM delivery WHERE message = ?", [message.rawValue])
        case .shown where try isBroadcast(message):
            try db.run(
                "UPDATE message SET broadcastSequence = ? WHERE id = ?",
                [try nextBroadcastSequence(), message.rawValue]
            )
            // Their inboxes hear of it by the broadcast's own sequence.
            try db.run("UPDATE delivery SET state = 2 WHERE message = ?", [message.rawValue])
        case .shown:
            try nextSequences(of: message, at: .shown)
            try db.run(
                """
                UPDATE delivery SET (state, sequence) = (SELECT 2, sequence FROM person WHERE id = person)
                WHERE message = ? AND state = 1
                """,
                [message.rawValue]
            )
        case .gone: break
        }
        try unscheduleAll(of: message)
    }

    /// Destroys what a person deleted, where it is still deleted.
    private func destroy(_ message: MessageID, of person: Int) throws {
        let deleted: Int? = try db.value(
            "SELECT 1 FROM delivery WHERE message = ? AND person = ? AND state = 1 AND deletedAt IS NOT NULL",
            [message.rawValue, person]
        )
        if deleted != nil { try leaveTombstone(message, of: person) }
    }

    private func leaveTombstone(_ message: MessageID, of person: Int) throws {
        try db.run(
            "UPDATE delivery SET state = 2, sequence = ? WHERE message = ? AND person = ?",
            [try nextSequence(of: person), message.rawValue, person]
        )
    }

    /// Where a message is in its life; nil where there is none.
    func stage(of message: MessageID) throws -> MessageStage? {
        let state: Int? = try db.value("SELECT state FROM message WHERE id = ?", [message.rawValue])
        return state.flatMap(MessageStage.init(rawValue:))
    }

    private func isBroadcast(_ message: MessageID) throws -> Bool {
        try db.value("SELECT recipients IS NULL FROM message WHERE id = ?", [message.rawValue]) ?? false
    }
}

extension Database {
    /// The time of the earliest entry of the due-queue; nil where there is none.
    package func earliestDue() throws -> Date? {
        let earliest: Int? = try value("SELECT min(at) FROM due")
        return earliest.map { Date(milliseconds: $0) }
    }
}

/// What the due-queue does at a time: the `kind` column.
enum DueKind: Int, CaseIterable {
    /// Show a message that was to be delivered later.
    case deliver = 1
    /// Take away a message that has expired.
    case expire = 2
    /// Destroy what a person deleted and left deleted.
    case purge = 3
}
