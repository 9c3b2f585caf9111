import Foundation
import GRDB
import Groundwork
import Replica

extension StoreWriter {
    /// Derives the threads whose mails have changed, and removes threads without mails.
    func deriveThreads() throws {
        let ids = try String.fetchAll(db.cachedStatement(sql: "SELECT id FROM changedThread"))
        guard !ids.isEmpty else { return }
        let roles = try MailboxRoles(db)
        let select = try db.cachedStatement(
            sql: """
                SELECT \(RecordTable.id), receivedAt, subject, preview, hasAttachment, keywords, mailboxIds,
                    \(RecordTable.json) FROM email
                    WHERE threadId = ? ORDER BY receivedAt, \(RecordTable.id)
                """
        )
        var threads: [JSONText] = []
        var gone: [String] = []
        for id in ids {
            let rows = try Row.fetchCursor(select, arguments: [id])
            let columns = ColumnReader(select)
            var thread = ThreadSummary(id: id)
            while try rows.next() != nil { thread.add(ThreadSummary.Part(columns), roles) }
            thread.hasUnsavedDrafts = try db.hasDraft(inThread: id)
            if thread.isEmpty { gone.append(id) } else { threads.append(try JSONText(checking: thread.json.utf8)) }
        }
        try db.cachedStatement(sql: "DELETE FROM changedThread").execute()
        try apply(.thread, threads)
        try remove(.thread, gone)
    }
}

/// The mailboxes whose roles affect threads.
struct MailboxRoles {
    let inbox: String?
    /// Trash and junk. Mails that are only there aren't counted.
    let uncountedMailboxes: Set<String>

    init(_ db: Database) throws {
        let mailboxes = try StoreQuery(roles: [.inbox, .trash, .junk]).fetch(db)
        inbox = mailboxes.first { $0.role == .inbox }?.id
        uncountedMailboxes = Set(mailboxes.filter { $0.role != .inbox }.map(\.id))
    }
}
