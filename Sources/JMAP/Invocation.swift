package import Groundwork

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
