public import InboxModel
import InboxClient

/// A button of a message.
public struct MessageItemAction: Codable, Hashable, Sendable {
    /// The raw value of ``type``. Nil for opening the app.
    public let action: String?
    /// The label.
    public let title: String?
    /// The URL that the action opens.
    public let url: String?

    /// The id of the action within its message, or nil for an action that the app created.
    let id: String?

    /// The type.
    public var type: MessageItemActionType { MessageItemActionType(rawValue: action ?? "app") ?? .noAction }

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
    public init(_ action: MessageAction) {
        let type: MessageItemActionType =
            switch action.destination {
            case .inApp, .systemBrowser: .browser
            case .app: .deeplink
            case .noLink: .app
            case .refused: .noAction
            }
        self.init(
            id: action.id,
            action: type.rawValue,
            title: action.text,
            url: action.link.isEmpty ? nil : action.link
        )
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
}
