public import Foundation
public import InboxModel

/// The destination of a link, determined by its scheme and the sender's action type.
public enum LinkDestination: Hashable, Sendable {
    /// A web page, shown in a browser within the app.
    case inApp(URL)
    /// A web page, shown in the system's browser. A universal link leads on from there to its app.
    case systemBrowser(URL)
    /// A deep link, which the app or another one answers to.
    case app(URL)
    /// There is no link.
    case nowhere
    /// A link that is never opened.
    case refused(Refusal)

    /// Why a link isn't opened.
    public enum Refusal: Hashable, Sendable {
        /// Its scheme runs code or reaches into the device's files, such as `javascript`.
        case forbiddenScheme(String)
        /// It is no URL with a scheme, or has spaces or control characters in it.
        case noURL
    }

    /// Decides about a link.
    ///
    /// - Parameters:
    ///   - link: As the sender wrote it. A web address is one that starts with `http` or `https`; every other scheme
    ///     that isn't forbidden is a deep link, whatever is wished for.
    ///   - actionType: How a web address is to be opened: in the system's browser, where nothing else is wished for.
    public init(_ link: String, as actionType: MessageAction.ActionType = .automatic) {
        guard !link.isEmpty else {
            self = .nowhere
            return
        }
        guard let scheme = LinkScheme(of: link), let url = URL(string: link) else {
            self = .refused(.noURL)
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
    /// Where the action leads.
    public var destination: LinkDestination { LinkDestination(link, as: actionType) }
}
