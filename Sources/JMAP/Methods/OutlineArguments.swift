package import Groundwork

/// The arguments of `/counts`, an extension of JMAP, as a server reads them.
package struct CountsArguments: Hashable, Sendable {
    package let accountID: String

    package init(reading reader: JSONReader) throws(JSONValueError) {
        try reader.only(["accountId"])
        accountID = try reader.required("accountId").identifier()
    }
}

/// The arguments of `/outline`, an extension of JMAP, as a server reads them.
package struct OutlineArguments: Hashable, Sendable {
    package let accountID: String
    /// The state up to which records are included. Later records are omitted.
    package let upToState: String
    /// The property names, in the order of the values of each row.
    package let properties: [String]
    /// The `after` value of the previous page, or nil for the first page.
    package let after: String?
    /// The client's limit, or nil if it sets none.
    package let limit: Int?

    package init(reading reader: JSONReader) throws(JSONValueError) {
        try reader.only(["accountId", "upToState", "properties", "after", "limit"])
        accountID = try reader.required("accountId").identifier()
        upToState = try reader.required("upToState").string()
        properties = try reader.required("properties").elements().map { (element) throws(JSONValueError) in
            try element.string()
        }
        after = try reader.member("after")?.string(maxBytes: 255)
        limit = try reader.member("limit")?.int(in: 1...JSONReader.maxInt)
    }
}
