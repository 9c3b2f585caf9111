package import Replica

extension RecordType {
    /// The people that the account has written to or heard from, derived from its mails.
    package static let contact = RecordType(
        name: "MailContact",
        capability: MailCapability.mail,
        table: "contact",
        columns: [
            RecordColumn("name", .text),
            RecordColumn("email", .text, missing: .invalid),
            RecordColumn("written", .integer, missing: .integer(0)),
            RecordColumn("received", .integer, missing: .integer(0)),
            RecordColumn("lastUsedAt", .date, missing: .integer(0)),
            RecordColumn("rank", .integer, missing: .integer(0)),
            // The words for completion.
            RecordColumn("words", .text, missing: .text("")),
        ],
        indexes: ["rank, \(RecordTable.id)"],
        window: .derived,
        schema: ContactSources.schema + ContactIndex.schema,
        derive: { writer in try writer.deriveContacts() },
        derivedFrom: ["changedOwnAddress", "changedContactMail", "changedContact"]
    )
}

/// The tables that contacts are derived from. Triggers maintain them, whichever code writes.
///
/// A use is an address in a mail that is counted. The numbers of uses are kept with each spelling, so that a new mail
/// costs the same however many there are.
enum ContactSources {
    static let schema =
        [
            // The mails to be read again.
            "CREATE TABLE changedContactMail(email INTEGER PRIMARY KEY)",
            // The contacts to be derived again.
            "CREATE TABLE changedContact(address TEXT PRIMARY KEY) WITHOUT ROWID",
            // The account's own addresses, other than authors of sent mails, and whether they have to be read again.
            "CREATE TABLE ownAddress(address TEXT PRIMARY KEY) WITHOUT ROWID",
            "CREATE TABLE changedOwnAddress(id INTEGER PRIMARY KEY CHECK (id = 1))",
            """
            CREATE TABLE contactSpelling(
                id INTEGER PRIMARY KEY, address TEXT NOT NULL, email TEXT NOT NULL, name TEXT NOT NULL,
                received INTEGER NOT NULL, written INTEGER NOT NULL, authored INTEGER NOT NULL,
                UNIQUE (address, email, name))
            """,
            """
            CREATE TABLE contactUse(
                email INTEGER NOT NULL, spelling INTEGER NOT NULL, kind INTEGER NOT NULL, usedAt INTEGER NOT NULL,
                PRIMARY KEY (email, spelling)) WITHOUT ROWID
            """,
            "CREATE INDEX contactUseByTime ON contactUse(spelling, usedAt)",
            // For a store that was created before contacts were derived (``StoreWriter/countEarlierMails(limit:)``).
            "CREATE TABLE uncountedContactMail(email INTEGER PRIMARY KEY)",
            "INSERT INTO uncountedContactMail SELECT rowid FROM email",
            "INSERT INTO changedOwnAddress VALUES (1)",
        ]
        + [("INSERT", "NEW", "+"), ("DELETE", "OLD", "-")].map { event, row, sign in
            let numbers = ContactUse.Kind.allCases.map { kind in
                "\(kind.column) = \(kind.column) \(sign) (\(row).kind = \(kind.rawValue))"
            }
            return """
                CREATE TRIGGER contactUse_\(event) AFTER \(event) ON contactUse BEGIN
                    UPDATE contactSpelling SET \(numbers.joined(separator: ", ")) WHERE id = \(row).spelling;
                    INSERT INTO changedContact SELECT address FROM contactSpelling WHERE id = \(row).spelling
                        ON CONFLICT DO NOTHING;
                END
                """
        }
        + [
            """
            CREATE TRIGGER email_contact_INSERT AFTER INSERT ON email BEGIN
                INSERT INTO changedContactMail VALUES (NEW.rowid) ON CONFLICT DO NOTHING;
            END
            """,
            """
            CREATE TRIGGER email_contact_DELETE AFTER DELETE ON email BEGIN
                DELETE FROM contactUse WHERE email = OLD.rowid;
                DELETE FROM changedContactMail WHERE email = OLD.rowid;
                DELETE FROM uncountedContactMail WHERE email = OLD.rowid;
            END
            """,
            // A mail's contents never change (RFC 8621, section 4.1).
            """
            CREATE TRIGGER email_contact_UPDATE AFTER UPDATE ON email
            WHEN NEW.mailboxIds IS NOT OLD.mailboxIds
                OR (\(isUncounted("NEW"))) IS NOT (\(isUncounted("OLD"))) BEGIN
                INSERT INTO changedContactMail VALUES (NEW.rowid) ON CONFLICT DO NOTHING;
            END
            """,
        ]
        + [
            ("INSERT", "", "NEW.role IN (\(roles))"), ("DELETE", "", "OLD.role IN (\(roles))"),
            (
                "UPDATE", " OF role",
                "NEW.role IS NOT OLD.role AND (NEW.role IN (\(roles)) OR ifnull(OLD.role, '') IN (\(roles)))"
            ),
        ]
        .map { event, columns, condition in
            // These roles decide which mails are counted, and as what.
            """
            CREATE TRIGGER mailbox_contact_\(event) AFTER \(event)\(columns) ON mailbox WHEN \(condition) BEGIN
                INSERT INTO changedContactMail SELECT rowid FROM email
                    WHERE rowid NOT IN (SELECT email FROM uncountedContactMail) ON CONFLICT DO NOTHING;
            END
            """
        }
        + [
            ("identity", "INSERT", ""), ("identity", "UPDATE", "WHEN NEW.email IS NOT OLD.email"),
            ("identity", "DELETE", ""),
            (SettingTable.table, "INSERT", "WHEN NEW.\(SettingTable.name) = '\(AccountAddresses.setting)'"),
            (SettingTable.table, "UPDATE", "WHEN NEW.\(SettingTable.name) = '\(AccountAddresses.setting)'"),
            (SettingTable.table, "DELETE", "WHEN OLD.\(SettingTable.name) = '\(AccountAddresses.setting)'"),
        ]
        .map { table, event, condition in
            """
            CREATE TRIGGER \(table)_contact_\(event) AFTER \(event) ON \(table) \(condition) BEGIN
                INSERT INTO changedOwnAddress VALUES (1) ON CONFLICT DO NOTHING;
            END
            """
        }

    private static let roles = [Mailbox.Role.sent, .trash, .junk].map { "'\($0.name)'" }.joined(separator: ", ")

    /// The condition of a draft, or of a mail that a filter or the person has marked as junk.
    private static func isUncounted(_ row: String) -> String {
        [Keyword.draft, Keyword.junk].map { "instr(\(row).keywords, '\"\($0)\"') > 0" }.joined(separator: " OR ")
    }
}
