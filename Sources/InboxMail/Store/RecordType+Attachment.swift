package import Replica

extension RecordType {
    /// The files of mails, derived from the parts that the server lists for each mail.
    package static let attachment = RecordType(
        name: "Attachment",
        capability: MailCapability.mail,
        table: "attachment",
        columns: [
            RecordColumn("messageId", .text, missing: .invalid), RecordColumn("threadId", .text, missing: .invalid),
            RecordColumn("receivedAt", .date, missing: .integer(0)),
            RecordColumn("position", .integer, missing: .integer(0)),
            RecordColumn("blobId", .text, missing: .invalid), RecordColumn("name", .text),
            RecordColumn("type", .text, missing: .text("")), RecordColumn("size", .integer, missing: .integer(0)),
            RecordColumn("cid", .text), RecordColumn("isInline", .bool, missing: .integer(0)),
        ],
        indexes: ["receivedAt DESC, messageId DESC, position, \(RecordTable.id)", "messageId", "threadId"],
        window: .derived,
        schema: UnlistedFiles.schema
    )
}

/// The mails whose files aren't listed yet. Triggers of the table of mails maintain it, whichever code writes, and
/// delete the files of a deleted mail.
enum UnlistedFiles {
    static let schema = [
        "CREATE TABLE unlistedFiles(id TEXT PRIMARY KEY) WITHOUT ROWID",
        // For a store that was created before files were listed.
        "INSERT INTO unlistedFiles SELECT \(RecordTable.id) FROM email WHERE hasAttachment",
        """
        CREATE TRIGGER email_files_INSERT AFTER INSERT ON email WHEN NEW.hasAttachment BEGIN
            INSERT INTO unlistedFiles VALUES (NEW.\(RecordTable.id)) ON CONFLICT DO NOTHING;
        END
        """,
        """
        CREATE TRIGGER email_files_UPDATE AFTER UPDATE OF hasAttachment ON email
        WHEN NEW.hasAttachment AND NOT OLD.hasAttachment BEGIN
            INSERT INTO unlistedFiles VALUES (NEW.\(RecordTable.id)) ON CONFLICT DO NOTHING;
        END
        """,
        """
        CREATE TRIGGER email_files_DELETE AFTER DELETE ON email WHEN OLD.hasAttachment BEGIN
            DELETE FROM unlistedFiles WHERE id = OLD.\(RecordTable.id);
            DELETE FROM attachment WHERE messageId = OLD.\(RecordTable.id);
        END
        """,
    ]
}
