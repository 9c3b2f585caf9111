/// What Bloomreach's document on its inbox says an app can rely on, in our words and in its order.
///
/// `scripts/coverage` reads this file, as it does `ZetaStatement`.
package enum BloomreachStatement: String {
    // MARK: - App Inbox

    /// The app receives the messages that campaigns send.
    case b01
    /// Push notifications are kept for a certain time.
    case b02
    /// Messages are fetched only for a customer who is identified by the hard id.
    case b03

    // MARK: - Integrate the App Inbox

    /// There is a button, which opens the list.
    ///
    /// Open: screens
    case b04
    /// It can be put anywhere, and is there only once the SDK is initialized.
    ///
    /// Open: screens
    case b05

    // MARK: - Default App Inbox behavior

    /// A row tells read from unread.
    ///
    /// Open: screens
    case b06
    /// A row says in words how long ago the message came.
    ///
    /// Open: screens
    case b07
    /// A row has the title in one line.
    ///
    /// Open: screens
    case b08
    /// A row has the text in two lines.
    ///
    /// Open: screens
    case b09
    /// A row has a square picture, if any.
    ///
    /// Open: screens
    case b10
    /// The list shows that it is loading.
    ///
    /// Open: screens
    case b11
    /// An empty list says so.
    ///
    /// Open: screens
    case b12
    /// A list that can't be loaded says so.
    ///
    /// Open: screens
    case b13
    /// A tap on a row tells that the message was opened, and marks it read.
    ///
    /// Open: screens
    case b14
    /// The detail has a large picture or a placeholder, the time, the whole title and the whole text.
    ///
    /// Open: screens
    case b15
    /// The detail has a button for each action that leads somewhere, and none for one that opens the app.
    ///
    /// Open: screens
    case b16
    /// A tap on a button tells that it was clicked.
    ///
    /// Open: screens
    case b17
    /// Consent decides whether either is told.
    case b18

    // MARK: - Localization

    /// Eight texts are there in English, and can be replaced.
    ///
    /// Open: localization of screens
    case b19

    // MARK: - Customize UI components

    /// A provider of one's own takes the place of the screens, at any time.
    ///
    /// Open: screens
    case b20
    /// It may extend the default one, and replace single views.
    ///
    /// Open: screens
    case b21
    /// The button can be styled or replaced.
    ///
    /// Open: screens
    case b22
    /// The list can be styled or replaced, and so can what a tap on a row does.
    ///
    /// Open: screens
    case b23
    /// The detail can be styled or replaced, and so can its buttons.
    ///
    /// Open: screens
    case b24
    /// The picture's inset can be set.
    ///
    /// Open: screens
    case b25

    // MARK: - Fetch App Inbox

    /// The messages can be had without screens.
    case b26
    /// Identifying a customer empties the inbox.
    case b27
    /// Anonymizing empties the inbox.
    case b28
    /// The inbox is stored on the device, and the first fetch brings all of it.
    case b29
    /// Later fetches bring only what is new.
    case b30
    /// A fetch ends with the messages, if any, or with an error.
    case b31
    /// One message can be fetched by its id; one that isn't there is nil.
    case b32
    /// Fetching one message fetches all that is new.
    case b33
    /// A message that was fetched before is taken from the device.
    case b34

    // MARK: - Mark message as read

    /// A message can be marked read by its id, and the answer is whether it was.
    case b35
    /// Marking as read doesn't tell that the message was opened.
    case b36

    // MARK: - Track App Inbox events manually

    /// The screens tell of everything by themselves.
    ///
    /// Open: screens
    case b37
    /// Without them, the app can tell that a message was opened.
    case b38
    /// With consent considered, an opening is told only where there is consent.
    case b39
    /// An opening can be told whatever the consent.
    case b40
    /// The app can tell that an action was clicked.
    case b41
    /// With consent considered, a click is told only where there is consent.
    case b42
    /// A click can be told whatever the consent.
    case b43

    // MARK: - Override button action type in HTML message

    /// In HTML, an address that begins with `http` or `https` is for the browser.
    ///
    /// Open: HTML messages
    case b44
    /// In HTML, any other address is a deep link.
    ///
    /// Open: HTML messages
    case b45
    /// `data-actiontype` beside `data-link` says otherwise.
    ///
    /// Open: HTML messages
    case b46
    /// So it does on an anchor.
    ///
    /// Open: HTML messages
    case b47
}
