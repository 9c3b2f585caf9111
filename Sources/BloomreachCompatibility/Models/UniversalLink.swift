import Foundation
import InboxClient
import InboxModel

/// A web address that is meant as a deep link, and so may be a universal link of this app.
///
/// The system shows a universal link that its own app opens in the browser. The app continues it only if it is asked
/// first.
enum UniversalLink {
    /// Returns the address; nil for a link that is meant for a browser, and for one with a scheme of an app's.
    static func url(of action: MessageAction, to destination: LinkDestination) -> URL? {
        switch destination {
        case .app(let url) where isWeb(url): url
        case .systemBrowser(let url) where ["deeplink", "deep-link"].contains(action.type): url
        case .app, .systemBrowser, .inApp, .noLink, .refused: nil
        }
    }

    private static func isWeb(_ url: URL) -> Bool { ["http", "https"].contains(url.scheme?.lowercased()) }
}
