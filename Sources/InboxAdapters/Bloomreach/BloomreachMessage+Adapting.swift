package import Groundwork
import InboxModel

/// Conversion of Bloomreach's message to this package's.
extension BloomreachMessage {
    /// The id of the action for a tap on the message itself.
    package static let mainActionID = "main"
    /// The label of that action, which has none at Bloomreach. It is the English label of Bloomreach's own screens.
    package static let mainActionLabel = "See more"
    /// The key of the additional data for Bloomreach's id.
    package static let idKey = "id"
    /// The category of a message without consent whose category isn't named.
    package static let unnamedConsent = "has_tracking_consent"

    /// Converts the message.
    ///
    /// - Parameter location: The location in the document, for errors.
    /// - Throws: ``AdapterError`` if the message has no id, is neither `push` nor `html`, or has a value that isn't
    ///   possible in this package's messages.
    package func adapted(at location: JSONPointer = JSONPointer()) throws(AdapterError) -> AdaptedMessage {
        try AdaptedMessage.check(id, at: location / "id")
        if case .unknown = kind { throw AdapterError(.unknownKind, at: location / "type", "has to be push or html") }
        return AdaptedMessage(
            externalID: id,
            content: try draft(at: location).checked(),
            deliveredAt: createTime,
            expiresAt: expireTime,
            status: isRead ? .read : .unread
        )
    }

    // A category of consent that is no text isn't preserved without consent: under its name, it would count as consent.
    private func draft(at location: JSONPointer) -> MessageDraft {
        let inside = location / "content"
        var draft = MessageDraft(at: inside)
        // The members of the content that are already represented, by name.
        var represented: Set<String> = ["has_tracking_consent"]
        func found(_ name: String, _ isRepresented: Bool = true) -> JSONPointer {
            if isRepresented { represented.insert(name) }
            return inside / name
        }

        draft.set(.title, title.isEmpty ? nil : .string(title), from: found("title", !title.isEmpty))
        draft.set(
            .body,
            text.isEmpty ? nil : .string(text),
            from: found(kind == .html ? "pre_header" : "message", !text.isEmpty)
        )
        if let html { draft.set(.html, .string(html), from: found("message")) }
        if image != nil, draft.setImage(image, from: inside / "image") { represented.insert("image") }
        if let mainAction, mainAction.kind.opens, !mainAction.url.isEmpty {
            let main = BloomreachAction(
                wireKind: mainAction.wireKind,
                title: Self.mainActionLabel,
                url: mainAction.url
            )
            if draft.add(main.adapted(id: Self.mainActionID)) { represented.formUnion(["action", "url"]) }
        }
        if kind == .push, let list = content["actions"] {
            let reader = JSONReader(list, at: found("actions", list.arrayValue != nil))
            let unused = draft.addActions(of: reader, members: BloomreachAction.members) { button, id in
                BloomreachAction(reading: button).adapted(id: id)
            }
            if !unused.isEmpty { draft.preserve("actions", .object(unused), from: reader.pointer) }
        }
        if !hasTrackingConsent {
            draft.set(
                .consentCategory,
                .string(consentCategoryTracking ?? Self.unnamedConsent),
                from: found("consent_category_tracking")
            )
        }
        if let campaign = content["attributes"]?["campaign_id"]?.lenientText,
            (1...MessageLimits.name).contains(campaign.utf8.count)
        {
            draft.set(.campaignId, .string(campaign), from: inside / "attributes" / "campaign_id")
        }
        draft.preserveID(Self.idKey, id, from: location / "id")
        draft.preserve("type", members["type"] ?? .null, from: location / "type")
        for member in content.members where !represented.contains(member.name) {
            draft.preserve(member.name, member.value, from: inside / member.name)
        }
        for member in members.members where !Self.names.contains(member.name) {
            draft.preserve(member.name, member.value, from: location / member.name)
        }
        return draft
    }

    private static let names: Set<String> = ["id", "type", "is_read", "create_time", "expire_time", "content"]
}
