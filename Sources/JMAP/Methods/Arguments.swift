package import Groundwork

/// The arguments of `/get` (RFC 8620, section 5.1), as a server reads them.
package struct GetArguments: Hashable, Sendable {
    package let accountID: String
    /// The requested ids, or nil for all.
    package let ids: [String]?
    /// The requested properties, or nil for all.
    package let properties: [String]?

    /// - Parameter createdIDs: The ids of the records that the request has created, which resolve references.
    package init(reading reader: JSONReader, createdIDs: CreatedIDs = CreatedIDs()) throws(JSONValueError) {
        try self.init(reading: reader) { (id) throws(JSONValueError) in try id.reference(createdIDs) }
    }

    /// Creates the arguments for a type whose ids aren't made by the server, and may be other texts than RFC 8620,
    /// section 1.2 allows.
    ///
    /// - Parameter id: Reads an id. A client may send any id that the server has given out.
    package init(
        reading reader: JSONReader,
        id: (JSONReader) throws(JSONValueError) -> String
    ) throws(JSONValueError) {
        try reader.only(["accountId", "ids", "properties"])
        accountID = try reader.required("accountId").identifier()
        ids = try reader.member("ids")?.elements().map { (element) throws(JSONValueError) in try id(element) }
        properties = try reader.member("properties")?.elements().map { (element) throws(JSONValueError) in
            try element.string()
        }
    }
}

/// The arguments of `/changes` (RFC 8620, section 5.2), as a server reads them.
package struct ChangesArguments: Hashable, Sendable {
    package let accountID: String
    package let sinceState: String
    /// The client's limit, or nil if it sets none.
    package let maxChanges: Int?

    package init(reading reader: JSONReader) throws(JSONValueError) {
        try reader.only(["accountId", "sinceState", "maxChanges"])
        accountID = try reader.required("accountId").identifier()
        sinceState = try reader.required("sinceState").string()
        maxChanges = try reader.member("maxChanges")?.int(in: 1...JSONReader.maxInt)
    }
}

/// The arguments of `/set` (RFC 8620, section 5.3), as a server reads them, with the ``Batch`` extension.
package struct SetArguments: Hashable, Sendable {
    package let accountID: String
    package let ifInState: String?
    package let create: JSONObject
    /// The patches by id.
    package let update: JSONObject
    package let destroy: [String]
    package let batch: Batch?

    /// - Parameters:
    ///   - createdIDs: The ids of the records that the request has created, which resolve references.
    ///   - others: The names of the type's additional arguments.
    package init(
        reading reader: JSONReader,
        createdIDs: CreatedIDs = CreatedIDs(),
        others: Set<String> = []
    ) throws(JSONValueError) {
        try reader.only(others.union(["accountId", "ifInState", "create", "update", "destroy", Batch.argument]))
        accountID = try reader.required("accountId").identifier()
        ifInState = try reader.member("ifInState")?.string()
        create = try reader.member("create")?.object() ?? JSONObject()
        var update = JSONObject()
        for member in try reader.member("update")?.object().members ?? [] {
            guard update.add(createdIDs.resolve(member.name), member.value) else {
                throw JSONValueError(
                    pointer: reader.pointer / "update" / member.name,
                    problem: "refers to a record that update already contains"
                )
            }
        }
        self.update = update
        destroy = try reader.member("destroy")?.references(createdIDs) ?? []
        batch = try reader.member(Batch.argument).map { (member) throws(JSONValueError) in try Batch(reading: member) }
    }

    /// The number of records in the call.
    package var count: Int { create.count + update.count + destroy.count }

    /// Returns the number of records in a call whose arguments haven't been validated. Malformed arguments and
    /// references to other calls aren't counted.
    package static func count(in arguments: JSONObject) -> Int {
        (arguments["create"]?.objectValue?.count ?? 0) + (arguments["update"]?.objectValue?.count ?? 0)
            + (arguments["destroy"]?.arrayValue?.count ?? 0)
    }
}

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
