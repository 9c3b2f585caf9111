import Foundation
import Groundwork
import InboxService
import JMAP

/// A method of the API: the capability that it requires, and its implementation.
struct JMAPMethod: Sendable {
    let capability: String
    /// Whether the method changes nothing, and its response depends only on the states of the person's messages and of
    /// the surfaces.
    let isReadOnly: Bool
    let handler: @Sendable (JMAPCall) async throws -> MethodResult

    init(
        capability: String,
        isReadOnly: Bool = false,
        handler: @escaping @Sendable (JMAPCall) async throws -> MethodResult
    ) {
        self.capability = capability
        self.isReadOnly = isReadOnly
        self.handler = handler
    }

    /// `Core/echo` (RFC 8620, section 4).
    static let echo = JMAPMethod(capability: CoreCapability.uri, isReadOnly: true) { call in
        MethodResult(JSON.object(call.arguments).utf8)
    }
}

/// A method call with its result references resolved.
struct JMAPCall: Sendable {
    let arguments: JSONObject
    /// The database reads of the request.
    let reads: PersonReads
    /// The ids of the records that the request has created so far (RFC 8620, section 3.3). Pass them to
    /// `JSONReader.reference(_:)` for an argument that is an id, and to `CreatedIDs.resolve(_:)` for a member name.
    let createdIDs: CreatedIDs

    var person: Person { reads.person }
    var reader: JSONReader { JSONReader(.object(arguments)) }
}

/// The response of a method.
struct MethodResult: Sendable {
    /// The arguments as JSON text, so that stored text is sent without being parsed.
    let arguments: [UInt8]
    /// The ids of the records that the method created, by creation id.
    let createdIDs: CreatedIDs
    /// The time until which a reading method's response is valid while the states are the same, or nil if it is valid
    /// as long as they are.
    let validUntil: Date?

    init(_ arguments: [UInt8], createdIDs: [String: String] = [:], validUntil: Date? = nil) {
        self.arguments = arguments
        self.validUntil = validUntil
        self.createdIDs = CreatedIDs(createdIDs)
    }
}
