import Foundation
import InboxClient
public import InboxModel

/// A message in the inbox.
public struct MessageItem: Codable, Hashable, Identifiable, Sendable {
    /// The id of the message.
    public let id: String
    /// `html` if the message has HTML, otherwise `push`.
    public let type: String
    /// Whether the person has read the message, as of the creation of this value or as set by the app.
    public var read: Bool
    /// The time of delivery, in seconds since 1970.
    public let receivedTime: Double
    /// The content.
    public let content: MessageItemContent?

    /// Whether the message may be tracked. True if it has no content.
    public var hasTrackingConsent: Bool { content?.hasTrackingConsent ?? true }

    /// Creates Bloomreach's representation of a message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - hasTrackingConsent: Whether the message may be tracked.
    public init(_ message: Message, hasTrackingConsent: Bool = true) {
        id = message.id
        type = message.html == nil ? "push" : "html"
        read = message.readAt != nil
        receivedTime = message.deliverAt.timeIntervalSince1970
        content = MessageItemContent(message, hasTrackingConsent: hasTrackingConsent)
    }

    private enum CodingKeys: String, CodingKey {
        case id, type, content
        case read = "is_read"
        case receivedTime = "create_time"
    }
}

extension Inbox {
    /// Returns Bloomreach's representation of messages, with the person's current consent.
    func items(_ messages: [Message]) async throws -> [MessageItem] {
        let trackable = try await trackable(messages)
        return messages.map { MessageItem($0, hasTrackingConsent: trackable.contains($0.id)) }
    }
}
