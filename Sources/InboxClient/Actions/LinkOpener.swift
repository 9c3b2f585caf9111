public import Foundation
public import InboxModel

/// Opens the destinations of actions with closures of the app. It tracks no events: the inbox does.
///
/// ```swift
/// import InboxClient
/// import SafariServices
/// import UIKit
///
/// let opener = LinkOpener(
///     inApp: { url in present(SFSafariViewController(url: url)) },
///     systemBrowser: { url in UIApplication.shared.open(url) },
///     app: { url in router.open(url) }
/// )
/// await opener.open(action, of: message)
/// ```
@MainActor
public struct LinkOpener {
    /// Handles an action before the default behavior. Returns whether the app has handled the action.
    public typealias Handler = @MainActor (LinkDestination, MessageAction, Message) async -> Bool
    /// Opens a URL.
    public typealias URLHandler = @MainActor (URL) -> Void

    private let handler: Handler?
    private let inApp: URLHandler
    private let systemBrowser: URLHandler
    private let app: URLHandler

    /// Creates an opener of links.
    ///
    /// - Parameters:
    ///   - handler: Handles an action first, including one without a link or with a refused link. Nil for none.
    ///   - inApp: Shows a web page in the app.
    ///   - systemBrowser: Opens a web page in the system's browser.
    ///   - app: Opens a deep link.
    public init(
        handler: Handler? = nil,
        inApp: @escaping URLHandler,
        systemBrowser: @escaping URLHandler,
        app: @escaping URLHandler
    ) {
        self.handler = handler
        self.inApp = inApp
        self.systemBrowser = systemBrowser
        self.app = app
    }

    /// Opens the destination of an action. A refused link is never opened.
    ///
    /// - Returns: Whether the app has handled the action, or a URL was opened.
    @discardableResult
    public func open(_ action: MessageAction, of message: Message) async -> Bool {
        await open(action, to: action.destination, of: message)
    }

    /// Opens a destination that isn't the one of the action's own type.
    @discardableResult
    package func open(_ action: MessageAction, to destination: LinkDestination, of message: Message) async -> Bool {
        if let handler, await handler(destination, action, message) { return true }
        switch destination {
        case .inApp(let url): inApp(url)
        case .systemBrowser(let url): systemBrowser(url)
        case .app(let url): app(url)
        case .noLink, .refused: return false
        }
        return true
    }
}
