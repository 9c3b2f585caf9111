public import Foundation
package import Groundwork

/// A proposition of Adobe Journey Optimizer: items for one surface, with their origin.
public struct AdobeProposition: Hashable, Sendable, Identifiable {
    /// Adobe's id for the proposition.
    public let id: String
    /// The surface's URI.
    public let scope: String
    /// The original details of the origin, which are never empty.
    package let scopeDetails: JSONObject
    /// Each item, or the error that it can't be read. A ruleset item has one for each consequence of its rules.
    package let readings: [AdobeReading]

    /// The items in their original order, without invalid ones. In the place of a ruleset item
    /// (`https://ns.adobe.com/personalization/ruleset-item`) are the items that are the consequences of its rules.
    public var items: [AdobeItem] { readings.compactMap { try? $0.item.get() } }
    /// The activity to which the proposition belongs. Empty if there is none.
    public var activityId: String { scopeDetails["activity"]?["id"]?.stringValue ?? "" }
    /// The priority, or 0 if none is set.
    public var priority: Int { scopeDetails["activity"]?["priority"]?.intValue ?? 0 }
    /// The rank among propositions, of which the lowest comes first. −1 if none is set.
    public var rank: Int { scopeDetails["rank"]?.intValue ?? -1 }

    /// Parses a proposition's JSON.
    ///
    /// - Throws: ``AdapterError`` if `id`, `scope` or `scopeDetails` is missing, empty or has the wrong type, or if
    ///   `items` isn't an array.
    public init(data: Data) throws(AdapterError) {
        try self.init(reading: JSONReader(parsing: data))
    }

    /// Reads a proposition. Errors contain the location in the document.
    package init(reading reader: JSONReader) throws(AdapterError) {
        _ = try reader.members()
        id = try reader.adobeName("id", .noID)
        scope = try reader.adobeName("scope", .missing)
        let details = try reader.requiredMember("scopeDetails")
        guard let members = details.value.objectValue else { throw details.wrongType("an object") }
        guard !members.isEmpty else {
            throw AdapterError(.missing, at: details.pointer, "has to say where the proposition comes from")
        }
        scopeDetails = members
        guard let items = reader.member("items") else {
            readings = []
            return
        }
        guard let elements = items.value.arrayValue else { throw items.wrongType("an array") }
        readings = elements.enumerated().flatMap { index, element in
            AdobeReading.readings(of: JSONReader(element, at: items.pointer / index), index: index)
        }
    }

    /// Creates a proposition.
    ///
    /// - Parameter scopeDetails: The details of the origin, which must not be empty.
    package init(id: String, scope: String, scopeDetails: JSONObject, items: [AdobeItem]) {
        (self.id, self.scope, self.scopeDetails) = (id, scope, scopeDetails)
        readings = items.enumerated().map { AdobeReading(index: $0, id: $1.id, item: .success($1)) }
    }

    /// The proposition as JSON, in the format that is parsed.
    package var json: JSON {
        [
            "id": .string(id), "scope": .string(scope), "scopeDetails": .object(scopeDetails),
            "items": .array(items.map(\.json)),
        ]
    }
}

/// An item of a proposition.
public struct AdobeItem: Hashable, Sendable, Identifiable {
    /// The schema of an item.
    public enum Schema: Hashable, Sendable {
        /// A card: `https://ns.adobe.com/personalization/message/content-card`.
        case contentCard
        /// The settings of an inbox: `https://ns.adobe.com/personalization/message/inbox`.
        case inbox
        /// Another schema, with its URL.
        case other(String)

        /// Creates a schema from its URL.
        public init(rawValue: String) {
            self = [.contentCard, .inbox].first { $0.rawValue == rawValue } ?? .other(rawValue)
        }

        /// The URL.
        public var rawValue: String {
            switch self {
            case .contentCard: "https://ns.adobe.com/personalization/message/content-card"
            case .inbox: "https://ns.adobe.com/personalization/message/inbox"
            case .other(let address): address
            }
        }
    }

    /// Adobe's id for the item.
    public let id: String
    /// The schema.
    public let schema: Schema
    /// The original data.
    package let data: JSONObject
    /// The location in the document, for errors.
    private let location: JSONPointer

    package init(id: String, schema: Schema, data: JSONObject, at location: JSONPointer = JSONPointer()) {
        (self.id, self.schema, self.data, self.location) = (id, schema, data, location)
    }

    init(reading reader: JSONReader) throws(AdapterError) {
        _ = try reader.members()
        id = try reader.adobeName("id", .noID)
        schema = Schema(rawValue: try reader.adobeName("schema", .missing))
        let data = try reader.requiredMember("data")
        guard let members = data.value.objectValue else { throw data.wrongType("an object") }
        (self.data, location) = (members, reader.pointer)
    }

    /// The data with its location in the document.
    package var dataReader: JSONReader { JSONReader(.object(data), at: location / "data") }
    /// The location of the schema in the document.
    package var schemaLocation: JSONPointer { location / "schema" }
    /// The location of the id in the document.
    package var idLocation: JSONPointer { location / "id" }

    /// The item as JSON, in the format that is parsed.
    package var json: JSON {
        ["id": .string(id), "schema": .string(schema.rawValue), "data": .object(data)]
    }

    /// Two items are equal if their id, schema and data are equal. The location is ignored.
    public static func == (one: AdobeItem, two: AdobeItem) -> Bool {
        one.id == two.id && one.schema == two.schema && one.data == two.data
    }

    /// Hashes the id, the schema and the data.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(schema)
        hasher.combine(data)
    }
}

extension JSONReader {
    /// Returns a required text, which must not be empty.
    func adobeName(_ name: String, _ reason: AdapterError.Reason) throws(AdapterError) -> String {
        guard let member = member(name) else { throw AdapterError(reason, at: pointer / name, "is required") }
        let text = try member.requiredText()
        guard !text.isEmpty else { throw AdapterError(reason, at: member.pointer, "must not be empty") }
        return text
    }
}
