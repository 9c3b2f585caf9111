public import Foundation
public import InboxModel
package import Groundwork

/// A message of Zeta's App Inbox, as its `ZTAppInboxMessage` has it.
///
/// Read leniently: what is missing or of another type is empty, and an action that makes no sense takes no other with
/// it.
public struct ZetaMessage: Hashable, Sendable, Identifiable {
    /// Zeta's id; empty where there is none.
    public let messageId: String
    /// The headline.
    public let title: String
    /// The text.
    public let body: String
    /// A picture or video.
    public let mediaUrl: String?
    /// What the person did with it; unread where nothing says so.
    public let status: MessageStatus
    /// When it ceases to be shown, to the millisecond; nil for never.
    public let expirationTimestamp: Date?
    /// The buttons, in their order, each with its number as id.
    public let actionList: [MessageAction]
    /// Which template shows it; empty for none.
    public let templateId: String
    /// Whatever else the campaign says; what isn't text there is here as text.
    public let additionalData: [String: String]
    /// What is left of the object once these are read.
    private let rest: JSONObject
    private let pairs: JSONObject

    /// The same as ``messageId``.
    public var id: String { messageId }

    /// Reads a message's JSON.
    ///
    /// - Throws: ``AdapterError`` where it isn't an object, or its expiry no number.
    public init(data: Data) throws(AdapterError) {
        try self.init(reading: JSONReader(parsing: data))
    }

    /// Reads a message; errors name its place in the document.
    package init(reading reader: JSONReader) throws(AdapterError) {
        let members = try reader.members()
        messageId = reader.text("messageId") ?? reader.text("id") ?? ""
        title = reader.text("title") ?? ""
        body = reader.text("body") ?? ""
        mediaUrl = reader.text("mediaUrl")
        status = reader.text("status").flatMap { MessageStatus(rawValue: $0.uppercased()) } ?? .unread
        expirationTimestamp = try reader.time("expirationTimestamp", per: 1_000, "milliseconds")
        actionList = (reader.member("actionList")?.value.arrayValue ?? []).enumerated().map { index, action in
            MessageAction(zeta: JSONReader(action), id: String(index + 1))
        }
        templateId = reader.text("templateId") ?? ""
        pairs = reader.member("additionalData")?.value.objectValue ?? JSONObject()
        additionalData = pairs.members.reduce(into: [:]) { pairs, member in pairs[member.name] = member.value.anyText }
        rest = JSONObject(members.members.filter { !Self.names.contains($0.name) })
    }

    private static let names: Set<String> = [
        "messageId", "id", "title", "body", "mediaUrl", "status", "expirationTimestamp", "actionList", "templateId",
        "additionalData",
    ]

    /// The message as ours.
    ///
    /// - Parameter place: Where it was in the document, for errors.
    /// - Throws: ``AdapterError`` where it has no id, or says what a message of ours can't.
    package func adapted(at place: JSONPointer = JSONPointer()) throws(AdapterError) -> AdaptedMessage {
        try AdaptedMessage.check(messageId, at: place / "messageId")
        var draft = MessageDraft(at: place)
        draft.set(.title, title.isEmpty ? nil : .string(title), from: place / "title")
        draft.set(.body, body.isEmpty ? nil : .string(body), from: place / "body")
        draft.set(.media, mediaUrl.map { ["url": .string($0)] }, from: place / "mediaUrl")
        draft.setActionsPlace(place / "actionList")
        for (index, action) in actionList.enumerated() { draft.add(action, from: place / "actionList" / index) }
        draft.set(.templateId, templateId.isEmpty ? nil : .string(templateId), from: place / "templateId")
        for pair in pairs.members { draft.keep(pair.name, pair.value, from: place / "additionalData" / pair.name) }
        for member in rest.members { draft.keep(member.name, member.value, from: place / member.name) }
        return AdaptedMessage(
            externalID: messageId,
            content: try draft.checked(),
            deliveredAt: nil,
            expiresAt: expirationTimestamp,
            status: status
        )
    }
}

extension MessageAction {
    /// Reads a `ZTCtaAction`, whose fields are those of an action of ours.
    fileprivate init(zeta reader: JSONReader, id: String) {
        self.init(
            id: id,
            text: reader.text("text") ?? "",
            type: reader.text("type") ?? "",
            value: reader.text("value") ?? "",
            link: reader.text("link") ?? "",
            actionType: ActionType(rawValue: reader.text("actionType") ?? "")
        )
    }
}
