public import InboxModel
import InboxClient

/// A button of a message.
public struct MessageItemAction: Codable, Hashable, Sendable {
    /// What it does, as text: see ``type``. Nil for opening the app.
    public let action: String?
    /// The label.
    public let title: String?
    /// Where it leads.
    public let url: String?

    /// What names the action within its message; nil for one that the app made.
    let id: String?

    /// What it does.
    public var type: MessageItemActionType { MessageItemActionType(rawValue: action ?? "app") ?? .noAction }

    /// Makes an action.
    public init(action: String?, title: String?, url: String?) {
        self.init(id: nil, action: action, title: title, url: url)
    }

    private init(id: String?, action: String?, title: String?, url: String?) {
        self.id = id
        self.action = action
        self.title = title
        self.url = url
    }

    /// Bloomreach's view of an action.
    public init(_ action: MessageAction) {
        let type: MessageItemActionType =
            switch action.destination {
            case .inApp, .systemBrowser: .browser
            case .app: .deeplink
            case .nowhere: .app
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

/// What an action does.
public enum MessageItemActionType: String, Codable, Hashable, Sendable, CaseIterable {
    /// It opens the app, which runs already.
    case app
    /// It opens a web page.
    case browser
    /// It follows a deep link.
    case deeplink
    /// It does nothing: its link must not be opened, or this version doesn't know what it is.
    case noAction = "no_action"
}
