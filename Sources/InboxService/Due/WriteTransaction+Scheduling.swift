import Foundation
import Groundwork

extension WriteTransaction {
    /// Schedules an action. A later call for the same action changes its time.
    func schedule(_ kind: DueKind, message: MessageID, person: Int = 0, at time: Date) throws {
        try db.run(
            """
            INSERT INTO due (kind, message, person, at) VALUES (?, ?, ?, ?)
            ON CONFLICT (kind, message, person) DO UPDATE SET at = excluded.at
            """,
            [kind.rawValue, message.rawValue, person, time.milliseconds]
        )
        announceDue(at: time)
    }

    func unschedule(_ kind: DueKind, message: MessageID, person: Int = 0) throws {
        try db.run(
            "DELETE FROM due WHERE kind = ? AND message = ? AND person = ?",
            [kind.rawValue, message.rawValue, person]
        )
    }

    /// Unschedules all actions of a message, except those that another server is processing: it will find nothing left
    /// to do, and it may be waiting for the message.
    func unscheduleAll(of message: MessageID) throws {
        // One statement per kind, since the table's primary key begins with it.
        for kind in DueKind.allCases { try db.run(Self.unscheduledAll, [kind.rawValue, message.rawValue]) }
    }

    private static let unscheduledAll = SQLText(
        sqlite: "DELETE FROM due WHERE kind = ? AND message = ?",
        postgres: """
            DELETE FROM due u USING (
                SELECT person FROM due WHERE kind = ?1 AND message = ?2 FOR UPDATE SKIP LOCKED
            ) AS free
            WHERE u.kind = ?1 AND u.message = ?2 AND u.person = free.person
            """
    )
}
