import Foundation
import Groundwork
import InboxModel

/// From their card to ours.
extension AdobeCard {
    /// The names in a message's additional data of what a message has no field for. The other members of an item's
    /// `data` are there under their own names.
    enum Pair {
        static let proposition = "propositionId"
        static let item = "itemId"
        static let details = "scopeDetails"
        static let content = "content"
        /// What isn't a member of `data`.
        static let ours: Set<String> = [Message.activityKey, proposition, item, details, content]
    }

    /// The card as a message of ours.
    ///
    /// - Parameters:
    ///   - proposition: What it came with.
    ///   - propositionPlace: Where that was in the document, for errors.
    ///   - item: What it came in.
    ///   - deliveredAt: When it counts as delivered; nil where nothing says so.
    /// - Throws: ``AdapterError`` where it says what a message of ours can't.
    func adapted(
        in proposition: AdobeProposition,
        at propositionPlace: JSONPointer,
        _ item: AdobeItem,
        deliveredAt: Date?
    ) throws(AdapterError) -> AdaptedMessage {
        try AdaptedMessage.check(item.id, at: item.idPlace)
        let data = item.dataReader.pointer
        let inside = data / "content"
        var draft = MessageDraft(at: inside)
        draft.set(.surface, .string(proposition.scope), from: propositionPlace / "scope")
        draft.set(.title, title.map(JSON.string), from: inside / "title" / "content")
        draft.set(.body, body.map(JSON.string), from: inside / "body" / "content")
        draft.set(.media, image?.json, from: inside / "image")
        draft.set(.link, actionUrl.map(JSON.string), from: inside / "actionUrl")
        draft.setActionsPlace(inside / "buttons")
        for (button, place) in zip(buttons, buttonPlaces) {
            draft.add(button, from: place, names: ["link": "actionUrl"])
        }
        draft.set(.dismissButton, .string(dismissButton.rawValue), from: inside / "dismissBtn")
        draft.set(.templateId, .string(template.rawValue), from: data / "meta" / "adobe" / "template")
        let range = MessageLimits.priority
        let priority = min(max(proposition.priority, range.lowerBound), range.upperBound)
        if priority != 0 {
            draft.set(.priority, JSON(priority), from: propositionPlace / "scopeDetails" / "activity" / "priority")
        }

        let details = propositionPlace / "scopeDetails"
        if !proposition.activityId.isEmpty {
            draft.keep(Message.activityKey, .string(proposition.activityId), from: details / "activity" / "id")
        }
        draft.keep(Pair.proposition, .string(proposition.id), from: propositionPlace / "id")
        draft.keep(Pair.item, .string(item.id), from: item.idPlace)
        draft.keep(Pair.details, .object(proposition.scopeDetails), from: details)
        let rest = content.rest(beyond: ownContent)
        if !rest.isEmpty { draft.keep(Pair.content, .object(rest), from: inside) }
        for member in members.members where !["contentType", "content", "expiryDate"].contains(member.name) {
            draft.keep(member.name, member.value, from: data / member.name)
        }
        return AdaptedMessage(
            externalID: item.id,
            content: try draft.checked(),
            deliveredAt: deliveredAt,
            expiresAt: expiryDate,
            status: .unread
        )
    }

    /// The content as far as a message of ours says it.
    private var ownContent: JSONObject {
        Self.content(
            title: title ?? "",
            body: body ?? "",
            media: image,
            link: actionUrl ?? "",
            actions: buttons,
            dismissButton: dismissButton
        )
    }

    /// The content of a card of those parts.
    static func content(
        title: String,
        body: String,
        media: Media?,
        link: String,
        actions: [MessageAction],
        dismissButton: DismissButton
    ) -> JSONObject {
        var content = JSONObject()
        content["title"] = title.isEmpty ? nil : JSON(adobeText: title)
        content["body"] = body.isEmpty ? nil : JSON(adobeText: body)
        content["image"] = media?.json
        content["actionUrl"] = link.isEmpty ? nil : .string(link)
        content["buttons"] = actions.isEmpty ? nil : .array(actions.map(JSON.init(adobeButton:)))
        switch dismissButton {
        case .simple, .circle: content["dismissBtn"] = ["style": .string(dismissButton.rawValue)]
        case .none, .other: break
        }
        return content
    }
}
