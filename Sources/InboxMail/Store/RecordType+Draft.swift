package import Replica

extension RecordType {
    /// The drafts: those that this device has changed, and those that the server has. Derived from the documents of
    /// this device and from the mails with the keyword `$draft`.
    package static let draft = RecordType(
        name: "Draft",
        capability: MailCapability.mail,
        table: "draft",
        columns: [
            RecordColumn("threadId", .text),
            RecordColumn("updatedAt", .date, missing: .integer(0)),
            RecordColumn("subject", .text, missing: .text("")),
            RecordColumn("preview", .text, missing: .text("")),
            RecordColumn("hasAttachment", .bool, missing: .integer(0)),
            RecordColumn("state", .text, missing: .text("draft")),
            RecordColumn("answeredId", .text),
        ],
        indexes: ["updatedAt DESC, \(RecordTable.id)", "threadId"],
        window: .derived,
        schema: DraftSources.schema,
        derive: { writer in try writer.deriveDrafts() },
        derivedFrom: ["changedDraftMail", "changedDraft"],
        deviceRecords: [.draft]
    )
}

/// The tables that drafts are derived from. Triggers maintain them, whichever code writes.
enum DraftSources {
    static let schema =
        [
            // The drafts to be derived again.
            "CREATE TABLE changedDraft(id TEXT PRIMARY KEY) WITHOUT ROWID",
            // The mails that are drafts, or were before a change that hasn't been processed yet.
            "CREATE TABLE changedDraftMail(id TEXT PRIMARY KEY) WITHOUT ROWID",
            // The drafts' versions on the server: mails with the keyword `$draft`.
            """
            CREATE TABLE draftVersion(
                emailId TEXT PRIMARY KEY, draftId TEXT NOT NULL, receivedAt INTEGER NOT NULL
            ) WITHOUT ROWID
            """,
            "CREATE INDEX draftVersionByDraft ON draftVersion(draftId)",
            // The mails that drafts were sent as and that no sync has brought yet.
            "CREATE TABLE awaitedSentMail(emailId TEXT PRIMARY KEY, draftId TEXT NOT NULL) WITHOUT ROWID",
            """
            CREATE TRIGGER email_awaitedSentMail_INSERT AFTER INSERT ON email
            WHEN EXISTS (SELECT 1 FROM awaitedSentMail WHERE emailId = NEW.\(RecordTable.id)) BEGIN
                INSERT INTO changedDraft SELECT draftId FROM awaitedSentMail WHERE emailId = NEW.\(RecordTable.id)
                    ON CONFLICT DO NOTHING;
                DELETE FROM awaitedSentMail WHERE emailId = NEW.\(RecordTable.id);
            END
            """,
            // For a store that was created before drafts were derived.
            "INSERT INTO changedDraftMail SELECT \(RecordTable.id) FROM email WHERE \(isDraft("email"))",
        ]
        + [("INSERT", isDraft("NEW")), ("DELETE", isDraft("OLD"))].map { event, condition in
            """
            CREATE TRIGGER email_draft_\(event) AFTER \(event) ON email WHEN \(condition) BEGIN
                INSERT INTO changedDraftMail VALUES (\(event == "INSERT" ? "NEW" : "OLD").\(RecordTable.id))
                    ON CONFLICT DO NOTHING;
            END
            """
        }
        + [
            """
            CREATE TRIGGER email_draft_UPDATE AFTER UPDATE ON email WHEN \(isDraft("NEW")) OR \(isDraft("OLD")) BEGIN
                INSERT INTO changedDraftMail VALUES (NEW.\(RecordTable.id)) ON CONFLICT DO NOTHING;
            END
            """,
            // The text of a version.
            """
            CREATE TRIGGER emailBody_draft_INSERT AFTER INSERT ON emailBody
            WHEN EXISTS (SELECT 1 FROM draftVersion WHERE emailId = NEW.id) BEGIN
                INSERT INTO changedDraft SELECT draftId FROM draftVersion WHERE emailId = NEW.id ON CONFLICT DO NOTHING;
            END
            """,
        ]
        + [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")].map { event, row in
            """
            CREATE TRIGGER deviceRecord_draft_\(event) AFTER \(event) ON \(DeviceRecordTable.table) \
            WHEN \(row).\(DeviceRecordTable.kind) = '\(DeviceRecordKind.draft.name)' BEGIN
                INSERT INTO changedDraft VALUES (\(row).\(DeviceRecordTable.id)) ON CONFLICT DO NOTHING;
            END
            """
        }

    /// The condition of a mail with the keyword `$draft`. A set of members is stored as a JSON array.
    private static func isDraft(_ row: String) -> String { "instr(\(row).keywords, '\"\(Keyword.draft)\"') > 0" }
}
