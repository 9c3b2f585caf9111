import Groundwork

// One-line descriptions of mail values for logs and the debugger, without texts, names and addresses.

extension MailThread: CustomStringConvertible {
    /// A description such as `MailThread(t1, 3 mails, 1 unread, latest 2026-05-01T08:00:00Z, in the inbox)`.
    ///
    /// It has no subject, snippet or participants, because personal data doesn't belong in a log.
    /// ``descriptionWithTexts`` has them.
    public var description: String { "MailThread(\(facts.joined(separator: ", ")))" }

    /// The ``description`` with subject, snippet and participants: for a debugger or a test, not for a log.
    public var descriptionWithTexts: String {
        let texts = ["subject: \(subject.debugDescription)", "snippet: \(snippet.debugDescription)"]
        return "MailThread(\((facts + texts + participants.map(\.descriptionWithTexts)).joined(separator: ", ")))"
    }

    private var facts: [String] {
        var facts = [id, messageCount == 1 ? "1 mail" : "\(messageCount) mails"]
        if unreadCount > 0 { facts.append("\(unreadCount) unread") }
        facts.append("latest \(RFC3339.string(from: lastMessageDate))")
        if isInInbox { facts.append("in the inbox") }
        if isStarred { facts.append("starred") }
        if hasAttachments { facts.append("with files") }
        if hasDrafts { facts.append("with a draft") }
        return facts
    }
}

extension MailMessage: CustomStringConvertible {
    /// A description such as `MailMessage(m1, received 2026-05-01T08:00:00Z, unread, with files, 20480 bytes)`,
    /// without subject, snippet and addresses.
    public var description: String { "MailMessage(\(facts.joined(separator: ", ")))" }

    /// The ``description`` with subject, snippet and addresses: for a debugger or a test, not for a log.
    public var descriptionWithTexts: String {
        let people = [("from", from), ("to", to), ("cc", cc), ("bcc", bcc)].flatMap { name, list in
            list.map { "\(name): \($0.descriptionWithTexts)" }
        }
        let texts = ["subject: \(subject.debugDescription)", "snippet: \(snippet.debugDescription)"]
        return "MailMessage(\((facts + texts + people).joined(separator: ", ")))"
    }

    private var facts: [String] {
        var facts = [id, "received \(RFC3339.string(from: receivedAt))", isUnread ? "unread" : "read"]
        if isStarred { facts.append("starred") }
        if isDraft { facts.append("draft") }
        if isAnswered { facts.append("answered") }
        if hasAttachments { facts.append("with files") }
        facts.append("\(size) bytes")
        return facts
    }
}

extension MailContact: CustomStringConvertible {
    /// A description such as `MailContact(with a name, 3 written, 12 received, latest 2026-05-01T08:00:00Z)`, without
    /// the name and the address, which is the id.
    public var description: String { "MailContact(\(facts.joined(separator: ", ")))" }

    /// The ``description`` with name and address: for a debugger or a test, not for a log.
    public var descriptionWithTexts: String {
        "MailContact(\(([address.descriptionWithTexts] + facts).joined(separator: ", ")))"
    }

    private var facts: [String] {
        (name == nil ? [] : ["with a name"]) + [
            "\(writtenCount) written", "\(receivedCount) received",
            "latest \(RFC3339.string(from: lastUsedAt))",
        ]
    }
}

extension MailContactGroup: CustomStringConvertible {
    /// A description such as `MailContactGroup(g1, 3 members)`, without names and addresses.
    public var description: String { "MailContactGroup(\(id), \(members.count) members)" }

    /// The ``description`` with names and addresses: for a debugger or a test, not for a log.
    public var descriptionWithTexts: String {
        let parts = [id, name.debugDescription] + members.map(\.descriptionWithTexts)
        return "MailContactGroup(\(parts.joined(separator: ", ")))"
    }
}

extension EmailAddress: CustomStringConvertible {
    /// `EmailAddress(with a name)` or `EmailAddress()`, without the name and the address.
    public var description: String { name == nil ? "EmailAddress()" : "EmailAddress(with a name)" }

    /// The ``description`` with name and address.
    public var descriptionWithTexts: String {
        "EmailAddress(\([name, email].compactMap { $0?.debugDescription }.joined(separator: ", ")))"
    }
}

extension MailFile: CustomStringConvertible {
    /// A description such as `MailFile(image/png, 20480 bytes, inline)`, without the name.
    public var description: String {
        "MailFile(\(([type, "\(size) bytes"] + (isInline ? ["inline"] : [])).joined(separator: ", ")))"
    }
}

extension MailBody: CustomStringConvertible {
    /// A description such as `MailBody(1200 characters, with HTML, 2 attachments)`, without the text.
    public var description: String {
        var facts = ["\(text.count) characters"]
        if html != nil { facts.append("with HTML") }
        if !attachments.isEmpty {
            facts.append(attachments.count == 1 ? "1 attachment" : "\(attachments.count) attachments")
        }
        if isTruncated { facts.append("cut") }
        return "MailBody(\(facts.joined(separator: ", ")))"
    }
}

extension MailSnapshot: CustomStringConvertible {
    /// A description such as `MailSnapshot(50 items, 2 pending writes, never synced)`, without the items.
    public var description: String {
        "MailSnapshot(\(snapshotFacts(items.count, "item", pendingWrites, hasSynced)))"
    }
}

extension InboxEntry: CustomStringConvertible {
    /// The description of the message or the thread, without texts.
    public var description: String {
        switch self {
        case .message(let message): message.description
        case .thread(let thread): thread.description
        }
    }
}

extension InboxEntrySnapshot: CustomStringConvertible {
    /// A description such as `InboxEntrySnapshot(50 entries, 2 pending writes, never synced)`, without the entries.
    public var description: String {
        "InboxEntrySnapshot(\(snapshotFacts(items.count, "entry", pendingWrites, hasSynced)))"
    }
}

private func snapshotFacts(_ count: Int, _ noun: String, _ pendingWrites: Int, _ hasSynced: Bool) -> String {
    let many = noun == "entry" ? "entries" : noun + "s"
    var facts = [count == 1 ? "1 \(noun)" : "\(count) \(many)"]
    if pendingWrites > 0 { facts.append(pendingWrites == 1 ? "1 pending write" : "\(pendingWrites) pending writes") }
    if !hasSynced { facts.append("never synced") }
    return facts.joined(separator: ", ")
}
