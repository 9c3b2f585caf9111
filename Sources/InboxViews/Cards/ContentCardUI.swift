public import InboxCards
public import InboxModel
public import Observation

/// One card of an ``InboxUI``: the same object as long as its message is on screen, changed in place.
@MainActor
@Observable
public final class ContentCardUI: Identifiable {
    /// The interaction that ``InboxEventListening/onCardInteracted(_:_:actionURL:)`` receives for a tap on the card
    /// itself.
    public nonisolated static let cardClicked = "Card clicked"

    /// The message's id.
    public nonisolated let id: String
    /// The message as it is now.
    public private(set) var message: Message {
        willSet { willChange() }
    }
    /// How it is shown.
    public private(set) var card: Card {
        willSet { willChange() }
    }
    /// The activity to which its message belongs.
    @ObservationIgnored private(set) var activity: String?
    /// Whether it was asked if the activity was read in a message that isn't shown.
    @ObservationIgnored var isActivityKnown = false
    /// The inbox that shows it.
    @ObservationIgnored weak var inbox: InboxUI?

    init(_ message: Message, _ card: Card, inbox: InboxUI) {
        id = message.id
        self.message = message
        self.card = card
        self.inbox = inbox
        activity = message.activity
    }

    /// Whether the person has read it, here or in another message of the same activity.
    public var isRead: Bool { !card.isUnread }
    /// What the sender said it matters: −1000…1000, 0 by default.
    public var priority: Int { message.priority }
    /// Whatever else the sender wants the app to know.
    public var meta: [String: String] { message.additionalData }

    /// Takes what is new of it.
    func update(_ message: Message, _ card: Card) {
        if self.message != message {
            self.message = message
            activity = message.activity
        }
        if self.card != card { self.card = card }
    }
}

/// What the person does with a card. Views call these; so may an app that draws cards itself.
extension ContentCardUI {
    /// How much of the card is on screen now, from 0 to 1. The inbox finds out by itself what counts as displayed.
    public func visibilityChanged(to share: Double) {
        inbox?.show(id, share: share)
    }

    /// Handles a tap on the card: tracks it, marks the card as read, asks the listener, and opens the link unless the
    /// listener has handled it.
    ///
    /// - Throws: The client's `InboxError` if it can't be stored. The link is opened nevertheless.
    public func interact() async throws {
        try await inbox?.interact(self, Self.cardClicked, action: nil)
    }

    /// The person tapped a button of the card, as ``interact()``.
    public func interact(_ button: ButtonElement) async throws {
        try await inbox?.interact(self, button.id, action: button.action)
    }

    /// The person sends the card away: it is gone at once, here and on every other device.
    ///
    /// - Throws: The client's `InboxError` where the store can't take it; then it is back.
    public func dismiss() async throws {
        try await inbox?.dismiss(self)
    }
}
