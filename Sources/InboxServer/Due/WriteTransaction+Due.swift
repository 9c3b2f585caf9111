import Foundation
import GRDB
import Groundwork

extension WriteTransaction {
    /// How many entries of the due-queue one transaction takes at most, so that other writes get their turn.
    static let dueLimit = 50

    /// Does what is due by now, earliest first, and what was due while the server was down first of all.
    ///
    /// - Returns: Whether there may be more.
    func runDue() throws -> Bool {
        let entries = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT kind, message, person FROM due WHERE at <= ? ORDER BY at, kind LIMIT ?"),
            arguments: [now.milliseconds, Self.dueLimit]
        )
        for entry in entries {
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
        try db.run(
            "DELETE FROM idempotency WHERE at < ?",
            [now.addingTimeInterval(-IdempotencyKey.lifetime).milliseconds]
        )
        try db.run("DELETE FROM batch WHERE at < ?", [now.addingTimeInterval(-StoredBatch.lifetime).milliseconds])
    }

    /// Gives a message that has waited its place in each inbox.
    private func show(_ message: MessageID) throws {
        guard try stage(of: message) == .waiting else { return }
        if try isBroadcast(message) {
            let sequence = try nextBroadcastSequence()
            try db.run(
                "UPDATE message SET state = 1, broadcastCreated = ?, broadcastSequence = ? WHERE id = ?",
                [sequence, sequence, message.rawValue]
            )
        } else {
            try db.run("UPDATE message SET state = 1 WHERE id = ?", [message.rawValue])
            for person in try people(with: message, at: .waiting) {
                let sequence = try nextSequence(of: person)
                try db.run(
                    "UPDATE delivery SET state = 1, created = ?, sequence = ? WHERE message = ? AND person = ?",
                    [sequence, sequence, message.rawValue, person]
                )
            }
        }
    }

    /// Takes a message away from everyone; each inbox hears of it as destroyed.
    private func take(_ message: MessageID) throws {
        guard try stage(of: message) != .gone else { return }
        if try isBroadcast(message) {
            let sequence = try nextBroadcastSequence()
            try db.run(
                "UPDATE message SET state = 2, broadcastSequence = ? WHERE id = ?",
                [sequence, message.rawValue]
            )
            // Their inboxes hear of it by the broadcast's own sequence.
            try db.run("UPDATE delivery SET state = 2 WHERE message = ?", [message.rawValue])
        } else {
            try db.run("UPDATE message SET state = 2 WHERE id = ?", [message.rawValue])
            for person in try people(with: message, at: .shown) { try leaveTombstone(message, of: person) }
        }
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

    private func stage(of message: MessageID) throws -> MessageStage? {
        let state: Int? = try db.value("SELECT state FROM message WHERE id = ?", [message.rawValue])
        return state.flatMap(MessageStage.init(rawValue:))
    }

    private func isBroadcast(_ message: MessageID) throws -> Bool {
        try db.value("SELECT recipients IS NULL FROM message WHERE id = ?", [message.rawValue]) ?? false
    }

    private func people(with message: MessageID, at stage: MessageStage) throws -> [Int] {
        try Int.fetchAll(
            db.cachedStatement(sql: "SELECT person FROM delivery WHERE message = ? AND state = ? ORDER BY person"),
            arguments: [message.rawValue, stage.rawValue]
        )
    }
}
