package import Groundwork

/// A request: method calls that are sent together (RFC 8620, section 3.3).
package struct Request: Hashable, Sendable {
    /// The capabilities that the calls use.
    package var using: [String]
    package var methodCalls: [Invocation]
    /// The ids of records created by earlier requests, by creation id. Nil if the client doesn't request them.
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

    /// The maximum number of JSON values in a request, ten times that of the largest legitimate one.
    package static let valueLimit = 100_000

    /// Parses a request.
    ///
    /// - Throws: ``RequestError``: `notJSON` if the text isn't I-JSON, `notRequest` if it isn't a Request object,
    ///   `limit` if it has more than ``valueLimit`` values.
    package init(parsing bytes: some Collection<UInt8>) throws(RequestError) {
        let json: JSON
        do {
            json = try JSON(parsing: bytes, valueLimit: Self.valueLimit)
        } catch {
            if case .tooManyValues(let limit) = error.reason {
                throw .limit(
                    "maxSizeRequest",
                    detail: "The request has more than \(limit) JSON values. Send several requests."
                )
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

/// A method call of a request, or its response (RFC 8620, section 3.2).
package struct Invocation: Hashable, Sendable {
    package var name: String
    package var arguments: JSONObject
    /// The client's id for the call, which the response repeats.
    package var callID: String

    package init(_ name: String, _ arguments: JSONObject, callID: String) {
        self.name = name
        self.arguments = arguments
        self.callID = callID
    }

    package var json: JSON { [.string(name), .object(arguments), .string(callID)] }
}
