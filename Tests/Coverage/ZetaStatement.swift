/// What Zeta's document on its inbox says an app can rely on, in our words and in its order.
///
/// `scripts/coverage` reads this file: a mark is a section of the document, the first paragraph above a case is the
/// statement, and one that begins with "Open:" says what it waits for.
package enum ZetaStatement: String {
    // MARK: - App Inbox

    /// Messages that a backend sends are in a store on the device, which outlives the process and can be queried.
    case z01
    /// The app draws; it is given data for all that it draws.
    case z02
    /// Every call is async, and fails by throwing.
    case z03
    /// Every call also exists with a completion handler.
    case z04
    /// Objective-C code makes the same calls, by their selectors.
    ///
    /// Open: compiled on macOS alone (`scripts/check-objective-c`)
    case z05

    // MARK: - Access the inbox

    /// The inbox is reached through the one client, as something that conforms to `ZTAppInboxManagable`.
    case z06
    /// Before the client is initialized there is no inbox.
    case z07

    // MARK: - Fetch messages

    /// Fetching asks the server and gives all messages that aren't deleted.
    case z08
    /// They come in the order of their delivery.
    case z09
    /// The device keeps up to 200 active messages; those that were deleted or have expired don't count.
    case z10
    /// A new device gets the newest 50.
    case z11
    /// Past 200, the oldest active messages leave the device.
    case z12

    // MARK: - Query cached messages

    /// After a fetch, queries need no network.
    case z13
    /// The unread messages can be had.
    case z14
    /// The read messages can be had.
    case z15
    /// The messages are counted: all, the unread, the read.
    case z16
    /// One message can be had by its id.
    case z17

    // MARK: - The message

    /// `messageId` names a message in every call.
    case z18
    /// `id` is the same, and makes it `Identifiable`.
    case z19
    /// It has a headline and a text.
    case z20
    /// It may have an address of a picture.
    case z21
    /// It has one of the statuses read, unread and deleted.
    case z22
    /// `expirationTimestamp` is in milliseconds since 1970, and nil where it never expires.
    case z23
    /// It may have a list of buttons.
    case z24
    /// It names the template that shows it.
    case z25
    /// It has pairs of texts from the campaign.
    case z26
    /// Messages and buttons are `Codable`.
    case z27
    /// Messages and buttons are there in Objective-C.
    ///
    /// Open: compiled on macOS alone (`scripts/check-objective-c`)
    case z28
    /// An expired message isn't shown any more.
    case z29
    /// A new message is unread.
    case z30
    /// It is read when the person has seen it, or when the app says so.
    case z31
    /// It is deleted when the person or the app dismisses it, and then no query gives it.
    case z32
    /// A deletion is remembered: the next sync doesn't bring the message back.
    case z33
    /// A row shows title, text, picture, a dot where unread, and a button.
    ///
    /// Open: screens
    case z34

    // MARK: - Update message status

    /// One message can be marked read.
    case z35
    /// Several can, which gives the ids that were changed.
    case z36
    /// One message can be marked deleted.
    case z37
    /// Several can, which gives the ids that were changed.
    case z38

    // MARK: - Clear all messages

    /// For somebody who leaves, everything on the device can be removed.
    case z39
    /// The next fetch brings it back from the server.
    case z40

    // MARK: - Handle CTA buttons

    /// A message may have several buttons.
    case z41
    /// A tap is reported with the button's value, or else its link, and recorded.
    case z42
    /// What is recorded sets off what the server's owner wants.
    case z43
    /// The link is opened where there is one.
    case z44
    /// A button has a label, a type, a value, a link and a hint how to open it.
    case z45
    /// The hint asks for a browser within the app or for the system's, or for nothing.
    case z46

    // MARK: - Convert status strings

    /// A status becomes text.
    case z47
    /// A text becomes a status.
    case z48
    /// Both can be done from Objective-C.
    ///
    /// Open: compiled on macOS alone (`scripts/check-objective-c`)
    case z49

    // MARK: - Putting it all together

    /// A small screen fetches when it appears, shows a badge, marks read on a tap and reports a button.
    ///
    /// Open: screens
    case z50
    /// Messages and unread count are had together, so that the badge is right from the start.
    case z51
    /// Marking as read is kept on the device at once, and needs no round trip.
    case z52
    /// The value is what is reported; the link is for opening alone.
    case z53
    /// The campaign's pairs are there before a message is shown, to decide about it.
    case z54
}
