/// The JMAP capability for app messages, with its types.
package enum MessageCapability {
    /// The capability's URI, a vendor's own as RFC 8620, section 1.8 requires.
    package static let uri = "https://swift-inbox.example/jmap/messages"
    /// The JMAP type of ``Message``.
    package static let messageType = "InboxMessage"
    /// The JMAP type of a surface with its ``InboxSettings``.
    package static let surfaceType = "InboxSurface"
    /// The JMAP type of ``MessageEvent``.
    package static let eventType = "InboxEvent"
    /// The member of a patch of ``messageType`` that states the consent for the change.
    package static let consent = "consent"
}
