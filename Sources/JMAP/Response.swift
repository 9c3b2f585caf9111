package import Groundwork

/// The response to a request (RFC 8620, section 3.4).
///
/// Arguments stay text until they are read. A server can pass stored text through, and a client can read a response of
/// many records straight into its store.
package struct Response: Sendable {
    package struct Invocation: Sendable {
        package let name: String
        package let arguments: JSONText
        package let callID: String
    }

    package let methodResponses: [Invocation]
    package let sessionState: String

    /// Parses a response.
    ///
    /// - Throws: ``JSONSyntaxError``, or ``JSONValueError`` if it isn't a Response object.
    package init(parsing bytes: [UInt8]) throws {
        let text = try JSONText(checking: bytes)
        guard let members = text.members else { throw JSONReader(.null).failure("has to be a Response object") }
        var responses: [Invocation]?
        var state = ""
        for member in members {
            switch member.name {
            case "methodResponses": responses = try member.value.elements?.map(Self.invocation)
            case "sessionState": state = member.value.value.stringValue ?? ""
            default: break
            }
        }
        guard let responses else {
            throw JSONValueError(pointer: JSONPointer(["methodResponses"]), problem: "has to be an array")
        }
        methodResponses = responses
        sessionState = state
    }

    private static func invocation(_ text: JSONText) throws -> Invocation {
        guard let parts = text.elements, parts.count == 3, let name = parts[0].value.stringValue,
            let callID = parts[2].value.stringValue
        else {
            throw JSONValueError(
                pointer: JSONPointer(["methodResponses"]),
                problem: "has an element that isn't a name, arguments and a call id"
            )
        }
        return Invocation(name: name, arguments: parts[1], callID: callID)
    }

    /// Returns the first response to the call with the given id. A method may have several.
    package func answer(to callID: String) -> Invocation? {
        methodResponses.first { $0.callID == callID }
    }
}
