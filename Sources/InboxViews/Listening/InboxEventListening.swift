public import Foundation

/// Hears of what an ``InboxUI`` and its cards do. Every method has a default that does nothing, so that one implements
/// what one needs.
///
/// Held weakly by the inbox, so that the two don't keep each other; hold it yourself. All calls come on the main actor.
@MainActor
public protocol InboxEventListening: AnyObject {
    /// The inbox begins to load: when it is made, and at each refresh.
    func onLoading(_ inbox: InboxUI)
    /// The inbox has loaded, with cards or without.
    func onSuccess(_ inbox: InboxUI)
    /// The inbox couldn't be refreshed. Cards that are there stay on screen.
    ///
    /// - Parameters:
    ///   - inbox: The inbox.
    ///   - error: ``InboxUIError``, or the client's `InboxError`.
    func onError(_ inbox: InboxUI, _ error: any Error)
    /// A card was made: once per card and load, before ``onSuccess(_:)``.
    func onCardCreated(_ card: ContentCardUI)
    /// A card was displayed, as the client's `DisplayRule` says: once per card and visit.
    func onCardDisplayed(_ card: ContentCardUI)
    /// The person sent a card away; it is gone from the inbox.
    func onCardDismissed(_ card: ContentCardUI)
    /// The person tapped a card or one of its buttons; the card is read.
    ///
    /// - Parameters:
    ///   - card: The card.
    ///   - interactionId: ``ContentCardUI/cardClicked`` for the card itself, or the button's id.
    ///   - actionURL: Where it leads, if anywhere.
    /// - Returns: Whether the app has dealt with the URL. Where not, the inbox opens it.
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
