package import Groundwork

/// A button of a message.
///
/// The fields are those of Zeta's `ZTCtaAction`, and an id that is unique within the message.
public struct MessageAction: Identifiable, Hashable, Sendable {
    /// Names the action within its message; the server makes one up (`"1"`, `"2"`, …) where the sender gives none.
    public var id: String
    /// The label.
    public var text: String
    /// An identifier from the campaign's template; may be empty.
    public var type: String
    /// What a click reports; may be empty, then it is the ``link``.
    public var value: String
    /// Where it leads: a web address or a deep link into the app; may be empty.
    public var link: String
    /// How ``link`` is to be opened.
    public var actionType: ActionType

    /// Makes an action; what isn't given is empty.
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

    /// How an action's link is to be opened.
    public enum ActionType: RawRepresentable, Codable, Hashable, Sendable {
        /// By the link's own scheme: the wire's empty string.
        case automatic
        /// In a browser within the app.
        case webBrowser
        /// In the system's browser.
        case externalBrowser
        /// A value that this version doesn't know, kept as it came.
        case other(String)

        /// The wire's spelling.
        public var rawValue: String {
            switch self {
            case .automatic: ""
            case .webBrowser: "webBrowser"
            case .externalBrowser: "externalBrowser"
            case .other(let raw): raw
            }
        }

        /// Reads the wire's spelling; never fails.
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
    /// Reads what a server sent: whatever is missing or of another type is empty.
    init(lenient json: JSON) {
        self.init(
            id: json["id"]?.stringValue ?? "",
            text: json["text"]?.stringValue ?? "",
            type: json["type"]?.stringValue ?? "",
            value: json["value"]?.stringValue ?? "",
            link: json["link"]?.stringValue ?? "",
            actionType: ActionType(rawValue: json["actionType"]?.stringValue ?? "")
        )
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
