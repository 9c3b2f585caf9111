/// The actions of an HTML message, and the decision about a click in it.
///
/// The rules are those of Bloomreach's App Inbox. The message is cleaned with
/// ``HTMLCleaner/Options/readsActions``; otherwise only its anchors are actions.
///
/// ```swift
/// let cleaner = HTMLCleaner(.init(linkSchemes: ["https", "app"], readsActions: true))
/// let actions = HTMLActions(cleaner.clean("<div data-link='app://offer'>See it</div>"))
/// print(actions.click(on: "app://offer"))
/// ```
public struct HTMLActions: Sendable {
    /// The actions: those of `data-link` first, then those of `href`, each in document order. Each address is there
    /// once: its first kind stays, and the last label that isn't empty.
    public let actions: [HTMLAction]
    /// The address of the close button, or nil if the markup has none.
    public let closeURL: String?

    private let places: [String: Int]

    /// Collects the actions of a message.
    public init(_ message: CleanHTML) {
        var actions: [HTMLAction] = []
        var byURL: [String: Int] = [:]
        var places: [String: Int] = [:]
        var closeURL: String?
        for source in [HTMLLink.Source.dataLink, .href] {
            for link in message.links where link.source == source {
                let label = link.text.isEmpty ? nil : link.text
                if let index = byURL[link.url] {
                    let first = actions[index]
                    actions[index] = HTMLAction(url: first.url, kind: first.kind, label: label ?? first.label)
                    continue
                }
                byURL[link.url] = actions.count
                if let place = Self.place(of: link.url), places[place] == nil { places[place] = actions.count }
                actions.append(HTMLAction(url: link.url, kind: Self.kind(of: link), label: label))
            }
        }
        for link in message.links where link.source == .closeButton && link.isWritten { closeURL = link.url }
        self.actions = actions
        self.closeURL = closeURL
        self.places = places.merging(byURL) { place, _ in place }
    }

    /// The decision about a click.
    public enum Click: Hashable, Sendable {
        /// The action is done.
        case action(HTMLAction)
        /// The message is closed.
        case close
        /// The page stays as it is: the address is `about:blank`.
        case stay
        /// Nothing is opened: the message has no such address.
        case blocked
    }

    /// Decides about a click.
    ///
    /// An address matches on scheme, host, port, path (an empty one equals `/`) and query. One that is the same as an
    /// action's, with its fragment, is preferred. An international host has to be spelled as the message has it.
    ///
    /// - Parameter url: The address that the view asks to open.
    public func click(on url: String) -> Click {
        guard let address = Address(url) else { return .blocked }
        if address.text == "about:blank" { return .stay }
        if let closeURL, closeURL == url || Address(closeURL)?.matches(address) ?? false { return .close }
        let place = places[address.text] ?? Self.place(of: url).flatMap { places[$0] }
        return place.map { .action(actions[$0]) } ?? .blocked
    }

    /// The key that equal addresses share.
    private static func place(of url: String) -> String? {
        Address(url).map { "\($0.scheme)\n\($0.authority)\n\($0.comparedPath)\n\($0.query ?? "")" }
    }

    private static func kind(of link: HTMLLink) -> HTMLAction.Kind {
        if let kind = link.actionType.flatMap(HTMLAction.Kind.init) { return kind }
        return link.url.hasPrefix("http:") || link.url.hasPrefix("https:") ? .browser : .deepLink
    }
}
