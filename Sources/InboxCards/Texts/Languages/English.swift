/// The texts in English.
///
/// Texts that a vendor documents are verbatim. The translations keep their meaning and leave out the emoticon.
enum English {
    static func text(_ text: CardText) -> String {
        switch text {
        case .inbox: "Inbox"
        case .screenTitle: "AppInbox"
        case .loading: "Loading..."
        case .noCards: "No content cards available"
        case .emptyTitle: "Empty Inbox"
        case .emptyMessage: "You have no messages yet."
        case .loadingFailed: "An error occurred while loading your inbox"
        case .errorTitle: "Something went wrong :("
        case .errorMessage: "We could not retrieve your messages."
        case .tryAgain: "Try Again"
        case .refresh: "Refresh"
        case .loadMore: "Load More"
        case .newMessages: "New Messages"
        case .offline: "You’re offline. Messages may be out of date."
        case .actionFailed: "That didn’t work. Please try again."
        case .message: "Message"
        case .seeMore: "See more"
        case .unread: "Unread"
        case .pinned: "Pinned"
        case .archived: "Archived"
        case .snoozed: "Snoozed"
        case .dismissed: "Dismissed"
        case .messageGone: "This message is no longer available."
        case .messageFailed: "The message couldn't be shown."
        case .open: "Open"
        case .back: "Back"
        case .close: "Close"
        case .dismiss: "Dismiss"
        case .markAsRead: "Mark as Read"
        case .markAsUnread: "Mark as Unread"
        case .archive: "Archive"
        case .moveToInbox: "Move to Inbox"
        case .delete: "Delete"
        case .undo: "Undo"
        case .remindLater: "Remind Me Later"
        case .actions: "Actions"
        case .noText: "This mail has no text."
        case .mailTruncated: "The mail is longer than what is shown here."
        case .remotePicturesHidden: "Pictures from the web aren't shown"
        case .showPictures: "Show"
        case .alwaysShowPictures: "Always show from this sender"
        case .picturesFailed: "The pictures couldn't be loaded."
        case .trackersRemoved: "Tracking pixels removed"
        case .showQuotedText: "Show quoted text"
        case .hideQuotedText: "Hide quoted text"
        case .showSignature: "Show signature"
        case .hideSignature: "Hide signature"
        case .skipToMessages: "Skip to messages"
        case .signIn: "Sign In"
        case .signOut: "Sign Out"
        case .token: "Access token"
        case .wrongToken: "This token isn’t valid or has expired."
        case .linkEnded: "This link has been used or has expired."
        case .signInAgain: "Your session has expired. Please sign in again."
        case .secureConnectionNeeded: "Signing in needs a secure connection."
        case .nothingHere: "There’s nothing at this address."
        case .ownPageOnly: "This can only be done on the inbox’s own page."
        case .justNow: "just now"
        case .now: "now"
        }
    }

    static let unreadMessages = PluralText(
        zero: "No unread messages",
        one: "{count} unread message",
        other: "{count} unread messages"
    )
}
