import InboxModel
package import InboxCards

/// Where what can be pressed on a card leads. Nil leaves it out, or shows it without a link.
package struct CardAddresses: Sendable {
    /// A page with the whole message.
    package var open: @Sendable (Card) -> CardAddress?
    /// Where a button of the card with an id leads.
    package var button: @Sendable (_ id: String, ButtonElement) -> CardAddress?
    /// What a form that sends the card away posts to.
    package var dismiss: @Sendable (Card) -> CardAddress?

    package init(
        open: @escaping @Sendable (Card) -> CardAddress?,
        button: @escaping @Sendable (_ id: String, ButtonElement) -> CardAddress?,
        dismiss: @escaping @Sendable (Card) -> CardAddress?
    ) {
        (self.open, self.button, self.dismiss) = (open, button, dismiss)
    }

    /// The links of the messages themselves: nothing is told of a click, and nothing can be sent away.
    package static let direct = CardAddresses(
        open: { card in card.link.flatMap(WebLink.checked).map { CardAddress($0) } },
        button: { _, button in WebLink.checked(button.action.link).map { CardAddress($0) } },
        dismiss: { _ in nil }
    )
}
