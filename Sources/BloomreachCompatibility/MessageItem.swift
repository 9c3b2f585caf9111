import Foundation
import Groundwork
import InboxAdapters
import InboxClient
public import InboxModel

/// A message in the inbox.
public struct MessageItem: Hashable, Identifiable, Sendable {
    static let htmlType = "html"

    /// The id of the message.
    public let id: String
    /// `html` if the message has HTML or was imported as such, otherwise `push`. A decoded message may have another
    /// type, `unknown` if it names none.
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
        let isHTML = message.html != nil || message.additionalData["type"] == Self.htmlType
        type = isHTML ? Self.htmlType : "push"
        read = message.readAt != nil
        receivedTime = message.deliverAt.timeIntervalSince1970
        content = MessageItemContent(message, hasTrackingConsent: hasTrackingConsent)
    }
}

/// An item is encoded as Bloomreach's server sends a message.
extension MessageItem: Codable {
    /// Decodes a message of Bloomreach's leniently: each value may be missing, and one of another type counts as
    /// missing. One without a time was received now.
    ///
    /// - Throws: `DecodingError` if it isn't an object, or if a date isn't a number.
    public init(from decoder: any Decoder) throws {
        let json = try JSON(from: decoder)
        let message: BloomreachMessage
        do {
            message = try BloomreachMessage(reading: JSONReader(json))
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: error.description)
            )
        }
        id = message.id
        let type =
            switch message.kind {
            case .push: "push"
            case .html: Self.htmlType
            case .unknown(let name): name
            }
        self.type = type
        read = message.isRead
        receivedTime = (message.createTime ?? Date()).timeIntervalSince1970
        content = json["content"]?.objectValue.map { MessageItemContent($0, of: type) }
    }

    /// Encodes the message.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var members = JSONObject([("id", .string(id)), ("type", .string(type)), ("is_read", .bool(read))])
        members["create_time"] = JSONNumber(receivedTime).map(JSON.number)
        members["content"] = content.map { .object($0.members(of: type)) }
        try JSON.object(members).encode(to: encoder)
    }
}

extension Inbox {
    /// Returns Bloomreach's representation of messages, with the person's current consent.
    func items(_ messages: [Message]) async throws -> [MessageItem] {
        let trackable = try await trackable(messages)
        return messages.map { MessageItem($0, hasTrackingConsent: trackable.contains($0.id)) }
    }
}
