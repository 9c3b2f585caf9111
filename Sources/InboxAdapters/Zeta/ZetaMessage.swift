public import Foundation
public import InboxModel
package import Groundwork

/// A message of Zeta's App Inbox, with the properties of `ZTAppInboxMessage`.
///
/// It is read leniently. Fields that are missing or of the wrong type are empty, and an invalid action doesn't affect
/// others.
public struct ZetaMessage: Hashable, Sendable, Identifiable {
    /// Zeta's id. Empty if there is none.
    public let messageId: String
    /// The headline.
    public let title: String
    /// The text.
    public let body: String
    /// The URL of an image or a video.
    public let mediaUrl: String?
    /// The person's state of the message, unread by default.
    public let status: MessageStatus
    /// The time at which the message expires, to the millisecond. Nil if it never does, for which Zeta may write 0.
    public let expirationTimestamp: Date?
    /// The buttons in their original order, without elements that aren't objects. Their ids are their numbers.
    public let actionList: [MessageAction]
    /// The id of the template. Empty if there is none.
    public let templateId: String
    /// The campaign's additional values. Values that aren't texts are converted to text.
    public let additionalData: [String: String]
    /// The members that the properties don't represent.
    private let rest: JSONObject
    private let pairs: JSONObject
    private let list: JSON

    /// The same as ``messageId``.
    public var id: String { messageId }

    /// Parses a message's JSON.
    ///
    /// - Throws: ``AdapterError`` if the text isn't a JSON object or its expiry isn't a number.
    public init(data: Data) throws(AdapterError) {
        try self.init(reading: JSONReader(parsing: data))
    }

    /// Reads a message. Errors contain the location in the document.
    package init(reading reader: JSONReader) throws(AdapterError) {
        let members = try reader.members()
        messageId = Self.id(in: reader)
        title = reader.text("title") ?? ""
        body = reader.text("body") ?? ""
        mediaUrl = reader.text("mediaUrl")
        status = reader.text("status").flatMap(Self.knownStatus) ?? .unread
        expirationTimestamp = try reader.time("expirationTimestamp", per: 1_000, "milliseconds")
        list = members["actionList"] ?? .null
        actionList = (list.arrayValue ?? []).enumerated().filter { $1.objectValue != nil }.map { index, action in
            MessageAction(zeta: JSONReader(action), id: String(index + 1))
        }
        templateId = reader.text("templateId") ?? ""
        pairs = reader.member("additionalData")?.value.objectValue ?? JSONObject()
        additionalData = pairs.members.reduce(into: [:]) { pairs, member in pairs[member.name] = member.value.anyText }
        let id = messageId
        rest = JSONObject(members.members.filter { !Self.isRepresented($0.name, $0.value, id: id) })
    }

    private static func knownStatus(_ text: String) -> MessageStatus? { MessageStatus(rawValue: text.uppercased()) }

    /// Returns whether the properties represent a member. A value of a type that its property can't have isn't
    /// represented, and neither is an `id` beside another `messageId`.
    private static func isRepresented(_ name: String, _ value: JSON, id: String) -> Bool {
        switch name {
        case "expirationTimestamp": true
        case "messageId", "title", "body", "mediaUrl", "templateId": value.lenientText != nil
        case "id": value.lenientText.map { $0.isEmpty || $0 == id } ?? false
        case "status": value.lenientText.map { $0.isEmpty || knownStatus($0) != nil } ?? false
        case "actionList": value.arrayValue != nil
        case "additionalData": value.objectValue != nil
        default: false
        }
    }

    /// Returns the id of a message, whatever else it contains. Empty if there is none.
    package static func id(in reader: JSONReader) -> String {
        reader.text("messageId") ?? reader.text("id") ?? ""
    }

    private static let actionMembers: Set<String> = ["text", "type", "value", "link", "actionType"]

    /// Converts the message.
    ///
    /// - Parameter location: The location in the document, for errors.
    /// - Throws: ``AdapterError`` if the message has no id or has a value that isn't possible in this package's
    ///   messages.
    package func adapted(at location: JSONPointer = JSONPointer()) throws(AdapterError) -> AdaptedMessage {
        try AdaptedMessage.check(messageId, at: location / "messageId")
        var draft = MessageDraft(at: location)
        draft.set(.title, title.isEmpty ? nil : .string(title), from: location / "title")
        draft.set(.body, body.isEmpty ? nil : .string(body), from: location / "body")
        let mediaLocation = location / "mediaUrl"
        let hasMedia = draft.setImage(mediaUrl, from: mediaLocation)
        let actions = JSONReader(list, at: location / "actionList")
        let unused = draft.addActions(of: actions, members: Self.actionMembers, MessageAction.init(zeta:id:))
        draft.set(.templateId, templateId.isEmpty ? nil : .string(templateId), from: location / "templateId")
        // Before the pairs: a message is found, and deleted, by the value that has the key itself.
        draft.preserveID("messageId", messageId, from: location / "messageId")
        for pair in pairs.members {
            draft.preserve(pair.name, pair.value, from: location / "additionalData" / pair.name)
        }
        for member in rest.members { draft.preserve(member.name, member.value, from: location / member.name) }
        if !hasMedia { draft.preserve("mediaUrl", mediaUrl.map(JSON.string) ?? .null, from: mediaLocation) }
        if !unused.isEmpty { draft.preserve("actionList", .object(unused), from: actions.pointer) }
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
    /// Reads a `ZTCtaAction`, whose fields have the same names.
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
