import InboxModel

/// The content of a message.
public struct MessageItemContent: Codable, Hashable, Sendable {
    /// The URL of the picture.
    public let imageUrl: String?
    /// The headline.
    public let title: String?
    /// The text.
    public let message: String?
    /// The category of consent that tracking requires, or nil if it requires none.
    public let consentCategoryTracking: String?
    /// Whether the message may be tracked, by the person's consent when this value was created.
    public let hasTrackingConsent: Bool
    /// The buttons, in the sender's order.
    public let actions: [MessageItemAction]?
    /// The message as HTML that isn't sanitized. Never show it unchanged.
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
