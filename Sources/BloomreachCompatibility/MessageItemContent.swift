import InboxModel

/// What is in a message.
public struct MessageItemContent: Codable, Hashable, Sendable {
    /// Where its picture is.
    public let imageUrl: String?
    /// The headline.
    public let title: String?
    /// The text.
    public let message: String?
    /// The kind of consent that tracking needs; nil where it needs none.
    public let consentCategoryTracking: String?
    /// Whether the message may be tracked, as the person stood to it when this value was made.
    public let hasTrackingConsent: Bool
    /// The buttons, in the sender's order.
    public let actions: [MessageItemAction]?
    /// The message as HTML, not yet cleaned: never show it as it is.
    public let html: String?

    init(_ message: Message, hasTrackingConsent: Bool) {
        imageUrl = message.media?.address
        title = message.title
        self.message = message.body
        consentCategoryTracking = message.consentCategory ?? message.grantedConsentCategory
        self.hasTrackingConsent = hasTrackingConsent
        let actions = message.actions
        self.actions = actions.isEmpty ? nil : actions.map(MessageItemAction.init)
        html = message.html
    }
}
