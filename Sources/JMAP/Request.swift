package import Groundwork

/// Method calls sent together (RFC 8620 §3.3).
package struct Request: Hashable, Sendable {
    /// The capabilities that the calls need.
    package var using: [String]
    package var methodCalls: [Invocation]
    /// Ids that the server gave to records that an earlier request created, by creation id; nil where the client
    /// doesn't want them.
    package var createdIds: CreatedIDs?

    package init(using: [String], methodCalls: [Invocation], createdIds: CreatedIDs? = nil) {
        self.using = using
        self.methodCalls = methodCalls
        self.createdIds = createdIds
    }

    package var json: JSON {
        var object = JSONObject([("using", JSON(using)), ("methodCalls", .array(methodCalls.map(\.json)))])
        object["createdIds"] = createdIds?.json
        return .object(object)
    }

    /// How many JSON values a request may have: ten times what the largest honest one has.
    package static let valueLimit = 100_000

    /// Reads a request.
    ///
    /// - Throws: ``RequestError``: `notJSON` where the text isn't I-JSON, `notRequest` where it isn't a Request object,
    ///   `limit` where it has more than ``valueLimit`` values.
    package init(parsing bytes: some Collection<UInt8>) throws(RequestError) {
        let json: JSON
        do {
            json = try JSON(parsing: bytes, valueLimit: Self.valueLimit)
        } catch {
            if case .tooManyValues(let limit) = error.reason {
                throw .limit("maxSizeRequest", detail: "The request has more than \(limit) JSON values; send several.")
            }
            throw .notJSON(error.description)
        }
        do {
            let reader = JSONReader(json)
            using = try reader.required("using").elements().map { (element) throws(JSONValueError) in
                try element.string()
            }
            methodCalls = try reader.required("methodCalls").elements().map { (element) throws(JSONValueError) in
                let parts = try element.elements()
                guard parts.count == 3 else {
                    throw element.failure("has to be an array of a name, arguments and a call id")
                }
                return Invocation(try parts[0].string(), try parts[1].object(), callID: try parts[2].string())
            }
            createdIds = try reader.member("createdIds").map { (member) throws(JSONValueError) in
                try CreatedIDs(reading: member)
            }
        } catch {
            throw .notRequest(error.description)
        }
    }
}
