public import Foundation

/// Receives the events of an ``InboxUI`` and its cards. Every method has a default implementation, so that only the
/// ones that are needed have to be implemented.
///
/// The inbox holds the listener weakly, which prevents a retain cycle; keep a strong reference to it. All methods are
/// called on the main actor.
@MainActor
public protocol InboxEventListening: AnyObject {
    /// The inbox begins to load: when it is created, and at each refresh.
    func onLoading(_ inbox: InboxUI)
    /// The inbox has loaded, with cards or without.
    func onSuccess(_ inbox: InboxUI)
    /// The inbox couldn't be refreshed. Cards on screen stay there.
    ///
    /// - Parameters:
    ///   - inbox: The inbox.
    ///   - error: ``InboxUIError``, or the client's `InboxError`.
    func onError(_ inbox: InboxUI, _ error: any Error)
    /// A card was created. Called once per card and load, before ``onSuccess(_:)``.
    func onCardCreated(_ card: ContentCardUI)
    /// A card was displayed, according to the client's `DisplayRule`. Called once per card and visit.
    func onCardDisplayed(_ card: ContentCardUI)
    /// The person dismissed a card. It is no longer in the inbox.
    func onCardDismissed(_ card: ContentCardUI)
    /// The person tapped a card or one of its buttons. The card is read.
    ///
    /// - Parameters:
    ///   - card: The card.
    ///   - interactionId: ``ContentCardUI/cardClicked`` for the card itself, or the id of the button.
    ///   - actionURL: The URL of the link, if there is one.
    /// - Returns: Whether the app has handled the URL. If not, the inbox opens it.
    func onCardInteracted(_ card: ContentCardUI, _ interactionId: String, actionURL: URL?) -> Bool
}

extension InboxEventListening {
    /// Does nothing.
    public func onLoading(_ inbox: InboxUI) {}
    /// Does nothing.
    public func onSuccess(_ inbox: InboxUI) {}
    /// Does nothing.
    public func onError(_ inbox: InboxUI, _ error: any Error) {}
    /// Does nothing.
    public func onCardCreated(_ card: ContentCardUI) {}
    /// Does nothing.
    public func onCardDisplayed(_ card: ContentCardUI) {}
    /// Does nothing.
    public func onCardDismissed(_ card: ContentCardUI) {}
    /// Leaves the URL to the inbox.
    public func onCardInteracted(_ card: ContentCardUI, _ interactionId: String, actionURL: URL?) -> Bool { false }
}
