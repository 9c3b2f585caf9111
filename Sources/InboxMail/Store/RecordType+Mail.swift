import GRDB
import Groundwork
package import Replica

extension RecordType {
    /// All types of mail, in sync order. Mailboxes come first, because threads depend on the roles of their mailboxes.
    /// Drafts come before threads, which have a flag for them, and cards before contacts, which have their names. The
    /// first sync fetches mails before cards.
    package static let mail = [
        mailbox, identity, email, draft, thread, attachment, addressBook, contactCard, cyrusContact, cyrusGroup,
        contact,
        contactGroup,
    ]

    /// All mailboxes of the account.
    package static let mailbox = RecordType(
        name: "Mailbox",
        capability: MailCapability.mail,
        table: "mailbox",
        columns: [
            RecordColumn("name", .text, missing: .text("")),
            RecordColumn("parentId", .text),
            RecordColumn("role", .text),
            RecordColumn("sortOrder", .integer, missing: .integer(0)),
            RecordColumn("totalEmails", .integer, missing: .integer(0)),
            RecordColumn("unreadEmails", .integer, missing: .integer(0)),
            RecordColumn("totalThreads", .integer, missing: .integer(0)),
            RecordColumn("unreadThreads", .integer, missing: .integer(0)),
            RecordColumn("isSubscribed", .bool, missing: .integer(1)),
        ],
        window: .all,
        repeatDetection: .byComparing,
        schema: ThreadSources.mailboxSchema
    )

    /// The names and addresses with which the person may send.
    package static let identity = RecordType(
        name: "Identity",
        capability: MailCapability.submission,
        table: "identity",
        columns: [
            RecordColumn("name", .text, missing: .text("")), RecordColumn("email", .text, missing: .text("")),
        ],
        window: .all,
        isOptional: true,
        repeatDetection: .byComparing
    )

    /// All mails, without their bodies.
    package static let email = RecordType(
        name: "Email",
        capability: MailCapability.mail,
        table: "email",
        columns: [
            RecordColumn("threadId", .text, missing: .invalid),
            RecordColumn("receivedAt", .date, missing: .integer(0)),
            RecordColumn("sentAt", .date),
            RecordColumn("subject", .text, missing: .text("")),
            RecordColumn("preview", .text, missing: .text("")),
            RecordColumn("size", .integer, missing: .integer(0)),
            RecordColumn("hasAttachment", .bool, missing: .integer(0)),
            keywords,
            mailboxIds,
        ],
        indexes: ["threadId", "receivedAt, \(RecordTable.id)"],
        window: .everything(sort: [["property": "receivedAt", "isAscending": false]]),
        properties: [
            "id", "blobId", "threadId", "mailboxIds", "keywords", "size", "receivedAt", "sentAt", "messageId",
            "inReplyTo", "references", "from", "to", "cc", "bcc", "replyTo", "subject", "hasAttachment", "preview",
        ],
        repeatDetection: .byComparing,
        schema: ThreadSources.emailSchema + SearchIndex.schema,
        derive: { writer in try writer.indexTexts() },
        derivedFrom: ["changedText"],
        audit: { db in try db.mailboxDifference() },
        // A mail's contents never change (RFC 8621, section 4.1).
        pictures: PictureRule(contents: nil)
    )

    package static let keywords = RecordColumn("keywords", .members, missing: .text("[]"), isWritable: true)
    package static let mailboxIds = RecordColumn(
        "mailboxIds",
        .members,
        missing: .text("[]"),
        isWritable: true,
        refersTo: "mailbox"
    )

    /// Threads, derived from the mails on the device.
    package static let thread = RecordType(
        name: "Thread",
        capability: MailCapability.mail,
        table: "thread",
        columns: [
            RecordColumn("subject", .text, missing: .text("")),
            RecordColumn("preview", .text, missing: .text("")),
            RecordColumn("lastMessageDate", .date, missing: .integer(0)),
            RecordColumn("firstMessageDate", .date, missing: .integer(0)),
            RecordColumn("messageCount", .integer, missing: .integer(0)),
            RecordColumn("unreadCount", .integer, missing: .integer(0)),
            RecordColumn("unseenCount", .integer, missing: .integer(0)),
            RecordColumn("isStarred", .bool, missing: .integer(0)),
            RecordColumn("hasAttachments", .bool, missing: .integer(0)),
            RecordColumn("hasDrafts", .bool, missing: .integer(0)),
            RecordColumn("isInInbox", .bool, missing: .integer(0)),
            RecordColumn("mailboxIds", .members, missing: .text("[]")),
        ],
        counts: CountRule(
            buckets: ["isInInbox"],
            counters: [
                ("total", "1"), ("unread", "{unreadCount} > 0"), ("starred", "{isStarred}"),
                ("unseen", "{unseenCount} > 0"),
            ]
        ),
        indexes: [
            "lastMessageDate, \(RecordTable.id)", "isInInbox, lastMessageDate, \(RecordTable.id)",
            "lastMessageDate, \(RecordTable.id) WHERE unreadCount > 0",
        ],
        window: .derived,
        derive: { writer in try writer.deriveThreads() },
        derivedFrom: ["changedThread"]
    )
}

/// The capabilities of mail (RFC 8621, section 1.3).
enum MailCapability {
    static let mail = "urn:ietf:params:jmap:mail"
    static let submission = "urn:ietf:params:jmap:submission"
    /// Address books (RFC 9610, section 1.4).
    static let contacts = "urn:ietf:params:jmap:contacts"
    /// Cyrus' capability for contacts, from before the RFC.
    static let cyrusContacts = "https://cyrusimap.org/ns/jmap/contacts"
}

extension Database {
    /// Returns the differences between the numbers of stored mails in the mailboxes and the server's totals; nil if
    /// there are none.
    func mailboxDifference() throws -> String? {
        let held = try Row.fetchAll(
            self,
            sql: "SELECT value, count(*) FROM email, json_each(email.mailboxIds) GROUP BY value"
        )
        let numbers = Dictionary(held.map { ($0[0] as String, $0[1] as Int) }, uniquingKeysWith: +)
        let mailboxes = try Row.fetchAll(
            self,
            sql: "SELECT \(RecordTable.id), totalEmails FROM mailbox ORDER BY \(RecordTable.id)"
        )
        let known = Set(mailboxes.map { $0[0] as String })
        let differences = mailboxes.compactMap { row -> String? in
            let (id, total): (String, Int) = (row[0], row[1])
            return numbers[id, default: 0] == total ? nil : "\(id) \(numbers[id, default: 0]) \(total)"
        }
        let unknown = numbers.keys.filter { !known.contains($0) }.sorted()
        let all = differences + unknown
        return all.isEmpty ? nil : all.joined(separator: ", ")
    }
}
