package import Groundwork

/// The arguments of `/get` (RFC 8620 §5.1), as a server reads them.
package struct GetArguments: Hashable, Sendable {
    package let accountID: String
    /// Nil for all.
    package let ids: [String]?
    /// Nil for all.
    package let properties: [String]?

    package init(reading reader: JSONReader) throws(JSONValueError) {
        try reader.only(["accountId", "ids", "properties"])
        accountID = try reader.required("accountId").identifier()
        ids = try reader.member("ids")?.identifiers()
        properties = try reader.member("properties")?.elements().map { (element) throws(JSONValueError) in
            try element.string()
        }
    }
}

/// The arguments of `/changes` (RFC 8620 §5.2), as a server reads them.
package struct ChangesArguments: Hashable, Sendable {
    package let accountID: String
    package let sinceState: String
    /// Nil where the client sets no limit.
    package let maxChanges: Int?

    package init(reading reader: JSONReader) throws(JSONValueError) {
        try reader.only(["accountId", "sinceState", "maxChanges"])
        accountID = try reader.required("accountId").identifier()
        sinceState = try reader.required("sinceState").string()
        maxChanges = try reader.member("maxChanges")?.int(in: 1...JSONReader.maxInt)
    }
}

/// The arguments of `/set` (RFC 8620 §5.3), as a server reads them, with the ``Batch`` that is ours.
package struct SetArguments: Hashable, Sendable {
    package let accountID: String
    package let ifInState: String?
    package let create: JSONObject
    /// Patches by id.
    package let update: JSONObject
    package let destroy: [String]
    package let batch: Batch?

    package init(reading reader: JSONReader) throws(JSONValueError) {
        try reader.only(["accountId", "ifInState", "create", "update", "destroy", Batch.argument])
        accountID = try reader.required("accountId").identifier()
        ifInState = try reader.member("ifInState")?.string()
        create = try reader.member("create")?.object() ?? JSONObject()
        update = try reader.member("update")?.object() ?? JSONObject()
        destroy = try reader.member("destroy")?.identifiers() ?? []
        batch = try reader.member(Batch.argument).map { (member) throws(JSONValueError) in try Batch(reading: member) }
    }

    /// How many records the call is about.
    package var count: Int { create.count + update.count + destroy.count }
}

/// The arguments of `/query` (RFC 8620 §5.5), as a server reads them.
package struct QueryArguments: Hashable, Sendable {
    package struct Comparator: Hashable, Sendable {
        package let property: String
        package let isAscending: Bool
    }

    package let accountID: String
    /// A condition, or conditions under an operator; left to the type to read.
    package let filter: JSONReaderValue?
    package let sort: [Comparator]
    package let position: Int
    package let limit: Int?
    package let calculateTotal: Bool

    /// A part of the arguments that is read later, with its place.
    package struct JSONReaderValue: Hashable, Sendable {
        package let value: JSON
        package let pointer: JSONPointer
        package var reader: JSONReader { JSONReader(value, at: pointer) }
    }

    package init(reading reader: JSONReader) throws(JSONValueError) {
        try reader.only(["accountId", "filter", "sort", "position", "limit", "calculateTotal"])
        accountID = try reader.required("accountId").identifier()
        filter = reader.member("filter").map { JSONReaderValue(value: $0.value, pointer: $0.pointer) }
        sort =
            try reader.member("sort")?.elements().map { (element) throws(JSONValueError) in
                try element.only(["property", "isAscending"])
                return Comparator(
                    property: try element.required("property").string(),
                    isAscending: try element.member("isAscending")?.bool() ?? true
                )
            } ?? []
        position = try reader.member("position")?.int() ?? 0
        limit = try reader.member("limit")?.int(in: 0...JSONReader.maxInt)
        calculateTotal = try reader.member("calculateTotal")?.bool() ?? false
    }
}
