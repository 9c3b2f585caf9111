import Groundwork

/// One-line descriptions of messages, for logs and the debugger.
extension Message: CustomStringConvertible {
    /// The message's properties and state, such as `Message(m1, surface: inbox, delivered 2026-05-01T08:00:00Z, unread,
    /// pinned, 2 actions)`.
    ///
    /// It contains neither title, text, link nor additional data, so that it can be logged. ``descriptionWithTexts``
    /// contains them.
    public var description: String { "Message(\(facts.joined(separator: ", ")))" }

    /// ``description`` with all of the sender's texts, for the debugger and tests. It isn't meant for logs.
    public var descriptionWithTexts: String {
        var texts = [("title", title), ("body", body), ("html", html ?? ""), ("link", link ?? "")]
        if let media { texts.append(("media", media.descriptionWithTexts)) }
        texts += additionalData.sorted { $0.key < $1.key }.map { ("additionalData.\($0.key)", $0.value) }
        let parts =
            facts + texts.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.debugDescription)" }
            + actions.map(\.descriptionWithTexts)
        return "Message(\(parts.joined(separator: ", ")))"
    }

    private var facts: [String] {
        var facts = [id, "surface: \(surface)", "delivered \(RFC3339.string(from: deliverAt))"]
        facts.append(readAt == nil ? (seenAt == nil ? "unread" : "unread, seen") : "read")
        if isPinned { facts.append("pinned") }
        if archivedAt != nil { facts.append("archived") }
        if let snoozedUntil { facts.append("snoozed until \(RFC3339.string(from: snoozedUntil))") }
        if deletedAt != nil { facts.append("deleted") }
        if let expiresAt { facts.append("expires \(RFC3339.string(from: expiresAt))") }
        switch actions.count {
        case 0: break
        case 1: facts.append("1 action")
        case let count: facts.append("\(count) actions")
        }
        return facts
    }
}

extension MessageAction: CustomStringConvertible {
    /// The action's properties without label, value and link, such as `MessageAction(1, with a link, webBrowser)`.
    public var description: String { "MessageAction(\(facts.joined(separator: ", ")))" }

    /// ``description`` with label, value and link.
    public var descriptionWithTexts: String {
        let texts = [("text", text), ("type", type), ("value", value), ("link", link)].filter { !$0.1.isEmpty }
        let parts = facts + texts.map { "\($0.0): \($0.1.debugDescription)" }
        return "MessageAction(\(parts.joined(separator: ", ")))"
    }

    private var facts: [String] {
        var facts = [id]
        if !link.isEmpty { facts.append("with a link") }
        if actionType != .automatic { facts.append(actionType.rawValue) }
        return facts
    }
}

extension Media: CustomStringConvertible {
    /// The kind of media without addresses and texts, such as `Media(on the web)` or `Media(icon: tray.fill)`.
    public var description: String {
        if !url.isEmpty { return darkURL == nil ? "Media(on the web)" : "Media(on the web, with a dark variant)" }
        if let bundle { return "Media(bundle: \(bundle))" }
        return icon.map { "Media(icon: \($0))" } ?? "Media()"
    }

    /// ``description`` with addresses and the alternative text.
    public var descriptionWithTexts: String {
        let parts: [(String, String?)] = [
            ("url", url.isEmpty ? nil : url), ("darkUrl", darkURL), ("bundle", bundle), ("darkBundle", darkBundle),
            ("icon", icon), ("alt", alt),
        ]
        var texts = parts.compactMap { name, text in text.map { "\(name): \($0.debugDescription)" } }
        if let width { texts.append("width: \(width)") }
        if let height { texts.append("height: \(height)") }
        return "Media(\(texts.joined(separator: ", ")))"
    }
}
