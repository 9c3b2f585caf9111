public import Foundation
public import InboxModel

/// The destination of a link, determined by its scheme and the sender's action type.
public enum LinkDestination: Hashable, Sendable {
    /// A web page, shown in a browser within the app.
    case inApp(URL)
    /// A web page, shown in the system's browser. A universal link continues to its app from there.
    case systemBrowser(URL)
    /// A deep link, which this app or another one handles.
    case app(URL)
    /// No link.
    case noLink
    /// A link that is never opened.
    case refused(Refusal)

    /// The reason why a link isn't opened.
    public enum Refusal: Hashable, Sendable {
        /// The scheme runs code or accesses the device's files, such as `javascript`.
        case forbiddenScheme(String)
        /// The link isn't a URL with a scheme, or contains spaces or control characters.
        case invalidURL
    }

    /// Creates the destination of a link.
    ///
    /// - Parameters:
    ///   - link: The link as the sender wrote it. A link with the scheme `http` or `https` is a web address. A link
    ///     with any other scheme is a deep link regardless of `actionType`, unless the scheme is forbidden.
    ///   - actionType: How a web address is opened: in the app for `webBrowser`, otherwise in the system's browser.
    public init(_ link: String, as actionType: MessageAction.ActionType = .automatic) {
        guard !link.isEmpty else {
            self = .noLink
            return
        }
        guard let scheme = LinkScheme(of: link), let url = URL(string: link) else {
            self = .refused(.invalidURL)
            return
        }
        self =
            switch actionType {
            case _ where scheme.isForbidden: .refused(.forbiddenScheme(scheme.name))
            case _ where !scheme.isWeb: .app(url)
            case .webBrowser: .inApp(url)
            case .externalBrowser, .automatic, .other: .systemBrowser(url)
            }
    }
}

extension MessageAction {
    /// The destination of the action's link.
    public var destination: LinkDestination { LinkDestination(link, as: actionType) }
}
