import Foundation
import Groundwork
import MailComposing
import Replica

/// Derives a thread from its mails, which are added from oldest to newest.
struct ThreadSummary {
    /// The properties of a mail that its thread depends on.
    struct Part {
        let id: String
        let receivedAt: Int
        let subject, preview: String
        let hasAttachment: Bool
        let keywords, mailboxes: MemberSet
        let text: [UInt8]

        var isUnread: Bool { !keywords.contains(Keyword.seen) && !keywords.contains(Keyword.draft) }

        /// Reads the columns of ``StoreWriter/deriveThreads()``.
        init(_ columns: ColumnReader) {
            id = columns.text(0)
            receivedAt = columns.int(1)
            subject = columns.text(2)
            preview = columns.text(3)
            hasAttachment = columns.int(4) != 0
            keywords = MemberSet(text: columns.text(5))
            mailboxes = MemberSet(text: columns.text(6))
            text = columns.bytes(7)
        }
    }

    static let maxParticipants = 100

    /// Whether a draft belongs to the thread, also one that the server doesn't have.
    var hasUnsavedDrafts = false
    private let id: String
    private var parts: [(part: Part, isUncounted: Bool)] = []
    private var inbox: String?

    init(id: String) {
        self.id = id
    }

    var isEmpty: Bool { parts.isEmpty }

    mutating func add(_ part: Part, _ roles: MailboxRoles) {
        inbox = roles.inbox
        let names = part.mailboxes.names
        parts.append((part, !names.isEmpty && names.allSatisfy(roles.uncountedMailboxes.contains)))
    }

    /// The thread as a record of its type.
    var json: JSON {
        let counted =
            parts.contains { !$0.isUncounted } ? parts.filter { !$0.isUncounted }.map(\.part) : parts.map(\.part)
        let mailboxes = MemberSet(parts.flatMap(\.part.mailboxes.names))
        let (participants, authors) = participants(of: counted)
        // Drafts are skipped: the other participants don't see them.
        let latest = counted.last { !$0.keywords.contains(Keyword.draft) } ?? counted.last
        func count(_ condition: (Part) -> Bool) -> Int { counted.count(where: condition) }
        func date(_ part: Part?) -> JSON {
            part.map { .string(RFC3339.string(from: Date(milliseconds: $0.receivedAt))) } ?? .null
        }
        return [
            "id": .string(id),
            "subject": .string(counted.first?.subject ?? ""),
            "preview": .string(Self.snippet(latest?.preview ?? "")),
            "lastMessageDate": date(latest),
            "firstMessageDate": date(counted.first),
            "messageCount": JSON(counted.count),
            "unreadCount": JSON(count(\.isUnread)),
            "unseenCount": JSON(count { $0.isUnread && !$0.keywords.contains(Keyword.seenInList) }),
            "isStarred": .bool(counted.contains { $0.keywords.contains(Keyword.flagged) }),
            "hasAttachments": .bool(counted.contains(where: \.hasAttachment)),
            "hasDrafts": .bool(hasUnsavedDrafts || counted.contains { $0.keywords.contains(Keyword.draft) }),
            "isInInbox": .bool(inbox.map(mailboxes.contains) ?? false),
            "mailboxIds": mailboxes.json,
            "participants": .array(participants.map(\.json)),
            "authorCount": JSON(authors),
            "emailIds": JSON(parts.map(\.part.id)),
        ]
    }

    /// Returns a preview as plain text. For a mail without a text part, some servers (Cyrus 3.6) return the beginning
    /// of the HTML itself.
    private static func snippet(_ preview: String) -> String {
        // The regular expression is compiled each time, which takes longer than the rest of a mail's part of a thread.
        guard preview.first(where: { !$0.isWhitespace }) == "<",
            preview.prefix(64).firstMatch(of: /^\s*<(!doctype|!--|[a-z][a-z0-9]*[\s\/>])/.ignoresCase()) != nil
        else { return preview }
        return HTMLPlainText.text(of: preview).split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// Returns the participants, authors first, and the number of authors.
    private func participants(of parts: [Part]) -> ([EmailAddress], authors: Int) {
        let details = parts.map { MailDetails.Source(text: $0.text).value }
        var found: [EmailAddress] = []
        var addresses: Set<String> = []
        func add(_ some: [EmailAddress]) {
            for address in some where found.count < Self.maxParticipants {
                if addresses.insert(address.email.lowercased()).inserted { found.append(address) }
            }
        }
        add(details.flatMap(\.from))
        let authors = found.count
        add(details.flatMap { $0.to + $0.cc })
        return (found, authors)
    }
}
