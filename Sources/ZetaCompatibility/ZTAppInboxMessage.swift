public import Foundation
public import InboxModel

/// A message in the inbox.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class ZTAppInboxMessage: NSObject, Codable, Identifiable, Sendable {
    /// The id of the message, for every call.
    public let messageId: String
    /// The headline.
    public let title: String
    /// The text.
    public let body: String
    /// The URL of the picture or video.
    public let mediaUrl: String?
    /// The status when this value was created.
    public let status: ZTAppInboxMessageStatus
    /// The buttons, or nil if there are none.
    public let actionList: [ZTCtaAction]?
    /// The id of the app's template for the message, or an empty text if the sender names none.
    public let templateId: String
    /// Additional data from the sender for the app.
    public let additionalData: [String: String]
    private let expiresAt: Int64?

    /// The same as ``messageId``.
    public var id: String { messageId }

    /// The time at which the message expires, in milliseconds since 1970, or nil if it never does.
    public var expirationTimestamp: NSNumber? { expiresAt.map { NSNumber(value: $0) } }

    /// Creates Zeta's representation of a message.
    public init(_ message: Message) {
        messageId = message.id
        title = message.title
        body = message.body
        mediaUrl = message.media?.address
        status = ZTAppInboxMessageStatus(message.status)
        let actions = message.actions
        actionList = actions.isEmpty ? nil : actions.map(ZTCtaAction.init)
        templateId = message.templateID ?? ""
        additionalData = message.additionalData
        expiresAt = message.expiresAt.map { Int64(($0.timeIntervalSince1970 * 1_000).rounded()) }
    }

    private enum CodingKeys: String, CodingKey {
        case messageId, title, body, mediaUrl, status, actionList, templateId, additionalData
        case expiresAt = "expirationTimestamp"
    }
}
