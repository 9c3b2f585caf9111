import Foundation
import Groundwork
import InboxModel

/// Conversion of Adobe's card to this package's message.
extension AdobeCard {
    /// The keys of the additional data for values without a corresponding field. The other members of an item's `data`
    /// keep their names.
    enum Pair {
        static let proposition = "propositionId"
        static let item = "itemId"
        static let details = "scopeDetails"
        static let content = "content"
    }

    /// Converts the card to a message.
    ///
    /// - Parameters:
    ///   - proposition: The proposition that contains the card.
    ///   - propositionLocation: The proposition's location in the document, for errors.
    ///   - item: The item that contains the card.
    ///   - deliveredAt: The time of delivery, or nil if it is unknown.
    ///   - period: The period in which the rule of the card allows it to be shown.
    /// - Throws: ``AdapterError`` if a value isn't possible in a message.
    func adapted(
        in proposition: AdobeProposition,
        at propositionLocation: JSONPointer,
        _ item: AdobeItem,
        deliveredAt: Date?,
        within period: AdobeCondition.Period = .init()
    ) throws(AdapterError) -> AdaptedMessage {
        try AdaptedMessage.check(item.id, at: item.idLocation)
        let data = item.dataReader.pointer
        let inside = data / "content"
        var draft = MessageDraft(at: inside)
        draft.set(.surface, .string(proposition.scope), from: propositionLocation / "scope")
        draft.set(.title, title.map(JSON.string), from: inside / "title" / "content")
        draft.set(.body, body.map(JSON.string), from: inside / "body" / "content")
        draft.set(.media, image?.json, from: inside / "image")
        draft.set(.link, actionUrl.map(JSON.string), from: inside / "actionUrl")
        for button in buttons { draft.add(button) }
        draft.set(.dismissButton, .string(dismissButton.rawValue), from: inside / "dismissBtn")
        draft.set(.templateId, .string(template.rawValue), from: data / "meta" / "adobe" / "template")
        let range = MessageLimits.priority
        let priority = min(max(proposition.priority, range.lowerBound), range.upperBound)
        if priority != 0 {
            draft.set(.priority, JSON(priority), from: propositionLocation / "scopeDetails" / "activity" / "priority")
        }

        let details = propositionLocation / "scopeDetails"
        if !proposition.activityId.isEmpty {
            draft.preserve(Message.activityKey, .string(proposition.activityId), from: details / "activity" / "id")
        }
        draft.preserve(Pair.proposition, .string(proposition.id), from: propositionLocation / "id")
        draft.preserve(Pair.item, .string(item.id), from: item.idLocation)
        draft.preserve(Pair.details, .object(proposition.scopeDetails), from: details)
        let rest = content.rest(beyond: ownContent)
        if !rest.isEmpty { draft.preserve(Pair.content, .object(rest), from: inside) }
        for member in members.members where !["contentType", "content", "expiryDate"].contains(member.name) {
            draft.preserve(member.name, member.value, from: data / member.name)
        }
        return AdaptedMessage(
            externalID: item.id,
            content: try draft.checked(),
            deliveredAt: deliveredAt,
            notBefore: period.start,
            expiresAt: [expiryDate, period.end].compactMap(\.self).min(),
            status: .unread
        )
    }

    /// The part of the content that a message's fields represent.
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

    /// Returns the content of a card with the given parts.
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
