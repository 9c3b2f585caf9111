import Foundation
import Groundwork
package import InboxModel
import JMAP

/// An action of a person on a message that the server carries out itself, without a device.
package enum PersonAction: Sendable {
    case read, unread, archive
    /// Returns an archived or dismissed message to the inbox.
    case restore
    /// Deletes the message, and records the event.
    case dismiss
}

/// A link of a message that a person clicked.
package enum MessageClick: Sendable {
    /// The message itself, or its own link.
    case own
    case button(MessageAction)
    /// A link in the message's HTML, with its text.
    case html(link: String, text: String)
}

/// A person's actions without a device, such as on the page. Each has the same effect as on a device.
extension WriteTransaction {
    /// Records that the person opened the message: a click on it, which also marks it as read.
    ///
    /// - Throws: ``SetError`` if the inbox doesn't show the message.
    package func open(_ message: Message, for person: Person) throws {
        try click(message, .own, for: person)
    }

    /// Records that the person clicked a link of the message.
    ///
    /// - Throws: ``SetError`` if the inbox doesn't show the message.
    package func click(_ message: Message, _ click: MessageClick, for person: Person) throws {
        try requireExistence(of: person)
        try track(.clicked, of: message, click, for: person)
        if message.readAt == nil { try update(message.id, ["readAt": JSON(now)], for: person) }
    }

    /// Carries out an action. A repeated one keeps the date of the first.
    ///
    /// - Throws: ``SetError`` if the inbox doesn't show the message.
    package func act(_ action: PersonAction, on message: Message, for person: Person) throws {
        try requireExistence(of: person)
        switch action {
        case .read: try update(message.id, ["readAt": JSON(message.readAt ?? now)], for: person)
        case .unread: try update(message.id, ["readAt": .null], for: person)
        case .archive: try update(message.id, ["archivedAt": JSON(message.archivedAt ?? now)], for: person)
        case .restore: try update(message.id, ["archivedAt": .null, "deletedAt": .null], for: person)
        case .dismiss:
            guard message.deletedAt == nil else { return }
            try track(.dismissed, of: message, .own, for: person)
            try update(message.id, ["deletedAt": JSON(now)], for: person)
        }
    }

    /// Stores an event if it requires no consent: only devices know a person's consent. A link that requests tracking
    /// without consent (`ForcedTracking`) is tracked, and the event contains that fact.
    private func track(_ type: EventType, of message: Message, _ click: MessageClick, for person: Person) throws {
        let needsConsent = message.consentCategory != nil
        var (action, link) = (nil as String?, message.link ?? "")
        switch click {
        case .own: break
        case .button(let button): (action, link) = (button.id.isEmpty ? nil : button.id, button.link)
        case .html(let target, _): link = target
        }
        guard !needsConsent || (type == .clicked && ForcedTracking.isRequested(by: link)) else { return }
        var event = MessageEvent(
            uid: random.token(length: 24),
            message: message.id,
            type: type,
            action: action,
            at: now
        )
        if case .html(let link, let text) = click {
            // Bloomreach's names. A link that is longer than an event's data is left out.
            if link.utf8.count <= EventLimits.data / 2 { event.data["url"] = .string(link) }
            if !text.isEmpty { event.data["cta"] = .string(text) }
        }
        // `readAt` is written separately.
        event.reads = false
        if needsConsent { event.data[MessageEvent.forcedKey] = .bool(true) }
        _ = try accept(event.json, from: person)
    }
}
