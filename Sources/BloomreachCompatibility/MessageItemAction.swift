public import InboxModel
import InboxClient

/// A button of a message.
public struct MessageItemAction: Codable, Hashable, Sendable {
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
    /// without a link opens the app, or is `no_action` if its type is another word. Its URL is its value then, as an
    /// import keeps it.
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
