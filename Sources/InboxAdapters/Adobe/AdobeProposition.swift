public import Foundation
package import Groundwork

/// What Adobe Journey Optimizer brings for one surface: items, and where they come from.
public struct AdobeProposition: Hashable, Sendable, Identifiable {
    /// Adobe's id of it.
    public let id: String
    /// The surface's URI.
    public let scope: String
    /// Where it comes from, as it came; never empty.
    package let scopeDetails: JSONObject
    /// Each item, or what is wrong with it.
    package let readings: [Result<AdobeItem, AdapterError>]

    /// The items, in their order. One that makes no sense takes no other with it, and is left out.
    public var items: [AdobeItem] { readings.compactMap { try? $0.get() } }
    /// The activity to which it belongs; empty for none.
    public var activityId: String { scopeDetails["activity"]?["id"]?.stringValue ?? "" }
    /// How much it matters; 0 where nothing says so.
    public var priority: Int { scopeDetails["activity"]?["priority"]?.intValue ?? 0 }
    /// Its place among others: the lowest comes first. −1 where nothing says so.
    public var rank: Int { scopeDetails["rank"]?.intValue ?? -1 }

    /// Reads a proposition's JSON.
    ///
    /// - Throws: ``AdapterError`` where `id`, `scope` or `scopeDetails` is missing, empty or of another type, or
    ///   `items` no array.
    public init(data: Data) throws(AdapterError) {
        try self.init(reading: JSONReader(parsing: data))
    }

    /// Reads a proposition; errors name its place in the document.
    package init(reading reader: JSONReader) throws(AdapterError) {
        _ = try reader.members()
        id = try reader.adobeName("id", .noID)
        scope = try reader.adobeName("scope", .missing)
        let details = try reader.needed("scopeDetails")
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
        readings = elements.enumerated().map { index, element in
            Result { () throws(AdapterError) -> AdobeItem in
                try AdobeItem(reading: JSONReader(element, at: items.pointer / index))
            }
        }
    }

    /// Makes a proposition.
    ///
    /// - Parameter scopeDetails: Not empty.
    package init(id: String, scope: String, scopeDetails: JSONObject, items: [AdobeItem]) {
        (self.id, self.scope, self.scopeDetails) = (id, scope, scopeDetails)
        readings = items.map { .success($0) }
    }

    /// Its JSON, as it is read.
    package var json: JSON {
        [
            "id": .string(id), "scope": .string(scope), "scopeDetails": .object(scopeDetails),
            "items": .array(items.map(\.json)),
        ]
    }
}

/// One item of a proposition.
public struct AdobeItem: Hashable, Sendable, Identifiable {
    /// What an item is made of.
    public enum Schema: Hashable, Sendable {
        /// One card: `https://ns.adobe.com/personalization/message/content-card`.
        case contentCard
        /// The settings of an inbox: `https://ns.adobe.com/personalization/message/inbox`.
        case inbox
        /// Another one, by its address.
        case other(String)

        /// The schema of an address.
        public init(rawValue: String) {
            self = [.contentCard, .inbox].first { $0.rawValue == rawValue } ?? .other(rawValue)
        }

        /// Its address.
        public var rawValue: String {
            switch self {
            case .contentCard: "https://ns.adobe.com/personalization/message/content-card"
            case .inbox: "https://ns.adobe.com/personalization/message/inbox"
            case .other(let address): address
            }
        }
    }

    /// Adobe's id of it.
    public let id: String
    /// What it is made of.
    public let schema: Schema
    /// What it says, as it came.
    package let data: JSONObject
    /// Where it was in the document, for errors.
    private let place: JSONPointer

    package init(id: String, schema: Schema, data: JSONObject, at place: JSONPointer = JSONPointer()) {
        (self.id, self.schema, self.data, self.place) = (id, schema, data, place)
    }

    init(reading reader: JSONReader) throws(AdapterError) {
        _ = try reader.members()
        id = try reader.adobeName("id", .noID)
        schema = Schema(rawValue: try reader.adobeName("schema", .missing))
        let data = try reader.needed("data")
        guard let members = data.value.objectValue else { throw data.wrongType("an object") }
        (self.data, place) = (members, reader.pointer)
    }

    /// Where what it says is in the document.
    package var dataReader: JSONReader { JSONReader(.object(data), at: place / "data") }
    /// Where its schema is in the document.
    package var schemaPlace: JSONPointer { place / "schema" }
    /// Where its id is in the document.
    package var idPlace: JSONPointer { place / "id" }

    /// Its JSON, as it is read.
    package var json: JSON {
        ["id": .string(id), "schema": .string(schema.rawValue), "data": .object(data)]
    }

    /// Equal where they say the same, wherever that stood.
    public static func == (one: AdobeItem, two: AdobeItem) -> Bool {
        one.id == two.id && one.schema == two.schema && one.data == two.data
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(schema)
        hasher.combine(data)
    }
}

extension JSONReader {
    /// A text that has to be there and not to be empty.
    fileprivate func adobeName(_ name: String, _ reason: AdapterError.Reason) throws(AdapterError) -> String {
        guard let member = member(name) else { throw AdapterError(reason, at: pointer / name, "is required") }
        let text = try member.neededText()
        guard !text.isEmpty else { throw AdapterError(reason, at: member.pointer, "must not be empty") }
        return text
    }
}
