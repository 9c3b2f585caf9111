import InboxModel
import Groundwork

/// A button of a message of Bloomreach's App Inbox.
public struct BloomreachAction: Hashable, Sendable {
    /// What a button does.
    public enum Kind: Hashable, Sendable {
        /// Opens the app, and no more.
        case app
        /// Opens a web address.
        case browser
        /// Opens a place in the app.
        case deeplink
        /// Does nothing that is known; the wire's spelling is kept.
        case noAction(String)

        /// Reads the wire's spelling: `app` where there is none.
        init(wire: String?) {
            switch wire {
            case nil, "app": self = .app
            case "browser": self = .browser
            case "deeplink", "deep-link": self = .deeplink
            case .some(let other): self = .noAction(other)
            }
        }

        /// Whether it leads to the button's address.
        var opens: Bool { self == .browser || self == .deeplink }
    }

    /// What it does.
    public let kind: Kind
    /// The label.
    public let title: String
    /// Where it leads; empty for nowhere.
    public let url: String
    /// The kind as it came; empty where it was missing.
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

    /// The action as ours. An address that its kind doesn't open is what a click reports.
    func adapted(id: String) -> MessageAction {
        MessageAction(
            id: id,
            text: title,
            type: wireKind,
            value: kind.opens ? "" : url,
            link: kind.opens ? url : "",
            actionType: kind == .browser ? .webBrowser : .automatic
        )
    }

    /// The names of an action's parts, by ours.
    static let names = ["text": "title", "type": "action", "link": "url", "value": "url"]
}

extension JSON {
    /// Bloomreach's JSON of an action of ours.
    init(bloomreach action: MessageAction) {
        var object = JSONObject()
        object["action"] = action.type.isEmpty ? nil : .string(action.type)
        object["title"] = .string(action.text)
        let url = action.link.isEmpty ? action.value : action.link
        object["url"] = url.isEmpty ? nil : .string(url)
        self = .object(object)
    }
}
