#if canImport(Combine)
    public import Combine
#endif
public import InboxCards
package import InboxClient
public import InboxModel
public import Observation

/// A card of an ``InboxUI``. It stays the same object as long as its message is shown, and is updated in place.
@MainActor
@Observable
public final class ContentCardUI: Identifiable {
    /// The interaction that ``InboxEventListening/onCardInteracted(_:_:actionURL:)`` receives for a tap on the card
    /// itself.
    public nonisolated static let cardClicked = "Card clicked"

    /// The message's id.
    public nonisolated let id: String
    /// The current message.
    public private(set) var message: Message {
        willSet { willChange() }
    }
    /// The card that shows the message.
    public private(set) var card: Card {
        willSet { willChange() }
    }
    #if canImport(Combine)
        /// Publishes before each change, as with every `ObservableObject`.
        public nonisolated let objectWillChange = ObservableObjectPublisher()
    #endif
    /// The activity of the message.
    @ObservationIgnored private(set) var activity: String?
    /// Whether the messages that aren't shown were searched for a read one of the same activity.
    @ObservationIgnored var isActivityKnown = false
    /// The inbox that shows the card.
    @ObservationIgnored weak var inbox: InboxUI?

    init(_ message: Message, _ card: Card, inbox: InboxUI) {
        id = message.id
        self.message = message
        self.card = card
        self.inbox = inbox
        activity = message.activity
    }

    /// Whether the person has read the message, or another message of the same activity.
    public var isRead: Bool { !card.isUnread }
    /// The priority that the sender has set: −1000…1000, 0 by default.
    public var priority: Int { message.priority }
    /// Additional data from the sender.
    public var meta: [String: String] { message.additionalData }

    /// Updates the properties that have changed.
    func update(_ message: Message, _ card: Card) {
        if self.message != message {
            self.message = message
            activity = message.activity
        }
        if self.card != card { self.card = card }
    }
}

/// The person's interactions with a card. Views call these methods, and so can an app that draws cards itself.
extension ContentCardUI {
    /// Records the visible share of the card, from 0 to 1. The inbox determines what counts as displayed.
    public func visibilityChanged(to share: Double) {
        inbox?.show(id, share: share)
    }

    /// Handles a tap on the card: tracks it, marks the message as read, notifies the listener, and opens the link
    /// unless the listener has handled it.
    ///
    /// - Throws: The client's `InboxError` if it can't be stored. The link is opened nevertheless.
    public func interact() async throws {
        try await inbox?.interact(self, Self.cardClicked, action: nil)
    }

    /// Handles a tap on a button of the card, as ``interact()`` does for the card.
    ///
    /// - Throws: As ``interact()``.
    public func interact(_ button: ButtonElement) async throws {
        try await inbox?.interact(self, button.id, action: button.action)
    }

    /// Handles a tap on the card, or on a button of it, in a view that opens links itself.
    package func interact(_ button: ButtonElement? = nil, opener: LinkOpener) async throws {
        try await inbox?.interact(self, button?.id ?? Self.cardClicked, action: button?.action, opener: opener)
    }

    /// Dismisses the card. It disappears at once, on this device and on all others.
    ///
    /// - Throws: The client's `InboxError` if it can't be stored. The card is shown again.
    public func dismiss() async throws {
        try await inbox?.dismiss(self)
    }
}
