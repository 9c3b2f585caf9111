public import Foundation
public import InboxModel

/// Opens what actions lead to, in the ways that the app gives it. It records nothing: that is the inbox's to do.
///
/// ```swift
/// let opener = LinkOpener(
///     inApp: { url in present(SFSafariViewController(url: url)) },
///     systemBrowser: { url in UIApplication.shared.open(url) },
///     app: { url in router.open(url) }
/// )
/// await opener.open(action, of: message)
/// ```
@MainActor
public struct LinkOpener {
    /// The app's own way with an action, asked before anything else; it says whether it has dealt with it.
    public typealias Handler = @MainActor (LinkDestination, MessageAction, Message) async -> Bool
    /// Opens a URL.
    public typealias Way = @MainActor (URL) -> Void

    private let handler: Handler?
    private let inApp: Way
    private let systemBrowser: Way
    private let app: Way

    /// - Parameters:
    ///   - handler: The app's own way with an action, also with one that leads nowhere or is refused; nil for none.
    ///   - inApp: Shows a web page in the app.
    ///   - systemBrowser: Shows a web page in the system's browser.
    ///   - app: Follows a deep link.
    public init(
        handler: Handler? = nil,
        inApp: @escaping Way,
        systemBrowser: @escaping Way,
        app: @escaping Way
    ) {
        self.handler = handler
        self.inApp = inApp
        self.systemBrowser = systemBrowser
        self.app = app
    }

    /// Opens what an action leads to. A refused link is opened in no way.
    ///
    /// - Returns: Whether the app has dealt with it or something was opened.
    @discardableResult
    public func open(_ action: MessageAction, of message: Message) async -> Bool {
        let destination = action.destination
        if let handler, await handler(destination, action, message) { return true }
        switch destination {
        case .inApp(let url): inApp(url)
        case .systemBrowser(let url): systemBrowser(url)
        case .app(let url): app(url)
        case .nowhere, .refused: return false
        }
        return true
    }
}
