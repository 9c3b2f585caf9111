package import Groundwork

/// The failure of a method call (RFC 8620, section 3.6.2), sent as an invocation named `error`.
package struct MethodError: Error, Hashable, Sendable {
    /// The type, such as `invalidArguments`. An unknown type also means that the call failed.
    package var type: String
    package var description: String?

    package init(_ type: String, _ description: String? = nil) {
        self.type = type
        self.description = description
    }

    package static func invalidArguments(_ description: String) -> MethodError {
        MethodError("invalidArguments", description)
    }

    package static func invalidArguments(_ error: JSONValueError) -> MethodError {
        MethodError("invalidArguments", error.description)
    }

    package static let unknownMethod = MethodError("unknownMethod")
    package static let accountNotFound = MethodError("accountNotFound")
    package static let stateMismatch = MethodError("stateMismatch")
    package static let fromAccountNotFound = MethodError("fromAccountNotFound")
    package static let cannotCalculateChanges = MethodError("cannotCalculateChanges")
    package static let anchorNotFound = MethodError("anchorNotFound")
    package static let tooManyChanges = MethodError("tooManyChanges")

    package static func unsupportedFilter(_ description: String) -> MethodError {
        MethodError("unsupportedFilter", description)
    }

    package static func unsupportedSort(_ description: String) -> MethodError {
        MethodError("unsupportedSort", description)
    }

    package static func requestTooLarge(_ description: String) -> MethodError {
        MethodError("requestTooLarge", description)
    }

    package static func invalidResultReference(_ description: String) -> MethodError {
        MethodError("invalidResultReference", description)
    }

    package init(json: JSON) {
        type = json["type"]?.stringValue ?? "serverFail"
        description = json["description"]?.stringValue
    }

    package var json: JSON {
        var object = JSONObject([("type", .string(type))])
        object["description"] = description.map(JSON.string)
        return .object(object)
    }
}
