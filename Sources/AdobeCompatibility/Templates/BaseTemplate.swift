public import InboxCards

/// What the templates have in common.
@MainActor
public class BaseTemplate {
    final var own: Card
    final let ownButtons: [AEPButton]

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

    /// The picture.
    public var image: AEPImage? {
        get { own.image }
        set { own.image = newValue }
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
}

/// What the templates with texts have in common.
public class TextTemplate: BaseTemplate {
    /// The headline.
    public var title: AEPText {
        get { own.title ?? AEPText("") }
        set { if own.title != nil || !newValue.content.isEmpty { own.title = newValue } }
    }
    /// The text.
    public var body: AEPText? {
        get { own.body }
        set { own.body = newValue }
    }
    /// The buttons, in the sender's order.
    public var buttons: [AEPButton]? { ownButtons.isEmpty ? nil : ownButtons }
    /// How the texts lie.
    public var textVStack: AEPVStack {
        get { own.textStack }
        set { own.textStack = newValue }
    }
    /// How the buttons lie.
    public var buttonHStack: AEPHStack {
        get { own.buttonStack }
        set { own.buttonStack = newValue }
    }
}
