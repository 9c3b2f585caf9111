import Foundation
import InboxClient
public import InboxModel

/// A message in the inbox.
public struct MessageItem: Codable, Hashable, Identifiable, Sendable {
    /// Names the message.
    public let id: String
    /// `html` where the message has HTML, else `push`.
    public let type: String
    /// Whether the person has read it, when this value was made or the app said so.
    public var read: Bool
    /// When it was delivered, in seconds since 1970.
    public let receivedTime: Double
    /// What is in it.
    public let content: MessageItemContent?

    /// Whether it may be tracked; true where it says nothing.
    public var hasTrackingConsent: Bool { content?.hasTrackingConsent ?? true }

    /// Bloomreach's view of a message.
    ///
    /// - Parameters:
    ///   - message: Ours.
    ///   - hasTrackingConsent: Whether it may be tracked.
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
    /// Bloomreach's view of messages, as the person stands to being tracked now.
    func items(_ messages: [Message]) async throws -> [MessageItem] {
        let trackable = try await trackable(messages)
        return messages.map { MessageItem($0, hasTrackingConsent: trackable.contains($0.id)) }
    }
}
