public import InboxCards

/// The base class of the templates.
@MainActor
public class BaseTemplate {
    final var baseCard: Card
    final let buttonModels: [AEPButton]

    init(_ card: Card) {
        baseCard = card
        buttonModels = card.buttons.map(AEPButton.init)
    }

    /// The card with the changes.
    public var card: Card {
        var card = baseCard
        card.buttons = buttonModels.map(\.element)
        return card
    }

    /// The image.
    public var image: AEPImage? {
        get { baseCard.image }
        set { baseCard.image = newValue }
    }
    /// The background color of the card.
    public var backgroundColor: CardColor? {
        get { baseCard.backgroundColor }
        set { baseCard.backgroundColor = newValue ?? .card }
    }
    /// The background color of an unread card. Nil for ``backgroundColor``.
    public var unreadBackground: CardColor? {
        get { baseCard.unreadBackground }
        set { baseCard.unreadBackground = newValue }
    }
    /// The unread indicator of an unread card. Nil for none.
    public var unreadIcon: UnreadElement? {
        get { baseCard.unreadIcon }
        set { baseCard.unreadIcon = newValue }
    }
    /// The dismiss button. Nil for none.
    public var dismissButton: AEPDismissButton? {
        get { baseCard.dismissButton }
        set { baseCard.dismissButton = newValue }
    }
}

/// The base class of the templates with texts.
public class TextTemplate: BaseTemplate {
    /// The headline.
    public var title: AEPText {
        get { baseCard.title ?? AEPText("") }
        set { if baseCard.title != nil || !newValue.content.isEmpty { baseCard.title = newValue } }
    }
    /// The text.
    public var body: AEPText? {
        get { baseCard.body }
        set { baseCard.body = newValue }
    }
    /// The buttons, in the sender's order.
    public var buttons: [AEPButton]? { buttonModels.isEmpty ? nil : buttonModels }
    /// The layout of the texts.
    public var textVStack: AEPVStack {
        get { baseCard.textStack }
        set { baseCard.textStack = newValue }
    }
    /// The layout of the buttons.
    public var buttonHStack: AEPHStack {
        get { baseCard.buttonStack }
        set { baseCard.buttonStack = newValue }
    }
}
