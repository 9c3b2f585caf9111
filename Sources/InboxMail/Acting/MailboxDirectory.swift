import GRDB
import InboxClient
import Replica

/// Finds mailboxes for what the person does.
struct MailboxDirectory {
    private let db: Database

    init(_ db: Database) {
        self.db = db
    }

    /// The mailbox for a purpose.
    ///
    /// - Throws: `InboxError` `invalidArgument` where the account has none.
    func id(_ role: Mailbox.Role) throws -> String {
        let id = try String.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM mailbox WHERE role = ? ORDER BY id"),
            arguments: [role.name]
        )
        guard let id else {
            throw InboxError(.invalidArgument, "The account has no mailbox with the role \(role.name).")
        }
        return id
    }

    /// - Throws: `InboxError` `invalidArgument` where there is no such mailbox.
    func check(_ id: String) throws {
        guard try db.number("SELECT count(*) FROM mailbox WHERE id = ?", [id]) > 0 else {
            throw InboxError(.invalidArgument, "There is no mailbox with the id \(id).")
        }
    }
}

extension Database {
    /// The ids of a thread's mails, the oldest first.
    func messageIDs(inThread id: String) throws -> [String] {
        try String.fetchAll(
            cachedStatement(sql: "SELECT id FROM email WHERE threadId = ? ORDER BY receivedAt, id"),
            arguments: [id]
        )
    }

    /// The ids of a thread's mails that lack a keyword.
    func messageIDs(inThread id: String, without keyword: String) throws -> [String] {
        try Row.fetchAll(
            cachedStatement(sql: "SELECT id, keywords FROM email WHERE threadId = ? ORDER BY receivedAt, id"),
            arguments: [id]
        )
        .filter { !MemberSet(text: $0[1]).contains(keyword) }.map { $0[0] }
    }

    /// The id of the latest mail of a thread that was received: one that counts for the thread and isn't the person's
    /// own, where there is such a one.
    func latestReceived(inThread id: String) throws -> String? {
        let roles = try MailboxRoles(self)
        let sent = try String.fetchAll(cachedStatement(sql: "SELECT id FROM mailbox WHERE role = 'sent'"))
        let rows = try Row.fetchAll(
            cachedStatement(
                sql: "SELECT id, keywords, mailboxIds FROM email WHERE threadId = ? ORDER BY receivedAt DESC, id DESC"
            ),
            arguments: [id]
        )
        /// How little it is what is looked for.
        func distance(_ row: Row) -> Int {
            let places = MemberSet(text: row[2]).names
            if MemberSet(text: row[1]).contains(Keyword.draft) { return 3 }
            if !places.isEmpty, places.allSatisfy(roles.aside.contains) { return 2 }
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
