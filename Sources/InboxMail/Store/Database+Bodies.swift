import Foundation
import GRDB
import Replica

extension Database {
    /// Returns the stored body of a mail, and the time of its last use in milliseconds since 1970. Nil if there is
    /// none.
    func storedBody(of id: String) throws -> (text: Data, usedAt: Int)? {
        try Row.fetchOne(
            cachedStatement(sql: "SELECT json, usedAt FROM emailBody WHERE id = ?"),
            arguments: [id]
        ).map { row in (text: row[0] as Data, usedAt: row[1] as Int) }
    }

    /// The size of all stored bodies, in bytes.
    func bodyBytes() throws -> Int {
        try Int.fetchOne(cachedStatement(sql: StoredBodies.size)) ?? 0
    }

    /// Returns the ids of the most recent mails whose bodies aren't stored, newest first, without trash and junk.
    func recentMailsWithoutBody(among count: Int) throws -> [String] {
        let roles = try MailboxRoles(self)
        let rows = try Row.fetchAll(
            cachedStatement(
                sql: """
                    SELECT e.\(RecordTable.id), e.mailboxIds, b.id IS NULL
                        FROM (
                            SELECT \(RecordTable.id), mailboxIds FROM email
                            ORDER BY receivedAt DESC, \(RecordTable.id) DESC LIMIT ?
                        ) AS e
                        LEFT JOIN emailBody AS b ON b.id = e.\(RecordTable.id)
                    """
            ),
            arguments: [count]
        )
        return rows.filter { row in
            let isMissing: Bool = row[2]
            return isMissing && !MemberSet(text: row[1]).names.allSatisfy(roles.uncountedMailboxes.contains)
        }.map { $0[0] }
    }
}
