/// A text of the screens: one case for each, whatever draws it (SwiftUI, a web page, the terminal).
///
/// ``CardTexts`` has what each says in a language. The raw value is a key for an app's own table of texts. Where
/// another system's document names the English text, it says so word for word; the comments tell which.
public enum CardText: String, CaseIterable, Hashable, Sendable {
    // MARK: The inbox

    /// The heading of the inbox, and the label of the button that opens it: "Inbox" (Bloomreach,
    /// `exponea.inbox.button`).
    case inbox
    /// The title of the screen with the list: "AppInbox" (Bloomreach, `exponea.inbox.title`).
    case screenTitle
    /// While the inbox loads: "Loading..." (Adobe).
    case loading
    /// In place of cards where there are none and the settings say nothing else: "No content cards available" (Adobe).
    case noCards
    /// The title of a list without messages: "Empty Inbox" (Bloomreach, `exponea.inbox.emptyTitle`).
    case emptyTitle
    /// Beneath that title: "You have no messages yet." (Bloomreach, `exponea.inbox.emptyMessage`).
    case emptyMessage
    /// In place of cards where they can't be had: "An error occurred while loading your inbox" (Adobe).
    case loadingFailed
    /// The title of a list that can't be shown: "Something went wrong :(" (Bloomreach, `exponea.inbox.errorTitle`).
    case errorTitle
    /// Beneath that title: "We could not retrieve your messages." (Bloomreach, `exponea.inbox.errorMessage`).
    case errorMessage
    /// The button beside an error: "Try Again" (Adobe).
    case tryAgain
    /// The button that asks for what is new.
    case refresh
    /// The button at the end of a list that goes on.
    case loadMore
    /// The button that shows what has arrived since the list was drawn.
    case newMessages
    /// Above a list that is shown from what is stored on the device.
    case offline
    /// After something that the person did was refused or lost.
    case actionFailed

    // MARK: A message

    /// The title of a message that has none: "Message" (Bloomreach, `exponea.inbox.defaultTitle`).
    case message
    /// The button for the main action of a message: "See more" (Bloomreach, `exponea.inbox.mainActionTitle`).
    case seeMore
    /// What the mark of an unread message says to who doesn't see it.
    case unread
    /// What the mark of a message that is kept at the top says.
    case pinned
    /// What the mark of a message in the archive says.
    case archived
    /// What the mark of a message that is to come back later says.
    case snoozed
    /// What the mark of a message that was sent away says.
    case dismissed
    /// In place of a message that has expired or was deleted or recalled.
    case messageGone

    // MARK: What a person can do

    /// Opens a message.
    case open
    /// Leads from the message back to the list.
    case back
    /// Closes a screen that lies over another.
    case close
    /// What the × of a card says: the card goes away.
    case dismiss
    /// Makes a message read.
    case markAsRead
    /// Makes a message unread again.
    case markAsUnread
    /// Puts a message into the archive.
    case archive
    /// Takes a message out of the archive.
    case moveToInbox
    /// Deletes a message.
    case delete
    /// Takes back what was just done.
    case undo
    /// Puts a message out of the way until later.
    case remindLater
    /// The name of a menu of all of these.
    case actions

    // MARK: A page in a browser

    /// The link before the heading for who reads with the keyboard.
    case skipToMessages
    /// The button that signs in, and the heading above it.
    case signIn
    /// The button that signs out.
    case signOut
    /// The label of the field that takes the person's token.
    case token
    /// After a token that isn't one, or not any more.
    case wrongToken
    /// After a link that signs in once, where it was used or has expired.
    case linkEnded
    /// After a token that was good has run out.
    case signInAgain
    /// Where the browser wouldn't keep the sign-in, since others can listen.
    case secureConnectionNeeded
    /// In place of a page at an address where there is none.
    case nothingHere
    /// After a form that came from another site, and did nothing.
    case ownPageOnly

    // MARK: Times

    /// Less than a minute ago.
    case justNow
    /// In less than a minute.
    case now
}
