import Foundation
import GRDB
import Groundwork
import InboxTesting
import JMAP
@testable import Replica

@testable import InboxMail

/// A mail store without a server, in a temporary folder.
struct MailStore {
    let store: ReplicaStore
    private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("mail-\(UUID())")

    init(clock: ManualClock = ManualClock(), scope: MailScope = .everything) throws {
        let location = StoreLocation(directory: directory, server: URL(string: "https://mail.example")!, person: "me")
        store = try ReplicaStore(at: location, types: RecordType.mail(scope), clock: clock)
    }

    func close() async {
        await store.close()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Applies mails as if a server had sent them. The first call also applies the mailboxes.
    func pull(_ mails: JSON...) async throws {
        if try await store.read({ db in try db.number("SELECT count(*) FROM mailbox") }) == 0 {
            try await pullMailboxes(
                ["id": "inbox", "name": "Inbox", "role": "inbox"],
                ["id": "archive", "name": "Archive", "role": "archive"],
                ["id": "trash", "name": "Trash", "role": "trash"],
                ["id": "junk", "name": "Junk", "role": "junk"],
                ["id": "drafts", "name": "Drafts", "role": "drafts"],
                ["id": "sent", "name": "Sent", "role": "sent"],
                ["id": "work", "name": "Work", "role": .null]
            )
        }
        try await apply(.email, mails)
    }

    func pullMailboxes(_ mailboxes: JSON...) async throws { try await apply(.mailbox, mailboxes) }

    private func apply(_ type: RecordType, _ records: [JSON]) async throws {
        try await store.write { writer in
            let errors = try writer.apply(type, records.map { try JSONText(checking: $0.utf8) })
            guard errors.isEmpty else { throw errors[0] }
        }
    }

    func remove(_ ids: String...) async throws {
        try await store.write { writer in try writer.remove(.email, ids) }
    }

    func thread(_ id: String) async throws -> MailThread? { try await threads().first { $0.id == id } }

    func threads() async throws -> [MailThread] {
        try await store.read { db in try StoreQuery(Query(), .thread).fetch(db) }
    }

    func counts() async throws -> MailCounts { try await store.read { db in MailCounts(try db.counts(.thread)) } }
}

/// Returns the JSON of a mail. An address is `Name <address>` or the address alone.
func email(
    _ id: String,
    _ thread: String,
    at minutes: Int,
    from: String = "Anna <anna@example.com>",
    to: String = "me@example.com",
    subject: String = "Hello",
    preview: String = "…",
    in mailboxes: String...,
    keywords: String...,
    hasAttachment: Bool = false
) -> JSON {
    func addresses(_ text: String) -> JSON {
        let parts = text.split(separator: "<")
        let address = parts.last.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "> ")) } ?? ""
        let name = parts.count > 1 ? parts[0].trimmingCharacters(in: .whitespaces) : nil
        return [EmailAddress(name: name, email: address).json]
    }
    return [
        "id": .string(id), "threadId": .string(thread), "subject": .string(subject), "preview": .string(preview),
        "receivedAt": .string(RFC3339.string(from: minute(minutes))), "from": addresses(from), "to": addresses(to),
        "mailboxIds": MemberSet(mailboxes.isEmpty ? ["inbox"] : mailboxes).json, "keywords": MemberSet(keywords).json,
        "hasAttachment": .bool(hasAttachment), "size": 1_000,
    ]
}

func minute(_ number: Int) -> Date { Date(timeIntervalSince1970: 1_760_000_000 + Double(number) * 60) }

func counts(
    total: Int,
    unread: Int = 0,
    starred: Int = 0,
    inInbox: Int = 0,
    unreadInInbox: Int = 0,
    unseenInInbox: Int? = nil
) -> MailCounts {
    var counts = MailCounts()
    (counts.total, counts.unread, counts.starred) = (total, unread, starred)
    (counts.inInbox, counts.unreadInInbox) = (inInbox, unreadInInbox)
    // By default, no unread thread has been seen in a list.
    counts.unseenInInbox = unseenInInbox ?? unreadInInbox
    return counts
}

extension Database {
    /// Returns the single number that a statement returns.
    func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try Int.fetchOne(cachedStatement(sql: sql), arguments: arguments) ?? 0
    }
}
