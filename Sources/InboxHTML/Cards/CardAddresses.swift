import InboxModel
package import InboxCards

/// The link targets of a card. If one is nil, the element is omitted or has no link.
package struct CardAddresses: Sendable {
    /// The page with the complete message.
    package var open: @Sendable (Card) -> CardAddress?
    /// The target of a button of the card with the given id.
    package var button: @Sendable (_ id: String, ButtonElement) -> CardAddress?
    /// The target of the form that dismisses the card.
    package var dismiss: @Sendable (Card) -> CardAddress?

    package init(
        open: @escaping @Sendable (Card) -> CardAddress?,
        button: @escaping @Sendable (_ id: String, ButtonElement) -> CardAddress?,
        dismiss: @escaping @Sendable (Card) -> CardAddress?
    ) {
        (self.open, self.button, self.dismiss) = (open, button, dismiss)
    }

    /// The links of the messages themselves. Clicks aren't tracked, and cards can't be dismissed.
    package static let direct = CardAddresses(
        open: { card in card.link.flatMap(WebLink.checked).map { CardAddress($0) } },
        button: { _, button in WebLink.checked(button.action.link).map { CardAddress($0) } },
        dismiss: { _ in nil }
    )
}
