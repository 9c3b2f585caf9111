package import Groundwork

/// The arguments of `/get` (RFC 8620 §5.1), as a server reads them.
package struct GetArguments: Hashable, Sendable {
    package let accountID: String
    /// Nil for all.
    package let ids: [String]?
    /// Nil for all.
    package let properties: [String]?

    /// - Parameter createdIDs: The ids of the records that the request has created, for ids that refer to them.
    package init(reading reader: JSONReader, createdIDs: CreatedIDs = CreatedIDs()) throws(JSONValueError) {
        try reader.only(["accountId", "ids", "properties"])
        accountID = try reader.required("accountId").identifier()
        ids = try reader.member("ids")?.references(createdIDs)
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

    /// - Parameters:
    ///   - createdIDs: The ids of the records that the request has created, for ids that refer to them.
    ///   - others: The names of the type's own arguments.
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
                    problem: "is another name for a record that comes in update already"
                )
            }
        }
        self.update = update
        destroy = try reader.member("destroy")?.references(createdIDs) ?? []
        batch = try reader.member(Batch.argument).map { (member) throws(JSONValueError) in try Batch(reading: member) }
    }

    /// How many records the call is about.
    package var count: Int { create.count + update.count + destroy.count }

    /// How many records a call is about whose arguments haven't been read: what is wrong, or refers to another call,
    /// isn't counted.
    package static func count(in arguments: JSONObject) -> Int {
        (arguments["create"]?.objectValue?.count ?? 0) + (arguments["update"]?.objectValue?.count ?? 0)
            + (arguments["destroy"]?.arrayValue?.count ?? 0)
    }
}
