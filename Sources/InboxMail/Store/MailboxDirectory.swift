import GRDB
import Replica

/// Finds mailboxes for the person's actions.
struct MailboxDirectory {
    private let db: Database

    init(_ db: Database) {
        self.db = db
    }

    /// Returns the id of the mailbox with a role.
    ///
    /// - Throws: `MailError` `invalidArgument` if the account has none.
    func id(_ role: Mailbox.Role) throws -> String {
        guard let id = try StoreQuery(roles: [role]).fetch(db).first?.id else {
            throw MailError(.invalidArgument, "The account has no mailbox with the role \(role.name).")
        }
        return id
    }

    /// Checks that a mailbox exists.
    ///
    /// - Throws: `MailError` `invalidArgument` if it doesn't.
    func check(_ id: String) throws {
        guard try db.exists(.mailbox, id) else {
            throw MailError(.invalidArgument, "There is no mailbox with the id \(id).")
        }
    }
}
