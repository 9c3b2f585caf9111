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
        let id = try reader.required(MessageField.id.rawValue).string()
        let deliverAt = try reader.required(MessageField.deliverAt.rawValue).date()
        let parsed = json.utf8.withUnsafeBufferPointer { ParsedMessage(text: $0, names: ParsedMessage.allNames) }
        self.init(id: id, deliverAt: deliverAt, parsed, details: .decoded(parsed.details))
        expiresAt = json[.expiresAt]?.lenientDate
        seenAt = json[.seenAt]?.lenientDate
        readAt = json[.readAt]?.lenientDate
        archivedAt = json[.archivedAt]?.lenientDate
        snoozedUntil = json[.snoozedUntil]?.lenientDate
        deletedAt = json[.deletedAt]?.lenientDate
    }

    /// Creates a message for a list. The parts of a card are decoded at once, the rest on access. It has no other dates
    /// than the two parameters.
    ///
    /// - Parameter content: The sender's JSON object, in UTF-8. It is read as leniently as by ``init(json:)``.
    package init(id: String, deliverAt: Date, readAt: Date?, content: UnsafeRawBufferPointer) {
        let text = content.bindMemory(to: UInt8.self)
        let parsed = ParsedMessage(text: text, names: ParsedMessage.cardNames)
        self.init(id: id, deliverAt: deliverAt, parsed, details: .listed(card: parsed.details, text: Array(text)))
        self.readAt = readAt
    }

    private init(id: String, deliverAt: Date, _ parsed: ParsedMessage, details: MessageDetails.Source) {
        self.init(
            id: id,
            surface: parsed.surface ?? Message.defaultSurface,
            title: parsed.title,
            body: parsed.body,
            category: parsed.category,
            groupKey: parsed.groupKey,
            priority: parsed.priority,
            isPinned: parsed.isPinned,
            deliverAt: deliverAt,
            expiresAt: nil,
            details: details
        )
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
    ///
    /// - Throws: The encoder's errors.
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
