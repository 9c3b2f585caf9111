import InboxModel
import Groundwork

/// A button of a message in Bloomreach's App Inbox.
public struct BloomreachAction: Hashable, Sendable {
    /// The effect of a button.
    public enum Kind: Hashable, Sendable {
        /// Opens the app only.
        case app
        /// Opens a web address.
        case browser
        /// Opens a deep link into the app.
        case deeplink
        /// Has an unknown effect, which is ignored. The associated value is the original text.
        case noAction(String)

        /// Creates a kind from its value in JSON. It is `app` if the value is missing.
        init(wire: String?) {
            switch wire {
            case nil, "app": self = .app
            case "browser": self = .browser
            case "deeplink", "deep-link": self = .deeplink
            case .some(let other): self = .noAction(other)
            }
        }

        /// Whether the button opens its address.
        var opens: Bool { self == .browser || self == .deeplink }
    }

    /// The effect.
    public let kind: Kind
    /// The label.
    public let title: String
    /// The target. Empty if there is none.
    public let url: String
    /// The original kind. Empty if it was missing.
    let wireKind: String

    init(wireKind: String?, title: String?, url: String?) {
        self.wireKind = wireKind ?? ""
        kind = Kind(wire: wireKind)
        self.title = title ?? ""
        self.url = url ?? ""
    }

    init(reading reader: JSONReader) {
        self.init(wireKind: reader.text("action"), title: reader.text("title"), url: reader.text("url"))
    }

    /// Converts the button to an action. An address that the kind doesn't open becomes the value that a click reports.
    func adapted(id: String) -> MessageAction {
        MessageAction(
            id: id,
            text: title,
            type: wireKind,
            value: kind.opens ? "" : url,
            link: kind.opens ? url : "",
            actionType: kind == .browser ? .externalBrowser : .automatic
        )
    }

    /// Bloomreach's names of an action's members.
    static let members: Set<String> = ["action", "title", "url"]
}

extension JSON {
    /// Creates Bloomreach's JSON from an action.
    ///
    /// - Parameter rest: The original members that the action doesn't represent.
    init(bloomreach action: MessageAction, adding rest: JSONObject) {
        var object = JSONObject()
        object["action"] = action.type.isEmpty ? nil : .string(action.type)
        object["title"] = .string(action.text)
        let url = action.link.isEmpty ? action.value : action.link
        object["url"] = url.isEmpty ? nil : .string(url)
        self = .object(object.adding(rest))
    }
}
