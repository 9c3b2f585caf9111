public import Foundation

/// Receives the events of an ``InboxUI`` and its cards. Every method has a default implementation, so that only the
/// ones that are needed have to be implemented.
///
/// A listener may be a structure or a class of any isolation. All methods are called on the main actor. The inbox holds
/// its listener strongly, as Adobe's does: an object that holds the inbox too keeps both in memory, until it lets go of
/// the inbox, sets ``InboxUI/listener`` to nil, or the client's inbox is closed.
public protocol InboxEventListening {
    /// The inbox begins to load: when it is created, and at each refresh.
    @MainActor func onLoading(_ inbox: InboxUI)
    /// The inbox has loaded, with cards or without.
    @MainActor func onSuccess(_ inbox: InboxUI)
    /// The inbox couldn't be refreshed. Cards on screen stay there.
    ///
    /// - Parameters:
    ///   - inbox: The inbox.
    ///   - error: An ``InboxUIError``. ``InboxUI/failure`` has the client's error behind it.
    @MainActor func onError(_ inbox: InboxUI, _ error: any Error)
    /// A card was created. Called once per card and load, before ``onSuccess(_:)``.
    @MainActor func onCardCreated(_ card: ContentCardUI)
    /// A card appeared on screen. Called once per card and visit.
    @MainActor func onCardDisplayed(_ card: ContentCardUI)
    /// The person dismissed a card. It is no longer in the inbox.
    @MainActor func onCardDismissed(_ card: ContentCardUI)
    /// The person tapped a card or one of its buttons. The card is read.
    ///
    /// - Parameters:
    ///   - card: The card.
    ///   - interactionId: ``ContentCardUI/cardClicked`` for the card itself, or the id of the button.
    ///   - actionURL: The URL of the link, if there is one.
    /// - Returns: Whether the app has handled the URL. If not, the inbox opens it.
    @MainActor func onCardInteracted(_ card: ContentCardUI, _ interactionId: String, actionURL: URL?) -> Bool
}

extension InboxEventListening {
    /// Does nothing.
    @MainActor public func onLoading(_ inbox: InboxUI) {}
    /// Does nothing.
    @MainActor public func onSuccess(_ inbox: InboxUI) {}
    /// Does nothing.
    @MainActor public func onError(_ inbox: InboxUI, _ error: any Error) {}
    /// Does nothing.
    @MainActor public func onCardCreated(_ card: ContentCardUI) {}
    /// Does nothing.
    @MainActor public func onCardDisplayed(_ card: ContentCardUI) {}
    /// Does nothing.
    @MainActor public func onCardDismissed(_ card: ContentCardUI) {}
    /// Leaves the URL to the inbox.
    @MainActor public func onCardInteracted(_ card: ContentCardUI, _ interactionId: String, actionURL: URL?) -> Bool {
        false
    }
}
