public import InboxCards

/// What the templates have in common.
@MainActor
public class BaseTemplate {
    private var own: Card
    private let ownButtons: [AEPButton]

    init(_ card: Card) {
        own = card
        ownButtons = card.buttons.map(AEPButton.init)
    }

    /// The card as it was changed.
    public var card: Card {
        var card = own
        card.buttons = ownButtons.map(\.element)
        return card
    }

    /// Behind the card.
    public var backgroundColor: CardColor? {
        get { own.backgroundColor }
        set { own.backgroundColor = newValue ?? .card }
    }
    /// Behind the card in place of ``backgroundColor``, as long as it isn't read; nil for no difference.
    public var unreadBackground: CardColor? {
        get { own.unreadBackground }
        set { own.unreadBackground = newValue }
    }
    /// The mark of a card that isn't read; nil for none.
    public var unreadIcon: UnreadElement? {
        get { own.unreadIcon }
        set { own.unreadIcon = newValue }
    }
    /// What sends the card away; nil for nothing.
    public var dismissButton: AEPDismissButton? {
        get { own.dismissButton }
        set { own.dismissButton = newValue }
    }

    // What only some templates show.

    final var shownTitle: AEPText {
        get { own.title ?? AEPText("") }
        set { if own.title != nil || !newValue.content.isEmpty { own.title = newValue } }
    }
    final var shownBody: AEPText? {
        get { own.body }
        set { own.body = newValue }
    }
    final var shownImage: AEPImage? {
        get { own.image }
        set { own.image = newValue }
    }
    final var shownButtons: [AEPButton]? { ownButtons.isEmpty ? nil : ownButtons }
    final var rootStack: AEPStack {
        get { own.rootStack }
        set { own.rootStack = newValue }
    }
    final var texts: AEPStack {
        get { own.textStack }
        set { own.textStack = newValue }
    }
    final var buttonRow: AEPStack {
        get { own.buttonStack }
        set { own.buttonStack = newValue }
    }
}
