public import Foundation
public import InboxMail

/// What a thread can be tagged with: that it is unread or starred, and each mailbox.
public struct INTag: Hashable, Sendable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Such as ``INTagIDInbox``; for the person's own mailboxes the server's id.
    public let ID: String
    /// What to show: a mailbox's own name; English for the others.
    public let name: String
    /// Nil for what no mailbox stands for.
    let mailboxID: String?

    func isOn(_ thread: MailThread) -> Bool {
        if let mailboxID { return thread.mailboxIDs.contains(mailboxID) }
        return switch ID {
        case INTagIDUnread: thread.isUnread
        case INTagIDUnseen: thread.isUnseen
        case INTagIDStarred: thread.isStarred
        default: false
        }
    }

    /// That ``isOn(_:)``, as part of a query.
    var condition: ThreadCondition {
        switch (mailboxID, ID) {
        case (nil, INTagIDUnread): .holds(\.isUnread)
        case (nil, INTagIDUnseen): .holds(\.isUnseen)
        case (nil, INTagIDStarred): .holds(\.isStarred)
        // The store has an index for it.
        case (_, INTagIDInbox): .holds(\.isInInbox)
        case (let mailbox, let id): .isIn(mailbox ?? id)
        }
    }
}

extension INTag {
    static let unread = INTag(ID: INTagIDUnread, name: "Unread", mailboxID: nil)
    static let unseen = INTag(ID: INTagIDUnseen, name: "Unseen", mailboxID: nil)
    static let starred = INTag(ID: INTagIDStarred, name: "Starred", mailboxID: nil)

    init(_ mailbox: Mailbox) {
        self.init(ID: mailbox.role?.name ?? mailbox.id, name: mailbox.name, mailboxID: mailbox.id)
    }
}

extension INNamespace {
    /// All that threads of the account can be tagged with.
    public func tags() -> [INTag] { [.unread, .unseen, .starred] + mailboxes.map { INTag($0) } }

    /// Which threads have all of these tags: InboxKit's `ANY tagIDs = …`, once for each.
    ///
    /// ```swift
    /// provider.itemFilterPredicate = namespace.predicate(tagIDs: INTagIDInbox, INTagIDUnread)
    /// ```
    ///
    /// Made for the mailboxes that are known now; a tag that isn't known is on no thread.
    public func predicate(tagIDs ids: String...) -> Predicate<MailThread> {
        ThreadCondition.all(ids.map { condition(tagID: $0) }).predicate
    }

    func condition(tagID id: String) -> ThreadCondition {
        // Before the first sync there are no mailboxes, and an inbox nevertheless.
        let tag = tags().first { $0.ID == id } ?? INTag(ID: id, name: id, mailboxID: nil)
        return tag.condition
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Threads with a mail that wasn't read.
public let INTagIDUnread = "unread"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Threads with an unread mail that the person hasn't seen in a list either.
public let INTagIDUnseen = "unseen"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Threads with a mail that is starred.
public let INTagIDStarred = "starred"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Threads with a mail in the inbox.
public let INTagIDInbox = "inbox"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Threads with a mail in the archive.
public let INTagIDArchive = "archive"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Threads with a mail in the mailbox for drafts.
public let INTagIDDraft = "drafts"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Threads with a mail that the person sent.
public let INTagIDSent = "sent"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Threads with a mail in the trash.
public let INTagIDTrash = "trash"
