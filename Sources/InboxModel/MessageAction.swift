import Foundation
package import Groundwork

/// A button of a message.
///
/// Its id is unique within the message.
public struct MessageAction: Identifiable, Hashable, Sendable {
    /// The action's id within its message. If the sender gives none, the server assigns one (`"1"`, `"2"`, …).
    public var id: String
    /// The label. A sender's has a visible character; one from a server of an earlier version may be empty.
    public var text: String
    /// An identifier from the campaign's template. It may be empty.
    public var type: String
    /// The value that a click reports. If it is empty, a click reports the ``link``.
    public var value: String
    /// The target: a web address or a deep link into the app. It may be empty.
    public var link: String
    /// The way in which ``link`` is opened.
    public var actionType: ActionType

    /// Creates an action. Parameters that are omitted are empty.
    public init(
        id: String,
        text: String,
        type: String = "",
        value: String = "",
        link: String = "",
        actionType: ActionType = .automatic
    ) {
        self.id = id
        self.text = text
        self.type = type
        self.value = value
        self.link = link
        self.actionType = actionType
    }

    /// The way in which an action's link is opened.
    public enum ActionType: RawRepresentable, Codable, Hashable, Sendable {
        /// By the link's scheme. Its JSON value is the empty string.
        case automatic
        /// In a browser within the app.
        case webBrowser
        /// In the system's browser.
        case externalBrowser
        /// A value that this version doesn't know. It is preserved.
        case other(String)

        /// The value in JSON.
        public var rawValue: String {
            switch self {
            case .automatic: ""
            case .webBrowser: "webBrowser"
            case .externalBrowser: "externalBrowser"
            case .other(let raw): raw
            }
        }

        /// Creates a type from its value in JSON. It never fails.
        public init(rawValue: String) {
            switch rawValue {
            case "": self = .automatic
            case "webBrowser": self = .webBrowser
            case "externalBrowser": self = .externalBrowser
            default: self = .other(rawValue)
            }
        }
    }
}

extension MessageAction {
    /// The label of the action's button on screen: its ``text``. An action without one has the label of its link, or
    /// else its value, its type or its id. So no button is without a name.
    package var label: String {
        if text.hasVisibleCharacters { return text }
        return Self.label(of: link) ?? [value, type, id].first { $0.hasVisibleCharacters } ?? "…"
    }

    /// Returns a label for a link: its host, or the beginning of a link without one. Nil for an empty link.
    package static func label(of link: String) -> String? {
        let host = URL(string: link)?.host() ?? ""
        let text = host.hasVisibleCharacters ? host : link
        guard text.hasVisibleCharacters else { return nil }
        var label = ""
        for character in text {
            guard label.utf8.count + character.utf8.count <= MessageLimits.actionText else { break }
            label.append(character)
        }
        return label
    }

    package var json: JSON {
        var object = JSONObject([("id", .string(id)), ("text", .string(text))])
        for (name, value) in [("type", type), ("value", value), ("link", link), ("actionType", actionType.rawValue)]
        where !value.isEmpty {
            object[name] = .string(value)
        }
        return .object(object)
    }
}
