/// The statements of Adobe's two documents on its inbox that an app can rely on, paraphrased, in their order:
/// `InboxUI` first, then its listener.
///
/// `scripts/coverage` reads this file. A mark is a section of a document, the first paragraph above a case is the
/// statement, and a paragraph that begins with "Open:" is the reason why it has no test.
package enum AdobeStatement: String {
    // MARK: - InboxUI

    /// An inbox loads by itself, and is loading, loaded or in error.
    case a01
    /// The backend's settings determine the layout of the cards, the heading and the empty state.
    case a02
    /// It is `Identifiable`, and its observers are notified of changes.
    case a03

    // MARK: - Public properties

    /// Each instance has its own `id`.
    case a04
    /// `surface` is the surface that it was created for.
    case a05
    /// `state` changes by itself.
    case a06
    /// `inboxSchemaData` has layout, heading and empty state; an app can't set it.
    case a07
    /// The listener is optional, and can be set later.
    case a08
    /// Pull to refresh is off by default, and can be enabled.
    case a09
    /// Cards are 16 points apart by default. The spacing can be set.
    case a10
    /// The content has insets of 12 points above and below and 16 at the sides by default. They can be set.
    case a11
    /// The unread indicator is 16 points large by default. The size can be set.
    case a12
    /// `view` is a SwiftUI view of the inbox.
    case a13

    // MARK: - Initializer

    /// A surface is enough to create an inbox; customizer and listener are optional.
    case a14
    /// A customizer changes the appearance of cards.
    case a15
    /// `Messaging.getInboxUI(for:)` creates one too.
    case a16

    // MARK: - Public methods

    /// `refresh()` fetches changes from the server, then shows the result.
    case a17
    /// Any view can be the background of the inbox.
    case a18
    /// The loading view can be replaced.
    case a19
    /// The error view can be replaced; it receives the error.
    case a20
    /// The view of an inbox without cards can be replaced; it receives the settings for it, if any.
    case a21
    /// The heading can be replaced; it receives the backend's text.
    case a22

    // MARK: - InboxEventListening

    /// A listener is notified of states and of cards, by seven methods.
    case a23
    /// Each method has a default implementation.
    case a24

    // MARK: - Inbox state methods

    /// `onLoading` is called when an inbox is created, and when a refresh begins.
    case a25
    /// `onSuccess` is called when it has loaded, with cards or without.
    case a26
    /// `onError` is called with the error when it can't be loaded.
    case a27
    /// `InboxError` distinguishes the errors.
    case a28

    // MARK: - Content card methods

    /// `onCardCreated` is called once for each card, at each load and each refresh.
    case a29
    /// `onCardDisplayed` is called when a card appears on screen.
    case a30
    /// `onCardDismissed` is called when the person dismisses a card.
    case a31
    /// A dismissed card is removed from the inbox by itself.
    case a32
    /// `onCardInteracted` is called when the person taps a card or a button, with the part's name and its URL, if any.
    case a33
    /// An app that returns true has handled the URL.
    case a34
    /// If it returns false, the URL is opened.
    case a35
}
