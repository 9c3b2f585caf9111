/// A text of the user interface, with one case per text for SwiftUI, web pages and the terminal.
///
/// ``CardTexts`` contains the texts in a language. The raw value can be a key in an app's own table.
public enum CardText: String, CaseIterable, Hashable, Sendable {
    // MARK: The inbox

    /// The heading of the inbox, and the label of the button that opens it.
    case inbox
    /// The text while the inbox loads.
    case loading
    /// The title of a list without messages.
    case emptyTitle
    /// The text below ``emptyTitle``.
    case emptyMessage
    /// The title of a list that failed to load.
    case errorTitle
    /// The text below ``errorTitle``.
    case errorMessage
    /// The label of the button next to an error.
    case tryAgain
    /// The label of the button that refreshes the list.
    case refresh
    /// The label of the button that loads more messages at the end of a list.
    case loadMore
    /// The label of the button that shows messages that arrived after the list was drawn.
    case newMessages
    /// The text above a list that is shown offline.
    case offline
    /// The text after an action was rejected or lost.
    case actionFailed

    // MARK: A message

    /// The title of a message without one.
    case message
    /// The label of the button for a message's main action.
    case seeMore
    /// The accessibility label of the unread indicator.
    case unread
    /// The label of a pinned message.
    case pinned
    /// The label of an archived message.
    case archived
    /// The label of a snoozed message.
    case snoozed
    /// The label of a dismissed message.
    case dismissed
    /// The text in place of a message that expired, was deleted or was recalled.
    case messageGone
    /// The text in place of a message whose HTML can't be shown.
    case messageFailed
    /// The text below a message whose HTML is longer than what is shown.
    case messageTruncated
    /// The text below a message some of whose pictures aren't loaded.
    case somePicturesHidden

    // MARK: Actions

    /// The action that opens a message.
    case open
    /// The button that returns from a message to the list.
    case back
    /// The button that closes a screen presented over another.
    case close
    /// The accessibility label of the dismiss button.
    case dismiss
    /// The action that marks a message as read.
    case markAsRead
    /// The action that marks a message as unread.
    case markAsUnread
    /// The action that archives a message.
    case archive
    /// The action that moves a message from the archive to the inbox.
    case moveToInbox
    /// The action that deletes a message.
    case delete
    /// The action that reverts the previous one.
    case undo
    /// The action that snoozes a message.
    case remindLater
    /// The title of a menu of these actions.
    case actions

    // MARK: Lists

    /// The field that searches messages.
    case search
    /// The text of a search without results.
    case noMatches
    /// The button that begins to select messages.
    case select
    /// The button that selects all messages of a list.
    case selectAll
    /// The button that ends a selection or a search without an action.
    case cancel
    /// The action that marks all messages as read.
    case markAllAsRead
    /// The item of the snooze menu that asks for a date.
    case pickDate
    /// The item of the snooze menu for later on the same day.
    case laterToday
    /// The item of the snooze menu for the next morning.
    case tomorrow
    /// The item of the snooze menu for the first morning of the weekend.
    case thisWeekend
    /// The item of the snooze menu for the first morning of the next week.
    case nextWeek
    /// The text after messages were deleted, next to the button that reverts it.
    case deleted
    /// The text after messages were marked as read.
    case markedAsRead
    /// The text after messages were marked as unread.
    case markedAsUnread
    /// The text after messages were moved to the inbox.
    case movedToInbox
    /// The text of an archive without messages.
    case emptyArchive
    /// The text of a list of snoozed messages that has none.
    case emptySnoozed
    /// The link to the messages before those of a page.
    case olderMessages
    /// The text of a search that hasn't found enough yet, above ``olderMessages``.
    case moreToSearch
    /// The label of the bar with the actions on selected messages, after their number.
    case selected
    /// The text after an action on selected messages without any.
    case nothingSelected
    /// The text after an action was undone.
    case undone
    /// The text after an undo that no longer changes anything.
    case undoEnded
    /// The text after a snooze until a time that has passed or is years away.
    case futureTimeNeeded

    // MARK: A mail

    /// The text in place of a mail's body that has none.
    case noText
    /// The text below a mail that the server truncated.
    case mailTruncated
    /// The text above a mail with pictures on the web, followed by their number.
    case remotePicturesHidden
    /// The button that shows the pictures of a mail.
    case showPictures
    /// The button that shows the pictures of all mails of a sender.
    case alwaysShowPictures
    /// The text after pictures couldn't be loaded.
    case picturesFailed
    /// The text about tracking pixels that were removed from a mail, followed by their number.
    case trackersRemoved
    /// The button that unfolds a quotation.
    case showQuotedText
    /// The button that folds a quotation.
    case hideQuotedText
    /// The button that unfolds a signature.
    case showSignature
    /// The button that folds a signature.
    case hideSignature

    // MARK: Mailboxes and threads

    /// The title of the list of mailboxes.
    case mailboxes
    /// The name of the mailbox for archived mail.
    case archiveMailbox
    /// The name of the mailbox for drafts.
    case drafts
    /// The name of the mailbox for sent mail.
    case sent
    /// The name of the mailbox for deleted mail.
    case trash
    /// The name of the mailbox for unwanted mail.
    case junk
    /// The name of the mailbox with all mail.
    case allMail
    /// The name of the mailbox for important mail.
    case important
    /// The name of the list of starred threads, the label of one, and the text after one was starred.
    case starred
    /// The text of a mailbox without mail.
    case emptyMailbox
    /// The item of a menu that shows unread threads before the others.
    case unreadFirst
    /// The action that stars a thread.
    case star
    /// The action that removes a thread's star.
    case unstar
    /// The text after a star was removed.
    case starRemoved
    /// The title of the menu of mailboxes to which threads can be moved.
    case moveTo
    /// The text after threads were moved to a mailbox.
    case moved
    /// The text in place of a subject that is empty.
    case noSubject
    /// The name of the person among those of a thread.
    case me
    /// The label of a draft.
    case draft
    /// The label of what has files.
    case files
    /// The label of the recipients of a mail.
    case to
    /// The label of the recipients of a copy.
    case cc
    /// The label of the hidden recipients of a copy.
    case bcc
    /// The label of the number of mails in a thread.
    case messages
    /// The state of a mail of which only the header is shown.
    case collapsed
    /// The state of a mail whose text is shown.
    case expanded
    /// The text below the results of a search that hasn't reached the server.
    case searchedDeviceOnly
    /// The text after the server has rejected a change.
    case changeRefused
    /// The text in place of a thread that was deleted.
    case threadGone
    /// The text during the first sync, followed by a number.
    case fetchingMail
    /// The button that downloads a file.
    case download
    /// The label of a download in progress.
    case downloading
    /// The text after a file couldn't be downloaded.
    case downloadFailed
    /// The button that hands a file to another app.
    case share

    // MARK: Web pages

    /// The link before the heading that skips to the messages, for keyboard users.
    case skipToMessages
    /// The button that signs in, and the heading above it.
    case signIn
    /// The button that signs out.
    case signOut
    /// The label of the field for the person's token.
    case token
    /// The text after an invalid or expired token was entered.
    case wrongToken
    /// The text after a sign-in link that was already used or has expired.
    case linkEnded
    /// The text after a session's token has expired.
    case signInAgain
    /// The text if the connection is insecure, so that the browser wouldn't keep the session.
    case secureConnectionNeeded
    /// The text of a page that doesn't exist.
    case nothingHere
    /// The text after a form from another site was rejected.
    case ownPageOnly

    // MARK: Times

    /// The time of a message less than a minute ago.
    case justNow
    /// The time of a message in less than a minute.
    case now
}
