public import Foundation
public import InboxModel

/// What a list of all that a person got shows: a message of an app, or a thread of their mail.
public enum InboxEntry: Hashable, Identifiable, Sendable {
    /// A message of an app.
    case message(Message)
    /// A thread of mail.
    case thread(MailThread)

    /// Its own among both kinds.
    public var id: String {
        switch self {
        case .message(let message): "message \(message.id)"
        case .thread(let thread): "thread \(thread.id)"
        }
    }

    /// When it came; of a thread, its latest mail.
    public var date: Date {
        switch self {
        case .message(let message): message.deliverAt
        case .thread(let thread): thread.lastMessageDate
        }
    }

    /// Whether the person hasn't read it.
    public var isUnread: Bool {
        switch self {
        case .message(let message): message.isUnread
        case .thread(let thread): thread.isUnread
        }
    }
}

extension InboxEntry {
    /// The newest first; of the same moment messages first, then by id.
    static func precedes(_ left: InboxEntry, _ right: InboxEntry) -> Bool {
        left.date == right.date ? left.id < right.id : left.date > right.date
    }
}
