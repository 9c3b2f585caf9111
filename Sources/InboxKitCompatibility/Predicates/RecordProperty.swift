import Foundation
import InboxMail

/// The property of a record that a name in a predicate stands for.
enum RecordProperty<Record: Sendable>: Sendable {
    typealias Path<Value> = any KeyPath<Record, Value> & Sendable

    case text(Path<String>)
    /// A text that may be missing.
    case optionalText(Path<String?>)
    case date(Path<Date>)
    case flag(Path<Bool>)
    /// The tags of a thread, each with its condition.
    case tags(@Sendable (String) -> RecordCondition<Record>)
    /// The addresses of people.
    case addresses(Path<[EmailAddress]>)
    /// The names of people.
    case names(Path<[EmailAddress]>)
}

extension RecordProperty where Record == MailThread {
    /// Returns the property of a thread by its name in InboxKit; nil if there is none that predicates can use.
    ///
    /// - Parameter tag: Returns the condition of a tag.
    static func named(
        _ name: String,
        tag: @escaping @Sendable (String) -> ThreadCondition
    ) -> RecordProperty? {
        switch name {
        case "ID": .text(\.id)
        case "subject": .text(\.subject)
        case "snippet": .text(\.snippet)
        case "lastMessageDate": .date(\.lastMessageDate)
        case "unread": .flag(\.isUnread)
        case "tagIDs": .tags(tag)
        case "participants.email": .addresses(\.participants)
        case "participants.name": .names(\.participants)
        default: nil
        }
    }
}

extension RecordProperty where Record == MailMessage {
    /// Returns the property of a mail by its name in InboxKit; nil if there is none that predicates can use.
    static func named(_ name: String) -> RecordProperty? {
        switch name {
        case "ID": .text(\.id)
        case "threadID": .text(\.threadID)
        case "subject": .text(\.subject)
        case "snippet": .text(\.snippet)
        case "date": .date(\.receivedAt)
        case "unread": .flag(\.isUnread)
        case "from.email": .addresses(\.from)
        case "from.name": .names(\.from)
        case "to.email": .addresses(\.to)
        case "to.name": .names(\.to)
        case "cc.email": .addresses(\.cc)
        case "cc.name": .names(\.cc)
        case "bcc.email": .addresses(\.bcc)
        case "bcc.name": .names(\.bcc)
        default: nil
        }
    }
}

extension RecordProperty where Record == MailDraft {
    /// Returns the property of a draft by its name in InboxKit; nil if there is none that predicates can use.
    static func named(_ name: String) -> RecordProperty? {
        switch name {
        case "ID": .text(\.id)
        case "threadID": .optionalText(\.threadID)
        case "subject": .text(\.subject)
        case "snippet": .text(\.snippet)
        case "date": .date(\.updatedAt)
        default: nil
        }
    }
}

extension RecordProperty where Record == MailContact {
    /// Returns the property of a contact by its name in InboxKit; nil if there is none that predicates can use.
    static func named(_ name: String) -> RecordProperty? {
        switch name {
        case "ID": .text(\.id)
        case "name": .optionalText(\.name)
        case "email": .text(\.email)
        default: nil
        }
    }
}
