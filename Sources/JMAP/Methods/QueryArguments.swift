package import Groundwork

/// A comparator, by which a query's records are sorted (RFC 8620, section 5.5).
package struct QueryComparator: Hashable, Sendable {
    package let property: String
    package let isAscending: Bool
    /// The name of a collation algorithm in the registry (RFC 4790), or nil for the server's default.
    package let collation: String?

    package init(reading reader: JSONReader) throws(JSONValueError) {
        try reader.only(["property", "isAscending", "collation"])
        property = try reader.required("property").columnText()
        isAscending = try reader.member("isAscending")?.bool() ?? true
        collation = try reader.member("collation")?.string()
    }
}

/// An uninterpreted filter, a condition or an operator with conditions, and its location. The type's implementation
/// interprets it.
package struct RawFilter: Hashable, Sendable {
    private let value: JSON
    private let pointer: JSONPointer

    fileprivate init(_ reader: JSONReader) {
        value = reader.value
        pointer = reader.pointer
    }

    package var reader: JSONReader { JSONReader(value, at: pointer) }
}

/// The arguments of `/query` (RFC 8620, section 5.5), as a server reads them.
package struct QueryArguments: Hashable, Sendable {
    /// The start of the requested window.
    package enum Start: Hashable, Sendable {
        /// An index from the start, or from the end if it is negative.
        case position(Int)
        case anchor(String, offset: Int)
    }

    package let accountID: String
    /// The filter, or nil for all records.
    package let filter: RawFilter?
    package let sort: [QueryComparator]
    package let start: Start
    package let limit: Int?
    package let calculateTotal: Bool

    package init(reading reader: JSONReader) throws(JSONValueError) {
        try reader.only([
            "accountId", "filter", "sort", "position", "anchor", "anchorOffset", "limit", "calculateTotal",
        ])
        accountID = try reader.required("accountId").identifier()
        filter = reader.member("filter").map(RawFilter.init)
        sort = try reader.comparators("sort")
        let position = try reader.member("position")?.int() ?? 0
        let offset = try reader.member("anchorOffset")?.int() ?? 0
        if let anchor = try reader.member("anchor")?.identifier() {
            start = .anchor(anchor, offset: offset)
        } else {
            start = .position(position)
        }
        limit = try reader.member("limit")?.int(in: 0...JSONReader.maxInt)
        calculateTotal = try reader.member("calculateTotal")?.bool() ?? false
    }
}

/// The arguments of `/queryChanges` (RFC 8620, section 5.6), as a server reads them.
package struct QueryChangesArguments: Hashable, Sendable {
    package let accountID: String
    /// The filter, or nil for all records.
    package let filter: RawFilter?
    package let sort: [QueryComparator]
    package let sinceQueryState: String
    /// The client's limit, or nil if it sets none.
    package let maxChanges: Int?
    package let upToID: String?
    package let calculateTotal: Bool

    package init(reading reader: JSONReader) throws(JSONValueError) {
        try reader.only([
            "accountId", "filter", "sort", "sinceQueryState", "maxChanges", "upToId", "calculateTotal",
        ])
        accountID = try reader.required("accountId").identifier()
        filter = reader.member("filter").map(RawFilter.init)
        sort = try reader.comparators("sort")
        sinceQueryState = try reader.required("sinceQueryState").string()
        maxChanges = try reader.member("maxChanges")?.int(in: 0...JSONReader.maxInt)
        upToID = try reader.member("upToId")?.identifier()
        calculateTotal = try reader.member("calculateTotal")?.bool() ?? false
    }
}

extension JSONReader {
    /// Returns an array of comparators, which is empty if the member is absent or null.
    fileprivate func comparators(_ name: String) throws(JSONValueError) -> [QueryComparator] {
        try member(name)?.elements().map { (element) throws(JSONValueError) in
            try QueryComparator(reading: element)
        } ?? []
    }
}
