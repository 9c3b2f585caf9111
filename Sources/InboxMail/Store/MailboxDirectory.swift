import GRDB
import Replica

/// Finds mailboxes for what the person does.
struct MailboxDirectory {
    private let db: Database

    init(_ db: Database) {
        self.db = db
    }

    /// The mailbox for a purpose.
    ///
    /// - Throws: `MailError` `invalidArgument` where the account has none.
    func id(_ role: Mailbox.Role) throws -> String {
        let id = try String.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM mailbox WHERE role = ? ORDER BY id"),
            arguments: [role.name]
        )
        guard let id else {
            throw MailError(.invalidArgument, "The account has no mailbox with the role \(role.name).")
        }
        return id
    }

    /// - Throws: `MailError` `invalidArgument` where there is no such mailbox.
    func check(_ id: String) throws {
        guard try db.exists(.mailbox, id) else {
            throw MailError(.invalidArgument, "There is no mailbox with the id \(id).")
        }
    }
}
