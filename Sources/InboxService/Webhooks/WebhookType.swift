import Groundwork
package import InboxModel

/// The type of a webhook's payload, such as `event.clicked` or `message.read`.
package enum WebhookType: Hashable, Sendable {
    /// A device sent an event.
    case event(EventType)
    /// A person's date of a message was set or cleared.
    case changed(MessageField, isSet: Bool)
    /// A message was destroyed in a person's inbox.
    case destroyed

    var name: String {
        switch self {
        case .event(let type): "event." + type.rawValue
        case .changed(let field, let isSet): "message." + Self.verb(field, isSet: isSet)
        case .destroyed: "message.destroyed"
        }
    }

    /// The pattern that matches its group of types.
    var group: String {
        isEvent ? "event.*" : "message.*"
    }

    var isEvent: Bool {
        if case .event = self { true } else { false }
    }

    /// The pattern that matches every type.
    static let all = "*"

    private static func verb(_ field: MessageField, isSet: Bool) -> String {
        switch field {
        case .seenAt: isSet ? "seen" : "unseen"
        case .readAt: isSet ? "read" : "unread"
        case .archivedAt: isSet ? "archived" : "unarchived"
        case .snoozedUntil: isSet ? "snoozed" : "unsnoozed"
        case .deletedAt: isSet ? "deleted" : "restored"
        // The sender's fields, of which no type is made.
        case .id, .surface, .title, .body, .html, .media, .actions, .templateId, .category, .groupKey, .priority,
            .pinned, .deliverAt, .expiresAt, .consentCategory, .additionalData, .campaignId, .link, .dismissButton:
            field.rawValue
        }
    }

    /// The names of the types that aren't events.
    package static let changes =
        MessageField.personal.flatMap { field in
            [WebhookType.changed(field, isSet: true).name, WebhookType.changed(field, isSet: false).name]
        } + [WebhookType.destroyed.name]

    /// The patterns to which a webhook may subscribe.
    package static let patterns = [all, "event.*", "message.*"]

    /// Returns whether a name is a type or a pattern to which a webhook may subscribe.
    static func isValid(_ name: String) -> Bool {
        if patterns.contains(name) || changes.contains(name) { return true }
        return name.hasPrefix("event.") && EventType.isValid(String(name.dropFirst("event.".count)))
    }
}

/// The source of a change in a person's inbox, as webhooks report it.
enum ChangeSource: String, Sendable {
    /// The person, on one of their devices.
    case person
    /// The app's backend, over the REST API.
    case backend
}
