/// Makes the parts of the inbox's screens. An app registers its own as `Exponea.shared.appInboxProvider`, before or
/// after `configure`; each part that is needed from then on is its.
@MainActor
public protocol AppInboxProvider: AnyObject {
    /// Returns the button that opens the list.
    func getAppInboxButton() -> AppInboxButton

    /// Returns the screen with the list.
    func getAppInboxListViewController() -> AppInboxScreen

    /// Returns the screen of a message.
    func getAppInboxDetailViewController(_ messageId: String) -> AppInboxScreen

    /// Returns a row of the list, from one that is filled: the same, changed, or another one.
    func getAppInboxListTableViewCell(_ cell: AppInboxCell) -> AppInboxCell
}
