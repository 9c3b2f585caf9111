package import Foundation
package import Groundwork

extension Message {
    /// Reads a server's message leniently.
    ///
    /// Unknown fields are ignored, and fields that are missing or of another type get their defaults. Only the id and
    /// the delivery date are required.
    ///
    /// - Throws: ``JSONValueError`` with the location of the invalid part.
    package init(json: JSON) throws(JSONValueError) {
        let reader = JSONReader(json)
        self.init(
            id: try reader.required(MessageField.id.rawValue).string(),
            surface: json[.surface]?.stringValue ?? Message.defaultSurface,
            title: json[.title]?.stringValue ?? "",
            body: json[.body]?.stringValue ?? "",
            category: json[.category]?.stringValue,
            groupKey: json[.groupKey]?.stringValue,
            priority: json[.priority]?.intValue ?? 0,
            isPinned: json[.pinned]?.boolValue ?? false,
            deliverAt: try reader.required(MessageField.deliverAt.rawValue).date(),
            expiresAt: json[.expiresAt]?.lenientDate,
            details: .decoded(MessageDetails(json: json))
        )
        seenAt = json[.seenAt]?.lenientDate
        readAt = json[.readAt]?.lenientDate
        archivedAt = json[.archivedAt]?.lenientDate
        snoozedUntil = json[.snoozedUntil]?.lenientDate
        deletedAt = json[.deletedAt]?.lenientDate
    }

    /// The message as a JSON object, without fields that have their defaults.
    package var json: JSON {
        var object = JSONObject()
        func set(_ field: MessageField, _ value: JSON?) { object[field.rawValue] = value }
        set(.id, .string(id))
        set(.surface, .string(surface))
        set(.title, title.isEmpty ? nil : .string(title))
        set(.body, body.isEmpty ? nil : .string(body))
        set(.html, html.map(JSON.string))
        set(.media, media?.json)
        set(.actions, actions.isEmpty ? nil : .array(actions.map(\.json)))
        set(.templateId, templateID.map(JSON.string))
        set(.category, category.map(JSON.string))
        set(.groupKey, groupKey.map(JSON.string))
        set(.priority, priority == 0 ? nil : JSON(priority))
        set(.pinned, isPinned ? true : nil)
        set(.deliverAt, JSON(deliverAt))
        set(.expiresAt, expiresAt.map { JSON($0) })
        set(.consentCategory, consentCategory.map(JSON.string))
        let pairs = additionalData.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) }
        set(.additionalData, pairs.isEmpty ? nil : .object(JSONObject(pairs)))
        set(.campaignId, campaignID.map(JSON.string))
        set(.link, link.map(JSON.string))
        set(.dismissButton, dismissButton.map { .string($0.rawValue) })
        set(.seenAt, seenAt.map { JSON($0) })
        set(.readAt, readAt.map { JSON($0) })
        set(.archivedAt, archivedAt.map { JSON($0) })
        set(.snoozedUntil, snoozedUntil.map { JSON($0) })
        set(.deletedAt, deletedAt.map { JSON($0) })
        return .object(object)
    }
}

/// A message is encoded as its JSON object, with RFC 3339 dates regardless of the encoder's date strategy.
extension Message: Codable {
    /// Decodes the message's JSON object leniently. Unknown fields are ignored.
    ///
    /// - Throws: `DecodingError` if the id or the delivery date is missing.
    public init(from decoder: any Decoder) throws {
        do {
            try self.init(json: JSON(from: decoder))
        } catch let error as JSONValueError {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: error.description)
            )
        }
    }

    /// Encodes the message's JSON object, without fields that have their defaults.
    public func encode(to encoder: any Encoder) throws {
        try json.encode(to: encoder)
    }
}

extension JSON {
    package subscript(_ field: MessageField) -> JSON? { self[field.rawValue] }

    /// Creates a date in JMAP's UTCDate format.
    package init(_ date: Date) { self = .string(RFC3339.string(from: date)) }

    fileprivate var lenientDate: Date? { stringValue.flatMap { RFC3339.date(from: $0) } }
}
