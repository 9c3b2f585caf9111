public import Foundation
public import InboxModel

/// An entry in a combined list: a message of an app, or a thread of the person's mail.
public enum InboxEntry: Hashable, Identifiable, Sendable {
    /// A message of an app.
    case message(Message)
    /// A thread of mail.
    case thread(MailThread)

    /// An id that is unique across both kinds.
    public var id: String {
        switch self {
        case .message(let message): "message \(message.id)"
        case .thread(let thread): "thread \(thread.id)"
        }
    }

    /// The date of the message, or of the thread's latest mail.
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
    /// Orders entries by date, newest first. At the same date messages come before threads, and both are ordered by id.
    static func precedes(_ left: InboxEntry, _ right: InboxEntry) -> Bool {
        left.date == right.date ? left.id < right.id : left.date > right.date
    }
}
