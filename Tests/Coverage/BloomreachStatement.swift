/// The statements of Bloomreach's document on its inbox that an app can rely on, paraphrased, in its order.
///
/// `scripts/coverage` reads this file, as it does `ZetaStatement`.
package enum BloomreachStatement: String {
    // MARK: - App Inbox

    /// The app receives the messages that campaigns send.
    case b01
    /// Push notifications are kept for a certain time.
    case b02
    /// Messages are fetched only for a customer identified by the hard id.
    case b03

    // MARK: - Integrate the App Inbox

    /// A button opens the list.
    case b04
    /// The button can be placed anywhere, and exists only after the SDK is initialized.
    case b05

    // MARK: - Default App Inbox behavior

    /// A row distinguishes read from unread.
    case b06
    /// A row has the relative time of the message.
    case b07
    /// A row has the title in one line.
    case b08
    /// A row has the text in two lines.
    case b09
    /// A row has a square picture, if any.
    case b10
    /// The list has a loading state.
    case b11
    /// An empty list has a text.
    case b12
    /// A list that can't be loaded has an error text.
    case b13
    /// A tap on a row tracks that the message was opened, and marks it read.
    case b14
    /// The detail has a large picture or a placeholder, the time, the whole title and the whole text.
    case b15
    /// The detail has a button for each action with a target, and none for an action that opens the app.
    case b16
    /// A tap on a button tracks the click.
    case b17
    /// Consent decides whether openings and clicks are tracked.
    case b18

    // MARK: - Localization

    /// Eight texts are in English, and can be replaced.
    case b19

    // MARK: - Customize UI components

    /// An app's own provider can replace the screens at any time.
    case b20
    /// The provider can extend the default one, and replace single views.
    case b21
    /// The button can be styled or replaced.
    case b22
    /// The list can be styled or replaced, and so can the action of a tap on a row.
    case b23
    /// The detail can be styled or replaced, and so can its buttons.
    case b24
    /// The picture's inset can be set.
    case b25

    // MARK: - Fetch App Inbox

    /// The messages are available without screens.
    case b26
    /// Identifying a customer empties the inbox.
    case b27
    /// Anonymizing empties the inbox.
    case b28
    /// The inbox is stored on the device, and the first fetch brings all of it.
    case b29
    /// Later fetches bring only what is new.
    case b30
    /// A fetch completes with the messages, if any, or with an error.
    case b31
    /// One message can be fetched by its id; an unknown one is nil.
    case b32
    /// Fetching one message fetches all new ones.
    case b33
    /// A message that was fetched before is read from the device.
    case b34

    // MARK: - Mark message as read

    /// A message can be marked read by its id, and the call returns whether it was.
    case b35
    /// Marking as read doesn't track an opening.
    case b36

    // MARK: - Track App Inbox events manually

    /// The screens track everything by themselves.
    case b37
    /// Without them, the app can track that a message was opened.
    case b38
    /// With consent considered, an opening is tracked only with consent.
    case b39
    /// An opening can be tracked regardless of consent.
    case b40
    /// The app can track that an action was clicked.
    case b41
    /// With consent considered, a click is tracked only with consent.
    case b42
    /// A click can be tracked regardless of consent.
    case b43

    // MARK: - Override button action type in HTML message

    /// In HTML, a URL that begins with `http` or `https` opens the browser.
    case b44
    /// In HTML, any other URL is a deep link.
    case b45
    /// `data-actiontype` next to `data-link` overrides this.
    case b46
    /// It does so on an anchor, too.
    case b47
}
