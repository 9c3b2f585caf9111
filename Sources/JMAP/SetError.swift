package import Groundwork

/// The failure to create, update or destroy a record in a `set` (RFC 8620, section 5.3).
package struct SetError: Error, Hashable, Sendable {
    package var type: String
    package var description: String?
    /// The invalid properties of an `invalidProperties` error.
    package var properties: [String]?

    package init(_ type: String, _ description: String? = nil, properties: [String]? = nil) {
        self.type = type
        self.description = description
        self.properties = properties
    }

    package static let notFound = SetError("notFound")

    package init(json: JSON) {
        type = json["type"]?.stringValue ?? "serverFail"
        description = json["description"]?.stringValue
        properties = json["properties"]?.arrayValue?.compactMap(\.stringValue)
    }

    package var json: JSON {
        var object = JSONObject([("type", .string(type))])
        object["description"] = description.map(JSON.string)
        object["properties"] = properties.map { JSON($0) }
        return .object(object)
    }
}
