/// The JMAP capability for app messages, and the types that it brings.
package enum MessageCapability {
    /// An address of ours, as RFC 8620 §1.8 wants of vendors.
    package static let uri = "https://swift-inbox.example/jmap/messages"
    /// The JMAP type of ``Message``.
    package static let messageType = "InboxMessage"
    /// The JMAP type of a surface with its ``InboxSettings``.
    package static let surfaceType = "InboxSurface"
    /// The JMAP type of ``MessageEvent``.
    package static let eventType = "InboxEvent"
    /// The member of a patch of ``messageType`` that says whether consent holds for what it changes.
    package static let consent = "consent"
}
