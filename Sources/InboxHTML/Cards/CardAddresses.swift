import InboxModel
package import InboxCards

/// Where what can be pressed on a card leads. Nil leaves it out, or shows it without a link.
package struct CardAddresses: Sendable {
    /// A page with the whole message.
    package var open: @Sendable (Card) -> String?
    /// Where a button leads.
    package var button: @Sendable (Card, ButtonElement) -> String?
    /// What a form that sends the card away posts to.
    package var dismiss: @Sendable (Card) -> String?

    package init(
        open: @escaping @Sendable (Card) -> String?,
        button: @escaping @Sendable (Card, ButtonElement) -> String?,
        dismiss: @escaping @Sendable (Card) -> String?
    ) {
        (self.open, self.button, self.dismiss) = (open, button, dismiss)
    }

    /// The links of the messages themselves: nothing is told of a click, and nothing can be sent away.
    package static let direct = CardAddresses(
        open: { card in card.link.flatMap(WebLink.checked) },
        button: { _, button in WebLink.checked(button.action.link) },
        dismiss: { _ in nil }
    )
}
