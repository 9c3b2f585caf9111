import InboxClient
import InboxModel

extension MessageAction {
    /// The destination of the action's link on Bloomreach's screens: the system's browser for Bloomreach's type
    /// `browser`, whose action type is `webBrowser` in a message that an earlier version imported.
    var appInboxDestination: LinkDestination {
        let destination = destination
        guard type == MessageItemActionType.browser.rawValue, case .inApp(let url) = destination else {
            return destination
        }
        return .systemBrowser(url)
    }
}
