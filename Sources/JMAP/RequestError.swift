package import Groundwork

/// The rejection of a whole request (RFC 8620, section 3.6.1).
package enum RequestError: Error, Hashable, Sendable {
    /// The text isn't I-JSON, or its content type isn't `application/json`.
    case notJSON(String)
    /// The JSON isn't a Request object.
    case notRequest(String)
    /// `using` contains a capability that the server doesn't have.
    case unknownCapability(String)
    /// The request exceeds the named limit of the core capability.
    case limit(String, detail: String)

    /// The HTTP status. It is 429 if the request may succeed once fewer other requests are running.
    package var status: Int {
        if case .limit(let limit, _) = self, limit.hasPrefix("maxConcurrent") { 429 } else { 400 }
    }

    /// The problem document (RFC 9457, formerly RFC 7807).
    package var json: JSON {
        var object = JSONObject([("type", .string("urn:ietf:params:jmap:error:\(name)")), ("status", JSON(status))])
        switch self {
        case .notJSON(let detail), .notRequest(let detail): object["detail"] = .string(detail)
        case .unknownCapability(let uri): object["detail"] = .string("The server doesn't have the capability \(uri).")
        case .limit(let limit, let detail):
            object["limit"] = .string(limit)
            object["detail"] = .string(detail)
        }
        return .object(object)
    }

    private var name: String {
        switch self {
        case .notJSON: "notJSON"
        case .notRequest: "notRequest"
        case .unknownCapability: "unknownCapability"
        case .limit: "limit"
        }
    }
}
