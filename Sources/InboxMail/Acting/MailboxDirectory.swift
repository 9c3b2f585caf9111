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

    /// The id of a thread's latest mail that isn't a draft.
    func latestReceived(inThread id: String) throws -> String? {
        try String.fetchOne(
            cachedStatement(
                sql: """
                    SELECT id FROM email WHERE threadId = ?
                        ORDER BY instr(keywords, '"\(Keyword.draft)"') > 0, receivedAt DESC, id DESC
                    """
            ),
            arguments: [id]
        )
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
