/// The statements of Zeta's document on its inbox that an app can rely on, paraphrased, in its order.
///
/// `scripts/coverage` reads this file. A mark is a section of the document, the first paragraph above a case is the
/// statement, and a paragraph that begins with "Open:" is the reason why it has no test.
package enum ZetaStatement: String {
    // MARK: - App Inbox

    /// A backend's messages are in a store on the device, which outlives the process and can be queried.
    case z01
    /// The app draws the screens, and receives all the data for them.
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

    /// The inbox is a property of the client, as a value that conforms to `ZTAppInboxManagable`.
    case z06
    /// Before the client is initialized there is no inbox.
    case z07

    // MARK: - Fetch messages

    /// A fetch requests the server and returns all messages that aren't deleted.
    case z08
    /// They are in the order of their delivery.
    case z09
    /// The device keeps up to 200 active messages; deleted and expired ones don't count.
    case z10
    /// A new device fetches the newest 50.
    case z11
    /// Beyond 200, the oldest active messages are removed from the device.
    case z12

    // MARK: - Query cached messages

    /// After a fetch, queries need no network.
    case z13
    /// A query returns the unread messages.
    case z14
    /// A query returns the read messages.
    case z15
    /// The messages are counted: all, the unread, the read.
    case z16
    /// A query returns one message by its id.
    case z17

    // MARK: - The message

    /// `messageId` names a message in every call.
    case z18
    /// `id` is the same, and makes it `Identifiable`.
    case z19
    /// A message has a headline and a text.
    case z20
    /// It can have the URL of a picture.
    case z21
    /// It has one of the statuses read, unread and deleted.
    case z22
    /// `expirationTimestamp` is in milliseconds since 1970, and nil if it never expires.
    case z23
    /// It can have a list of buttons.
    case z24
    /// It names the template that shows it.
    case z25
    /// It has pairs of texts from the campaign.
    case z26
    /// Messages and buttons are `Codable`.
    case z27
    /// Messages and buttons are available in Objective-C.
    ///
    /// Open: compiled on macOS alone (`scripts/check-objective-c`)
    case z28
    /// An expired message isn't shown any more.
    case z29
    /// A new message is unread.
    case z30
    /// It is read when the person has seen it, or when the app marks it.
    case z31
    /// It is deleted when the person or the app dismisses it, and then no query returns it.
    case z32
    /// A deletion is stored: the next sync doesn't restore the message.
    case z33
    /// A row shows title, text, picture, a dot if unread, and a button.
    case z34

    // MARK: - Update message status

    /// One message can be marked read.
    case z35
    /// Several messages can, and the call returns the ids that were successfully updated.
    case z36
    /// One message can be marked deleted.
    case z37
    /// Several messages can, and the call returns the ids that were successfully updated.
    case z38

    // MARK: - Clear all messages

    /// All cached messages can be removed, and their status reset, at sign-out.
    case z39
    /// The next fetch restores it from the server.
    case z40

    // MARK: - Handle CTA buttons

    /// A message can have several buttons.
    case z41
    /// A tap is reported with the button's value, or else its link, and recorded.
    case z42
    /// A recorded tap starts the actions that the server's owner has set up.
    case z43
    /// The link is opened if there is one.
    case z44
    /// A button has a label, a type, a value, a link and a hint for opening it.
    case z45
    /// The hint is a browser within the app, the system's browser, or empty.
    case z46

    // MARK: - Convert status strings

    /// A status converts to text.
    case z47
    /// A text converts to a status.
    case z48
    /// Both conversions are available in Objective-C.
    ///
    /// Open: compiled on macOS alone (`scripts/check-objective-c`)
    case z49

    // MARK: - Putting it all together

    /// A small screen fetches when it appears, shows a badge, marks read on a tap and reports a button.
    case z50
    /// Messages and unread count are returned together, so that the badge is right from the start.
    case z51
    /// Marking as read is stored on the device at once, without a round trip.
    case z52
    /// The value is reported; the link is for opening only.
    case z53
    /// The campaign's pairs are available before a message is shown, to decide about it.
    case z54
}
