package import Groundwork
import InboxModel

/// From their message to ours.
extension BloomreachMessage {
    /// The id of the action that stands for a tap on the message itself.
    static let mainActionID = "main"
    /// Its label, as Bloomreach's own screens have it in English: theirs has none.
    static let mainActionLabel = "See more"
    /// The category of a message without consent that names none.
    static let unnamedConsent = "has_tracking_consent"

    /// The message as ours.
    ///
    /// - Parameter place: Where it was in the document, for errors.
    /// - Throws: ``AdapterError`` where it has no id, is neither push nor page, or says what a message of ours can't.
    package func adapted(at place: JSONPointer = JSONPointer()) throws(AdapterError) -> AdaptedMessage {
        try AdaptedMessage.check(id, at: place / "id")
        if case .unknown = kind { throw AdapterError(.unknownKind, at: place / "type", "has to be push or html") }
        return AdaptedMessage(
            externalID: id,
            content: try draft(at: place).checked(),
            deliveredAt: createTime,
            expiresAt: expireTime,
            status: isRead ? .read : .unread
        )
    }

    private func draft(at place: JSONPointer) -> MessageDraft {
        let inside = place / "content"
        var draft = MessageDraft(at: inside)
        // What has found its place, by the name of a member of the content.
        var placed: Set<String> = ["has_tracking_consent"]
        func found(_ name: String, _ isPlaced: Bool = true) -> JSONPointer {
            if isPlaced { placed.insert(name) }
            return inside / name
        }

        draft.set(.title, title.isEmpty ? nil : .string(title), from: found("title", !title.isEmpty))
        draft.set(
            .body,
            text.isEmpty ? nil : .string(text),
            from: found(kind == .html ? "pre_header" : "message", !text.isEmpty)
        )
        if let html { draft.set(.html, .string(html), from: found("message")) }
        if let image { draft.set(.media, ["url": .string(image)], from: found("image")) }
        if let mainAction, mainAction.kind.opens, !mainAction.url.isEmpty {
            let main = BloomreachAction(
                wireKind: mainAction.wireKind,
                title: Self.mainActionLabel,
                url: mainAction.url
            )
            draft.add(main.adapted(id: Self.mainActionID), from: inside, names: BloomreachAction.names)
            placed.formUnion(["action", "url"])
        }
        draft.setActionsPlace(found("actions", !actions.isEmpty))
        for (index, action) in actions.enumerated() {
            draft.add(
                action.adapted(id: String(index + 1)),
                from: inside / "actions" / index,
                names: BloomreachAction.names
            )
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
        draft.keep("type", members["type"] ?? .null, from: place / "type")
        for member in content.members where !placed.contains(member.name) {
            draft.keep(member.name, member.value, from: inside / member.name)
        }
        for member in members.members where !Self.names.contains(member.name) {
            draft.keep(member.name, member.value, from: place / member.name)
        }
        return draft
    }

    private static let names: Set<String> = ["id", "type", "is_read", "create_time", "expire_time", "content"]
}
