/// The table of threads that have to be derived again. Triggers of the tables of mails and mailboxes fill it, whichever
/// code writes.
enum ThreadSources {
    static let emailSchema =
        ["CREATE TABLE changedThread(id TEXT PRIMARY KEY) WITHOUT ROWID"]
        + [("INSERT", "NEW"), ("DELETE", "OLD")].map { event, row in
            """
            CREATE TRIGGER email_thread_\(event) AFTER \(event) ON email BEGIN
                INSERT INTO changedThread VALUES (\(row).threadId) ON CONFLICT DO NOTHING;
            END
            """
        } + [
            """
            CREATE TRIGGER email_thread_UPDATE AFTER UPDATE ON email BEGIN
                INSERT INTO changedThread VALUES (NEW.threadId) ON CONFLICT DO NOTHING;
                INSERT INTO changedThread VALUES (OLD.threadId) ON CONFLICT DO NOTHING;
            END
            """
        ]

    /// The role of a mailbox determines which threads are in the inbox and which mails count. When a role changes, all
    /// threads are derived again.
    static let mailboxSchema =
        [
            ("INSERT", "", "NEW.role IS NOT NULL"), ("DELETE", "", "OLD.role IS NOT NULL"),
            ("UPDATE", " OF role", "NEW.role IS NOT OLD.role"),
        ]
        .map { event, columns, condition in
            """
            CREATE TRIGGER mailbox_thread_\(event) AFTER \(event)\(columns) ON mailbox WHEN \(condition) BEGIN
                INSERT INTO changedThread SELECT DISTINCT threadId FROM email WHERE true ON CONFLICT DO NOTHING;
            END
            """
        }
}
