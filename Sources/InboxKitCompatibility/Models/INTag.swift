public import Foundation
public import InboxMail

/// A tag of a thread: the unread, unseen or starred state, or a mailbox.
public struct INTag: Hashable, Sendable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The id, such as ``INTagIDInbox``; for the person's own mailboxes, the server's id.
    public let ID: String
    /// The name to show: the mailbox's own name, or an English name for the other tags.
    public let name: String
    /// The id of the mailbox; nil for tags that aren't mailboxes.
    let mailboxID: String?

    func applies(to thread: MailThread) -> Bool {
        if let mailboxID { return thread.mailboxIDs.contains(mailboxID) }
        return switch ID {
        case INTagIDUnread: thread.isUnread
        case INTagIDUnseen: thread.isUnseen
        case INTagIDStarred: thread.isStarred
        default: false
        }
    }

    /// The condition of ``applies(to:)`` as part of a query.
    var condition: ThreadCondition {
        switch (mailboxID, ID) {
        case (nil, INTagIDUnread): .holds(\.isUnread)
        case (nil, INTagIDUnseen): .holds(\.isUnseen)
        case (nil, INTagIDStarred): .holds(\.isStarred)
        // The store has an index for this property.
        case (_, INTagIDInbox): .holds(\.isInInbox)
        case (let mailbox, let id): .isIn(mailbox: mailbox ?? id)
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

    /// Returns the condition of a tag by its id. No thread has an unknown one.
    static func condition(of id: String, among tags: [INTag]) -> ThreadCondition {
        // Before the first sync, no mailboxes are known, but the tag of the inbox works.
        (tags.first { $0.ID == id } ?? INTag(ID: id, name: id, mailboxID: nil)).condition
    }
}

extension INNamespace {
    /// The tags that threads of the account can have.
    public func tags() -> [INTag] { [.unread, .unseen, .starred] + mailboxes.map { INTag($0) } }

    /// Returns the predicate for threads with all of the tags. It corresponds to InboxKit's `ANY tagIDs = …` for each
    /// tag.
    ///
    /// ```swift
    /// provider.itemFilterPredicate = namespace.predicate(tagIDs: INTagIDInbox, INTagIDUnread)
    /// ```
    ///
    /// It is based on the mailboxes that are known now. No thread has an unknown tag.
    public func predicate(tagIDs ids: String...) -> Predicate<MailThread> {
        ThreadCondition.all(ids.map { condition(tagID: $0) }).predicate
    }

    func condition(tagID id: String) -> ThreadCondition { INTag.condition(of: id, among: tags()) }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The tag of threads with an unread mail.
public let INTagIDUnread = "unread"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The tag of threads with an unread mail that the person hasn't seen in a list either.
public let INTagIDUnseen = "unseen"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The tag of threads with a starred mail.
public let INTagIDStarred = "starred"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The tag of threads with a mail in the inbox.
public let INTagIDInbox = "inbox"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The tag of threads with a mail in the archive.
public let INTagIDArchive = "archive"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The tag of threads with a mail in the mailbox for drafts.
public let INTagIDDraft = "drafts"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The tag of threads with a mail that the person sent.
public let INTagIDSent = "sent"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The tag of threads with a mail in the trash.
public let INTagIDTrash = "trash"
