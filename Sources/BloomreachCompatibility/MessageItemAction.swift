public import InboxModel
import Groundwork
import HTMLCleaning
import InboxAdapters
import InboxClient

/// A button of a message.
public struct MessageItemAction: Hashable, Sendable {
    /// Bloomreach's word for the ``type``, as the sender wrote it. Nil for opening the app.
    public let action: String?
    /// The label.
    public let title: String?
    /// The URL. An action of the type `app` or `no_action` doesn't open it.
    public let url: String?

    /// The id of the action within its message, or nil for an action that the app created.
    let id: String?

    /// The type. An unknown word is `no_action`.
    public var type: MessageItemActionType { MessageItemActionType(word: action ?? "app") }

    /// Creates an action.
    public init(action: String?, title: String?, url: String?) {
        self.init(id: nil, action: action, title: title, url: url)
    }

    private init(id: String?, action: String?, title: String?, url: String?) {
        self.id = id
        self.action = action
        self.title = title
        self.url = url
    }

    /// Creates Bloomreach's representation of an action.
    ///
    /// Its type is the action's if that is one of Bloomreach's words, otherwise it follows from the link. An action
    /// without a link keeps its type's word, and opens the app if it has none. Its URL is its value then, as an import
    /// keeps it: the text that the server had, which isn't checked.
    public init(_ action: MessageAction) {
        let url = action.link.isEmpty ? action.value : action.link
        self.init(id: action.id, action: Self.word(for: action), title: action.text, url: url.isEmpty ? nil : url)
    }

    private static func word(for action: MessageAction) -> String {
        let isLink = [.browser, .deeplink].contains(MessageItemActionType(word: action.type))
        return switch action.destination {
        case .refused: MessageItemActionType.noAction.rawValue
        case .noLink: action.type.isEmpty ? MessageItemActionType.app.rawValue : action.type
        case .inApp, .systemBrowser: isLink ? action.type : MessageItemActionType.browser.rawValue
        case .app: isLink ? action.type : MessageItemActionType.deeplink.rawValue
        }
    }
}

/// An action is encoded with Bloomreach's names, and with its id within the message.
extension MessageItemAction: Codable {
    /// Decodes the action leniently: each value may be missing or of another type.
    public init(from decoder: any Decoder) throws {
        self.init(try JSON(from: decoder).objectValue ?? JSONObject())
    }

    /// Encodes the action without absent values.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        try JSON.object(members).encode(to: encoder)
    }

    init(_ members: JSONObject) {
        func text(_ name: String) -> String? { members[name]?.lenientText }
        self.init(id: text("id"), action: text("action"), title: text("title"), url: text("url"))
    }

    var members: JSONObject {
        var members = JSONObject()
        members["id"] = id.map(JSON.string)
        members["action"] = action.map(JSON.string)
        members["title"] = title.map(JSON.string)
        members["url"] = url.map(JSON.string)
        return members
    }
}

extension MessageItemAction {
    /// Creates the representation of an action in a message's HTML.
    init(_ action: HTMLAction) {
        let type: MessageItemActionType =
            switch action.kind {
            case .browser: .browser
            case .deepLink: .deeplink
            }
        self.init(id: nil, action: type.rawValue, title: action.label, url: action.url)
    }
}

/// The type of an action.
public enum MessageItemActionType: String, Codable, Hashable, Sendable, CaseIterable {
    /// Opens the app, which is already running.
    case app
    /// Opens a web page.
    case browser
    /// Follows a deep link.
    case deeplink
    /// Does nothing: the link must not be opened, or this version doesn't know the type.
    case noAction = "no_action"

    /// Returns the type of Bloomreach's word. HTML has `deep-link` for `deeplink`.
    init(word: String) {
        self = word == "deep-link" ? .deeplink : Self(rawValue: word) ?? .noAction
    }
}
