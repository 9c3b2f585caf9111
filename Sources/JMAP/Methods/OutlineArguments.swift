package import Groundwork

/// The arguments of `/counts`, a method of our own, as a server reads them.
package struct CountsArguments: Hashable, Sendable {
    package let accountID: String

    package init(reading reader: JSONReader) throws(JSONValueError) {
        try reader.only(["accountId"])
        accountID = try reader.required("accountId").identifier()
    }
}

/// The arguments of `/outline`, a method of our own, as a server reads them.
package struct OutlineArguments: Hashable, Sendable {
    package let accountID: String
    /// Records that came after this state are left out.
    package let upToState: String
    /// The names of the properties, in the order in which each row gives their values.
    package let properties: [String]
    /// The `after` of the page before; nil for the first.
    package let after: String?
    /// Nil where the client sets no limit.
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
