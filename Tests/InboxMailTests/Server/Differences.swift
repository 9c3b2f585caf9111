import Foundation
import Groundwork
import InboxMail

extension MailMessage {
    /// Returns the names of the properties that differ from a server's record.
    func differences(from json: JSON) -> [String] {
        func names(_ name: String) -> Set<String> { Set(json[name]?.objectValue?.names ?? []) }
        func list(_ name: String) -> [String] { json[name]?.arrayValue?.map { $0.stringValue ?? "?" } ?? [] }
        func people(_ name: String) -> [EmailAddress] {
            json[name]?.arrayValue?.map {
                EmailAddress(name: $0["name"]?.stringValue, email: $0["email"]?.stringValue ?? "?")
            } ?? []
        }
        func text(_ name: String) -> String { json[name]?.stringValue ?? "" }
        let same: [(String, Bool)] = [
            ("threadId", threadID == text("threadId")), ("blobId", blobID == text("blobId")),
            ("keywords", keywords == names("keywords")), ("mailboxIds", mailboxIDs == names("mailboxIds")),
            ("subject", subject == text("subject")), ("preview", snippet == text("preview")),
            ("receivedAt", receivedAt == RFC3339.date(from: text("receivedAt"))),
            ("sentAt", sentAt == ISO8601DateFormatter().date(from: text("sentAt"))),
            ("hasAttachment", hasAttachments == json["hasAttachment"]?.boolValue),
            ("size", size == json["size"]?.intValue), ("from", from == people("from")), ("to", to == people("to")),
            ("cc", cc == people("cc")), ("bcc", bcc == people("bcc")), ("replyTo", replyTo == people("replyTo")),
            ("messageId", messageIDs == list("messageId")), ("inReplyTo", inReplyTo == list("inReplyTo")),
            ("references", references == list("references")),
        ]
        return same.filter { !$0.1 }.map(\.0)
    }
}

extension Mailbox {
    /// Returns the names of the properties that differ from a server's record.
    func differences(from json: JSON, areCounted: Bool) -> [String] {
        func number(_ name: String) -> Int? { json[name]?.intValue }
        let same: [(String, Bool)] = [
            ("name", name == json["name"]?.stringValue), ("role", role?.name == json["role"]?.stringValue),
            ("parentId", parentID == json["parentId"]?.stringValue), ("sortOrder", sortOrder == number("sortOrder")),
            ("isSubscribed", isSubscribed == json["isSubscribed"]?.boolValue),
        ]
        let counts: [(String, Bool)] = [
            ("totalEmails", totalEmails == number("totalEmails")),
            ("unreadEmails", unreadEmails == number("unreadEmails")),
            ("totalThreads", totalThreads == number("totalThreads")),
            ("unreadThreads", unreadThreads == number("unreadThreads")),
        ]
        return (areCounted ? same + counts : same).filter { !$0.1 }.map(\.0)
    }
}
