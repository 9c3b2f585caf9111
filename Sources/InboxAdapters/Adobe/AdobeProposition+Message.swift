public import InboxModel
import Foundation
import Groundwork

/// Conversion of this package's message to Adobe's proposition.
extension AdobeProposition {
    /// Creates a proposition with one card from a message. A message that was imported from Adobe yields its original
    /// proposition, except that invalid buttons are lost if the message has been edited.
    ///
    /// For a message from elsewhere, the ids of proposition, item and activity are the message's id, and the template
    /// is the one that fits. A message with only HTML becomes an item with the content type `text/html`.
    public init(_ message: Message) {
        var pairs = message.additionalData
        func take(_ name: String) -> String? { pairs.removeValue(forKey: name) }
        func object(_ name: String) -> JSONObject? {
            take(name).flatMap { try? JSON(parsing: Array($0.utf8)).objectValue }
        }
        let activity = take(Message.activityKey)
        let (id, itemID) = (take(AdobeCard.Pair.proposition), take(AdobeCard.Pair.item))
        let details = object(AdobeCard.Pair.details) ?? JSONObject()
        let rest = object(AdobeCard.Pair.content) ?? JSONObject()
        let generatedDetails: JSONObject = JSONObject([
            (
                "activity",
                ["id": .string(activity ?? message.id), "priority": JSON(message.priority)]
            )
        ])

        var data = JSONObject()
        for (name, text) in pairs.sorted(by: { $0.key < $1.key }) {
            data.add(name, Self.value(text))
        }
        data["expiryDate"] = message.expiresAt.map { JSON(Int($0.timeIntervalSince1970.rounded(.up))) }
        if id == nil, data["publishedDate"] == nil {
            data["publishedDate"] = JSON(Int(message.deliverAt.timeIntervalSince1970.rounded(.down)))
        }
        if message.title.isEmpty, message.body.isEmpty, message.media == nil, let html = message.html {
            data["contentType"] = "text/html"
            data["content"] = .string(html)
        } else {
            data["contentType"] = .string(AdobeCard.contentType)
            data["content"] = .object(AdobeCard.content(of: message, adding: rest))
            var meta = data["meta"]?.objectValue ?? JSONObject()
            var adobe = meta["adobe"]?.objectValue ?? JSONObject()
            adobe["template"] = .string(AdobeCard.Template(for: message).rawValue)
            meta["adobe"] = .object(adobe)
            data["meta"] = .object(meta)
        }
        self.init(
            id: id ?? message.id,
            scope: message.surface,
            scopeDetails: details.isEmpty ? generatedDetails : details,
            items: [AdobeItem(id: itemID ?? message.id, schema: .contentCard, data: data)]
        )
    }

    /// Returns a value that was preserved as text: the JSON if it was nested or a number, otherwise the text.
    private static func value(_ text: String) -> JSON {
        switch try? JSON(parsing: Array(text.utf8)) {
        case .some(let value) where value.stringValue == nil && value != .null: value
        default: .string(text)
        }
    }
}

extension AdobeCard {
    /// Returns the content of a message, with the preserved members.
    fileprivate static func content(of message: Message, adding rest: JSONObject) -> JSONObject {
        // Adobe's templates with texts require a title.
        let isTextAlone = message.title.isEmpty && message.media == nil
        var content = content(
            title: isTextAlone ? message.body : message.title,
            body: isTextAlone ? "" : message.body,
            media: message.media,
            link: message.link ?? "",
            actions: message.actions,
            dismissButton: message.dismissButton ?? .simple
        )
        // The original buttons, including invalid ones, are preserved unless the message's buttons have changed.
        if let buttons = rest["buttons"], JSONReader(buttons).adobeButtons == message.actions {
            content["buttons"] = nil
        }
        return content.adding(rest)
    }
}

extension AdobeCard.Template {
    /// Returns the template that a message names if its required parts exist, otherwise the one that fits.
    fileprivate init(for message: Message) {
        let named = message.templateID.flatMap(Self.init(rawValue:))
        switch named {
        case .imageOnly where message.media != nil, .smallImage where !message.title.isEmpty,
            .largeImage where !message.title.isEmpty:
            self = named ?? .smallImage
        default: self = message.title.isEmpty && message.media != nil ? .imageOnly : .smallImage
        }
    }
}
