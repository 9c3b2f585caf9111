package import Groundwork

/// A method call of a request (RFC 8620 §3.2).
package struct Invocation: Hashable, Sendable {
    package var name: String
    package var arguments: JSONObject
    /// Chosen by the client, repeated with the answer.
    package var callID: String

    package init(_ name: String, _ arguments: JSONObject, callID: String) {
        self.name = name
        self.arguments = arguments
        self.callID = callID
    }

    package var json: JSON { [.string(name), .object(arguments), .string(callID)] }
}
