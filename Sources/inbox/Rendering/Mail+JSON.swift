import Groundwork
import InboxMail

// The `--json` output of mail. The names are those of RFC 8621 where it defines them.

extension EmailAddress {
    var object: JSON { ["name": name.map(JSON.string) ?? .null, "email": .string(email)] }
}

extension MailThread {
    var json: JSON {
        [
            "id": .string(id), "subject": .string(subject), "preview": .string(snippet),
            "lastMessageDate": .string(RFC3339.string(from: lastMessageDate)),
            "firstMessageDate": .string(RFC3339.string(from: firstMessageDate)), "messageCount": JSON(messageCount),
            "unreadCount": JSON(unreadCount), "unseenCount": JSON(unseenCount), "isStarred": .bool(isStarred),
            "hasAttachments": .bool(hasAttachments),
            "hasDrafts": .bool(hasDrafts), "isInInbox": .bool(isInInbox), "mailboxIds": JSON(mailboxIDs.sorted()),
            "authors": .array(authors.map(\.object)), "participants": .array(participants.map(\.object)),
            "emailIds": JSON(messageIDs),
        ]
    }
}

extension MailMessage {
    var json: JSONObject {
        var object = JSONObject([
            ("id", .string(id)), ("threadId", .string(threadID)), ("subject", .string(subject)),
            ("preview", .string(snippet)), ("receivedAt", .string(RFC3339.string(from: receivedAt))),
            ("from", .array(from.map(\.object))), ("to", .array(to.map(\.object))), ("cc", .array(cc.map(\.object))),
            ("keywords", JSON(keywords.sorted())), ("mailboxIds", JSON(mailboxIDs.sorted())), ("size", JSON(size)),
            ("hasAttachment", .bool(hasAttachments)),
        ])
        object["sentAt"] = sentAt.map { .string(RFC3339.string(from: $0)) }
        return object
    }
}

extension MailFile {
    var json: JSON {
        [
            "blobId": .string(blobID), "name": name.map(JSON.string) ?? .null, "type": .string(type),
            "size": JSON(size),
        ]
    }
}

extension MailCounts {
    var json: JSON {
        [
            "total": JSON(total), "unread": JSON(unread), "starred": JSON(starred), "inInbox": JSON(inInbox),
            "unreadInInbox": JSON(unreadInInbox),
        ]
    }
}

/// Returns the object for `--json` for lists of threads.
func threadsObject(_ threads: [MailThread], _ counts: MailCounts, pendingWrites: Int) -> JSONObject {
    JSONObject([
        ("threads", .array(threads.map(\.json))), ("counts", counts.json), ("pendingWrites", JSON(pendingWrites)),
    ])
}

extension ThreadPage.Item {
    var json: JSON {
        var object = message.json
        guard let body else { return .object(object) }
        object["text"] = .string(body.text)
        object["html"] = body.html.map(JSON.string)
        object["attachments"] = .array(body.listedFiles.map(\.json))
        return .object(object)
    }
}
