/// A text of the screens. The raw value is its key in the app's `Localizable.strings`.
public enum AppInboxText: String, Hashable, Sendable, CaseIterable {
    /// The label of the button that opens the list.
    case button = "exponea.inbox.button"
    /// The title of the screen with the list.
    case title = "exponea.inbox.title"
    /// The title of an empty list.
    case emptyTitle = "exponea.inbox.emptyTitle"
    /// The text of an empty list.
    case emptyMessage = "exponea.inbox.emptyMessage"
    /// The title of a list or message that couldn't be loaded.
    case errorTitle = "exponea.inbox.errorTitle"
    /// The text of a list that couldn't be loaded.
    case errorMessage = "exponea.inbox.errorMessage"
    /// The title of a message without one.
    case defaultTitle = "exponea.inbox.defaultTitle"
    /// The label of the button for a message's own link.
    case mainActionTitle = "exponea.inbox.mainActionTitle"

    /// The text in English, as Bloomreach's document has it.
    public var english: String {
        switch self {
        case .button: "Inbox"
        case .title: "AppInbox"
        case .emptyTitle: "Empty Inbox"
        case .emptyMessage: "You have no messages yet."
        case .errorTitle: "Something went wrong :("
        case .errorMessage: "We could not retrieve your messages."
        case .defaultTitle: "Message"
        case .mainActionTitle: "See more"
        }
    }
}
