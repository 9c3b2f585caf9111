public import InboxCards

/// The base class of the templates.
@MainActor
public class BaseTemplate {
    final var own: Card
    final let ownButtons: [AEPButton]

    init(_ card: Card) {
        own = card
        ownButtons = card.buttons.map(AEPButton.init)
    }

    /// The card with the changes.
    public var card: Card {
        var card = own
        card.buttons = ownButtons.map(\.element)
        return card
    }

    /// The image.
    public var image: AEPImage? {
        get { own.image }
        set { own.image = newValue }
    }
    /// The background color of the card.
    public var backgroundColor: CardColor? {
        get { own.backgroundColor }
        set { own.backgroundColor = newValue ?? .card }
    }
    /// The background color of an unread card. Nil for ``backgroundColor``.
    public var unreadBackground: CardColor? {
        get { own.unreadBackground }
        set { own.unreadBackground = newValue }
    }
    /// The unread indicator of an unread card. Nil for none.
    public var unreadIcon: UnreadElement? {
        get { own.unreadIcon }
        set { own.unreadIcon = newValue }
    }
    /// The dismiss button. Nil for none.
    public var dismissButton: AEPDismissButton? {
        get { own.dismissButton }
        set { own.dismissButton = newValue }
    }
}

/// The base class of the templates with texts.
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
    /// The layout of the texts.
    public var textVStack: AEPVStack {
        get { own.textStack }
        set { own.textStack = newValue }
    }
    /// The layout of the buttons.
    public var buttonHStack: AEPHStack {
        get { own.buttonStack }
        set { own.buttonStack = newValue }
    }
}
