package import Groundwork

/// The accounts of `/copy` (RFC 8620, section 5.4) and `Blob/copy` (section 6.3), as a server reads them.
package struct CopyArguments: Hashable, Sendable {
    package let fromAccountID: String
    package let accountID: String

    /// - Parameter others: The names of the method's other arguments.
    package init(reading reader: JSONReader, others: Set<String>) throws(JSONValueError) {
        try reader.only(others.union(["fromAccountId", "accountId"]))
        fromAccountID = try reader.required("fromAccountId").identifier()
        accountID = try reader.required("accountId").identifier()
    }
}
