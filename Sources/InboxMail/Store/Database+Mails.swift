import GRDB
import Replica

extension Database {
    /// Returns the names and addresses with which the person may send.
    func identities() throws -> [MailIdentity] {
        try Row.fetchAll(cachedStatement(sql: "SELECT id, name, email FROM identity ORDER BY rowid")).map { row in
            MailIdentity(id: row[0], name: row[1], email: row[2])
        }
    }

    /// Returns the ids of a thread's mails, oldest first.
    func messageIDs(inThread id: String) throws -> [String] {
        try String.fetchAll(
            cachedStatement(sql: "SELECT id FROM email WHERE threadId = ? ORDER BY receivedAt, id"),
            arguments: [id]
        )
    }

    /// Returns the ids of a thread's mails that lack a keyword.
    func messageIDs(inThread id: String, without keyword: String) throws -> [String] {
        try Row.fetchAll(
            cachedStatement(sql: "SELECT id, keywords FROM email WHERE threadId = ? ORDER BY receivedAt, id"),
            arguments: [id]
        )
        .filter { !MemberSet(text: $0[1]).contains(keyword) }.map { $0[0] }
    }

    /// Returns the id of the latest received mail of a thread. Without one, it is the latest sent mail, then the latest
    /// in trash or junk, then the latest draft.
    func latestReceived(inThread id: String) throws -> String? {
        let roles = try MailboxRoles(self)
        let sent = try String.fetchAll(cachedStatement(sql: "SELECT id FROM mailbox WHERE role = 'sent'"))
        let rows = try Row.fetchAll(
            cachedStatement(
                sql: "SELECT id, keywords, mailboxIds FROM email WHERE threadId = ? ORDER BY receivedAt DESC, id DESC"
            ),
            arguments: [id]
        )
        /// The rank of a mail. The lowest rank is the best match.
        func distance(_ row: Row) -> Int {
            let places = MemberSet(text: row[2]).names
            if MemberSet(text: row[1]).contains(Keyword.draft) { return 3 }
            if !places.isEmpty, places.allSatisfy(roles.uncountedMailboxes.contains) { return 2 }
            return places.contains(where: sent.contains) ? 1 : 0
        }
        return rows.map { (id: $0[0] as String, distance: distance($0)) }.min { $0.distance < $1.distance }?.id
    }

    func mailboxes(ofMessage id: String) throws -> MemberSet {
        MemberSet(
            text: try String.fetchOne(
                cachedStatement(sql: "SELECT mailboxIds FROM email WHERE id = ?"),
                arguments: [id]
            ) ?? ""
        )
    }
}
