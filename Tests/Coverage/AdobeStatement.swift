/// What Adobe's two documents on its inbox say an app can rely on, in our words and in their order: `InboxUI` first,
/// then what listens to it.
///
/// `scripts/coverage` reads this file: a mark is a section of a document, the first paragraph above a case is the
/// statement, and one that begins with "Open:" says what it waits for.
package enum AdobeStatement: String {
    // MARK: - InboxUI

    /// It loads by itself, and is loading, loaded or in error.
    case a01
    /// Its cards lie as the settings say that the backend has set, and so do heading and empty state.
    case a02
    /// It is `Identifiable`, and whoever observes it hears of changes.
    case a03

    // MARK: - Public properties

    /// Each instance has an `id` of its own.
    case a04
    /// `surface` is the one that it was made for.
    case a05
    /// `state` changes by itself, without being asked.
    case a06
    /// `inboxSchemaData` has layout, heading and empty state; an app can't set it.
    case a07
    /// The listener may be missing, and can be set later.
    case a08
    /// Pulling to refresh is off by default, and can be turned on.
    case a09
    /// Cards are 16 points apart by default; it can be set.
    case a10
    /// The content has 12 points above and below and 16 at the sides by default; it can be set.
    case a11
    /// The unread mark has 16 points by default; it can be set.
    case a12
    /// `view` is a SwiftUI view of the inbox.
    ///
    /// Open: SwiftUI is on Apple's systems alone; compiled against declarations of our own (`scripts/check-swiftui`)
    case a13

    // MARK: - Initializer

    /// An inbox is made for a surface alone; customizer and listener may be left out.
    case a14
    /// A customizer changes how cards look.
    case a15
    /// `Messaging.getInboxUI(for:)` makes one too.
    case a16

    // MARK: - Public methods

    /// `refresh()` asks the server for what is new, then shows what there is.
    case a17
    /// Any view can be put behind the inbox.
    ///
    /// Open: SwiftUI is on Apple's systems alone; compiled against declarations of our own (`scripts/check-swiftui`)
    case a18
    /// Another view can be shown while it loads.
    ///
    /// Open: SwiftUI is on Apple's systems alone; compiled against declarations of our own (`scripts/check-swiftui`)
    case a19
    /// Another view can be shown for an error, which it is given.
    ///
    /// Open: SwiftUI is on Apple's systems alone; compiled against declarations of our own (`scripts/check-swiftui`)
    case a20
    /// Another view can be shown where there are no cards; it is given the settings for that, if there are any.
    ///
    /// Open: SwiftUI is on Apple's systems alone; compiled against declarations of our own (`scripts/check-swiftui`)
    case a21
    /// Another view can be shown as heading; it is given the text that the backend has set.
    ///
    /// Open: SwiftUI is on Apple's systems alone; compiled against declarations of our own (`scripts/check-swiftui`)
    case a22

    // MARK: - InboxEventListening

    /// A listener hears of states and of cards, by seven methods.
    case a23
    /// Each method has a default; one implements what one needs.
    case a24

    // MARK: - Inbox state methods

    /// `onLoading` comes when an inbox is made, and when a refresh begins.
    case a25
    /// `onSuccess` comes when it has loaded, with cards or without.
    case a26
    /// `onError` comes with the error when it can't be loaded.
    case a27
    /// `InboxError` tells the errors apart.
    case a28

    // MARK: - Content card methods

    /// `onCardCreated` comes once for each card, whenever the inbox loads or is refreshed.
    case a29
    /// `onCardDisplayed` comes when a card appears on screen.
    case a30
    /// `onCardDismissed` comes when the person sends a card away.
    case a31
    /// A card that was sent away leaves the inbox by itself.
    case a32
    /// `onCardInteracted` comes when the person taps a card or a button, with a name of the part and the URL, if there
    /// is one.
    case a33
    /// An app that returns true has dealt with the URL.
    case a34
    /// Where it returns false, the URL is opened for it.
    case a35
}
