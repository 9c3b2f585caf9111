import Foundation
import Groundwork
package import InboxModel
import JMAP

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

    /// Changes messages, each as on a device: those that the inbox doesn't show, that are deleted, or that already are
    /// as the change makes them, are left out. A repeated change keeps the date of the first.
    ///
    /// - Returns: The changed messages, in the order of the ids.
    package func perform(_ change: MessageChange, on ids: [MessageID], for person: Person) throws -> DoneAction {
        try requireExistence(of: person)
        let inbox = reading.inbox(of: person)
        var entries: [DoneAction.Entry] = []
        var changed: Set<MessageID> = []
        let after = change.date(after: nil, at: now)?.milliseconds
        for id in ids {
            guard let message = try inbox.message(id), change == .undelete || message.personal[.deletedAt] == nil
            else { continue }
            let before = message.personal[change.field]
            guard change.date(after: before.map { Date(milliseconds: $0) }, at: now)?.milliseconds != before,
                changed.insert(id).inserted
            else { continue }
            var dates = message.personal
            dates[change.field] = after
            try set(dates, of: message, consent: .forMessage(nil), for: person)
            entries.append(
                DoneAction.Entry(id: id, before: before, sequence: after == nil ? try inbox.sequence(of: id) : nil)
            )
        }
        return DoneAction(change, after: after, entries)
    }

    /// Records that the person dismissed a message, and deletes it.
    ///
    /// - Throws: ``SetError`` if the inbox doesn't show the message.
    package func dismiss(_ message: Message, for person: Person) throws -> DoneAction {
        guard let id = MessageID(message.id), message.deletedAt == nil else {
            return DoneAction(.delete, after: now.milliseconds, [])
        }
        try requireExistence(of: person)
        try track(.dismissed, of: message, .own, for: person)
        return try perform(.delete, on: [id], for: person)
    }

    /// Reverses an action, of those messages that are still as it made them.
    ///
    /// - Returns: The number of changed messages.
    package func undo(_ done: DoneAction, for person: Person) throws -> Int {
        try requireExistence(of: person)
        let inbox = reading.inbox(of: person)
        var count = 0
        for entry in done.entries {
            guard let message = try inbox.message(entry.id),
                try inbox.isUnchanged(done, entry, message.personal[done.field])
            else { continue }
            var dates = message.personal
            dates[done.field] = entry.before
            try set(dates, of: message, consent: .forMessage(nil), for: person)
            count += 1
        }
        return count
    }

    /// Stores an event if it requires no consent: only devices know a person's consent. A link that requests tracking
    /// without consent (`ForcedTracking`) is tracked, and the event contains that fact. Without room for an event, it
    /// isn't stored.
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
        do {
            _ = try accept(event.json, from: person)
        } catch let error as SetError where error.type == EventQuota.error {
            // The person can still act.
        }
    }
}
