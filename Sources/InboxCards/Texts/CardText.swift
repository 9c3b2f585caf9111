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
    /// The text below ``emptyTitle``. It holds for an inbox that was never used and for one that was emptied.
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
    /// The name of a list of unread messages, which has their number beside it.
    case unreadList
    /// The name of a list of archived messages, and the text after several were archived.
    case archivedList
    /// The name of a list of snoozed messages, and the text after several were snoozed.
    case snoozedList
    /// The label of a dismissed message.
    case dismissed
    /// The text in place of a message that expired, was deleted or was recalled.
    case messageGone
    /// The text in place of a message whose HTML can't be shown.
    case messageFailed
    /// The text below a message whose HTML is shown in part, because it is too long.
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
    /// The action that snoozes a message, with the word of ``snoozed``.
    case remindLater
    /// The title of a menu of these actions.
    case actions

    // MARK: Lists

    /// The field that searches messages.
    case search
    /// The text of a search without results.
    case noMatches
    /// The link that ends a search, and shows all messages again.
    case endSearch
    /// The button that begins to select messages.
    case select
    /// The button that selects all messages of a list.
    case selectAll
    /// The button that ends a selection without an action, or closes a search field.
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
    /// The text after several messages were deleted.
    case severalDeleted
    /// The text after several messages were marked as read.
    case severalMarkedAsRead
    /// The text after several messages were marked as unread.
    case severalMarkedAsUnread
    /// The text after several messages were moved to the inbox.
    case severalMovedToInbox
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
    /// The text after a button without a link was pressed, which the sender is notified of.
    case choiceRecorded
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
    /// The label of an entry with files.
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

    // MARK: Writing a mail

    /// The title of a screen with a new mail, and the button that opens it.
    case newMail
    /// The label of a mail's sender.
    case fromField
    /// The label of a mail's recipients.
    case toField
    /// The label of the recipients of a copy.
    case ccField
    /// The label of the recipients of a blind copy.
    case bccField
    /// The button that shows the fields for copies.
    case addCopies
    /// The label of a mail's subject.
    case subject
    /// The button that sends a mail.
    case send
    /// The button that sends a mail at a time.
    case sendLater
    /// The button that adds a file to a mail.
    case attachFile
    /// The heading of a mail's files.
    case attachments
    /// The label of the button that removes a file or a recipient, before its name.
    case remove
    /// The label of the contacts for a text that is being typed.
    case suggestions
    /// The accessibility label of a recipient that the server refuses.
    case recipientRefused
    /// The button that closes a mail and keeps it.
    case saveDraft
    /// The button that discards a draft.
    case discardDraft
    /// The question before a draft is discarded.
    case discardQuestion
    /// The button that goes back to writing a mail.
    case keepWriting
    /// The button that sends a mail in spite of questions about it.
    case sendAnyway
    /// The heading of the notes that are shown before a mail is sent.
    case beforeSending
    /// The text beside the button that takes a mail back.
    case sendingSoon
    /// The text about a draft that another device or window has changed too.
    case otherVersions
    /// The button that shows the other text of a draft.
    case useOtherVersion
    /// The button that removes the other text of a draft.
    case discardOtherVersion
    /// The text about a draft that shows a change from elsewhere.
    case updatedElsewhere
    /// The text about a draft that was discarded elsewhere.
    case discardedElsewhere
    /// The text about a draft with formatting that the screen can't edit.
    case formattingLost
    /// The text in a mail without a network.
    case offlineSending
    /// The text in a mail after the access has ended.
    case signInToSend
    /// The text after a draft couldn't be stored.
    case draftNotSaved
    /// The text after something couldn't be stored because the device is full.
    case noSpace
    /// The text in place of a draft that doesn't exist.
    case draftGone
    /// The text in place of a draft that was sent.
    case mailSent
    /// The text in place of a draft whose text can't be fetched.
    case draftNotLoaded
    /// The text in a mail after the person has signed out.
    case signedOutDraft
    /// The text after a file couldn't be attached. `%@` is its name.
    case fileNotAttached
    /// The text after the sending of a mail couldn't be undone.
    case tooLateToUndo
    /// The state of a file that the server doesn't have.
    case notUploaded
    /// The state of a file on its way to the server, before the percentage.
    case uploading
    /// The state of a file that the server has.
    case uploaded

    // MARK: Problems of a mail

    /// The problem of a mail without a recipient.
    case noRecipient
    /// The problem of an address with letters that the server may not support. `%@` is the address.
    case internationalAddress
    /// The problem of a mail with nothing in it.
    case emptyMail
    /// The problem of a mail without a subject.
    case missingSubject
    /// The problem of a mail whose subject is too long.
    case subjectTooLong
    /// The problem of a mail that mentions a file. `%@` is the word.
    case missingAttachment
    /// The problem of a file that is too large. `%@` is the size that the server allows.
    case fileTooLarge
    /// The problem of a mail that is too large. `%@` is the size that the server allows.
    case mailTooLarge
    /// The problem of an empty address.
    case addressMissing
    /// The problem of an address without `@`.
    case addressMissingAt
    /// The problem of an address with several `@`.
    case addressSeveralAts
    /// The problem of an address with nothing before the `@`.
    case addressMissingName
    /// The problem of an address with nothing after the `@`.
    case addressMissingDomain
    /// The problem of an address with a character that isn't allowed. `%@` is the character.
    case addressCharacter
    /// The problem of an address with misplaced dots or hyphens, or another domain that can't exist.
    case addressMisspelled
    /// The problem of an address that is too long.
    case addressTooLong
    /// The problem of an address with a quotation mark or bracket that isn't closed.
    case addressUnreadable
    /// The problem of the addresses of a pasted line `Bcc:` in a field that all recipients see.
    case addressOfBlindCopy

    // MARK: The outbox

    /// The heading of the mails on their way.
    case outbox
    /// The text of an outbox without mails.
    case emptyOutbox
    /// The text after the outbox couldn't be read.
    case outboxFailed
    /// The state of a mail that is sent at a time. `%@` is the time.
    case waitingUntil
    /// The state of a mail that waits for the network.
    case waitingToSend
    /// The state of a mail that the server has been asked to send.
    case sending
    /// The state of a mail that was refused.
    case notSent
    /// The state of a draft that the server refuses to save.
    case notSaved
    /// The state of a mail of which it isn't known whether it was sent.
    case maybeSent
    /// The number of attempts to send that mail. `%@` is the number.
    case sendingAttempts
    /// The time of the last attempt to send that mail. `%@` is the time.
    case lastAttempt
    /// The result of a search for that mail, of which the server has none.
    case mailNotOnServer
    /// The result of a search for that mail, which the server has in another place than among the sent ones.
    case mailNotAmongSent
    /// The result of a question about that mail, which the server was to send later and holds no longer.
    case mailHeldNoLonger
    /// The state of a sent mail whose copy doesn't name the recipients of blind copies.
    case sentUnnamed
    /// The state of a sent mail that is still among the drafts.
    case sentUnmoved
    /// The button that sends a mail again.
    case sendAgain
    /// The button that sends a mail at once that waits.
    case sendNow
    /// The button that opens a mail for a change.
    case edit
    /// The button that takes a mail back. It is a draft then.
    case cancelSending
    /// The question before a mail is sent again that may have been sent.
    case sendAgainQuestion
    /// The text after a mail couldn't be sent again as it is.
    case needsChange
    /// The reason of a mail whose recipients the server refuses. `%@` has their addresses.
    case recipientsRefused
    /// The reason of a mail of which the server refuses a recipient without naming it.
    case someRecipientRefused
    /// The reason of a mail with more recipients than the server allows.
    case tooManyRecipients
    /// The reason of a mail that is larger than the server allows.
    case refusedTooLarge
    /// The reason of a mail of an account without space.
    case overQuota
    /// The reason of a mail whose sender isn't allowed.
    case senderRefused
    /// The reason of a mail of a person who may not send at the moment.
    case sendingForbidden
    /// The reason of a mail of which a file is missing.
    case fileMissing
    /// The reason of a draft of which a mail was sent already.
    case alreadySent
    /// The reason of a mail of an account that can't send.
    case sendingNotSupported
    /// The reason of a discarded draft that the server refuses to remove.
    case notDiscarded
    /// The reason of a draft that this version of the app can't read: it may have been sent.
    case draftUnreadable
    /// The reason of a mail that the server refuses for another reason.
    case refusedOther

    // MARK: Signing in to mail

    /// The label of the field for a person's mail address.
    case mailAddress
    /// The button that begins a sign-in.
    case signInContinue
    /// The text during the search for the mail server of an address.
    case findingServer
    /// The question about a mail server outside of the address's domain. `%@` is the host.
    case hostQuestion
    /// The text below the question about a mail server.
    case hostWarning
    /// The button that answers a question with yes.
    case yes
    /// The button that answers a question with no.
    case no
    /// The text while the person signs in in the browser.
    case inBrowser
    /// The text after the browser has returned.
    case finishingSignIn
    /// The text after a sign-in. `%@` is the address.
    case signedInAs
    /// The text after a sign-in whose mail couldn't be opened.
    case mailNotOpened
    /// The failure of a sign-in with a text that isn't an address.
    case invalidMailAddress
    /// The failure of a sign-in that was denied in the browser.
    case accessDenied
    /// The failure of a sign-in that the server refuses.
    case signInRefused
    /// The failure of a sign-in that another server has answered.
    case wrongIssuer
    /// The failure of a sign-in for which the browser has returned with another answer.
    case wrongRedirect
    /// The failure of a sign-in that took too long.
    case signInExpired
    /// The failure of a sign-in without a network.
    case noNetwork
    /// The failure of a sign-in whose server doesn't answer.
    case serverTimedOut
    /// The failure of a sign-in with an address whose domain has no JMAP server.
    case noMailServer
    /// The failure of a sign-in with an address whose domain has an IMAP server only.
    case oldMailServer
    /// The failure of a sign-in to a mail server without an authorization server.
    case noBrowserSignIn
    /// The failure of a sign-in to a server that registers no apps.
    case appNotRegistered
    /// The failure of a sign-in whose server sent something else than expected.
    case unreadableAnswer
    /// The failure of a sign-in whose server has an error.
    case serverFailed
    /// The failure of a sign-in without a browser.
    case noBrowser
    /// The failure of a sign-in whose tokens can't be stored.
    case signInNotStored

    // MARK: Mail in an app

    /// The button below a mail that begins a reply to its author.
    case reply
    /// The button below a mail that begins a reply to its author and recipients.
    case replyAll
    /// The button below a mail that begins a mail with it in it.
    case forward
    /// The label of the menu to add an account and to sign out.
    case accounts
    /// The button that signs in to another account.
    case addAccount
    /// The question before a sign-out that deletes drafts which no server has.
    case unsavedQuestion
    /// The button that signs out nevertheless.
    case signOutAnyway

    // MARK: Times

    /// The time of a message less than a minute ago.
    case justNow
    /// The time of a message in less than a minute.
    case now
}
