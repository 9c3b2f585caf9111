public import Foundation
public import InboxModel

/// A message in the inbox.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class ZTAppInboxMessage: NSObject, Codable, Identifiable, Sendable {
    /// Names the message in every call.
    public let messageId: String
    /// The headline.
    public let title: String
    /// The text.
    public let body: String
    /// Where its picture or video is.
    public let mediaUrl: String?
    /// What the person did with it, when this value was made.
    public let status: ZTAppInboxMessageStatus
    /// The buttons; nil where there are none.
    public let actionList: [ZTCtaAction]?
    /// Which of the app's templates shows it; empty where the sender names none.
    public let templateId: String
    /// Whatever else the sender wants the app to know.
    public let additionalData: [String: String]
    private let expiresAt: Int64?

    /// The same as ``messageId``.
    public var id: String { messageId }

    /// When it ceases to be shown, in milliseconds since 1970; nil for never.
    public var expirationTimestamp: NSNumber? { expiresAt.map { NSNumber(value: $0) } }

    /// Zeta's view of a message.
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
