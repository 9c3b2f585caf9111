import Foundation
import Groundwork
import InboxService
import JMAP

/// A method of the API: the capability that it requires, and its implementation.
struct JMAPMethod: Sendable {
    /// The answer to a call from a snapshot of the database.
    typealias SnapshotHandler = @Sendable (JMAPCall, ReadTransaction) throws -> MethodResult

    let capability: String
    /// Whether the method changes nothing, and its response depends only on the states of the person's messages and of
    /// the surfaces.
    let isReadOnly: Bool
    let handler: @Sendable (JMAPCall) async throws -> MethodResult
    /// The answer from a snapshot that other calls of the request are answered from, too. Nil if there is none.
    let snapshotHandler: SnapshotHandler?
    /// Whether each call reads the database. Those that follow it in the request share its snapshot.
    let beginsSnapshot: Bool

    init(
        capability: String,
        isReadOnly: Bool = false,
        sharing snapshotHandler: SnapshotHandler? = nil,
        handler: @escaping @Sendable (JMAPCall) async throws -> MethodResult
    ) {
        (self.capability, self.isReadOnly, self.handler) = (capability, isReadOnly, handler)
        (self.snapshotHandler, beginsSnapshot) = (snapshotHandler, false)
    }

    /// Creates a reading method of which each call reads the database.
    init(capability: String, snapshotHandler: @escaping SnapshotHandler) {
        (self.capability, isReadOnly) = (capability, true)
        (self.snapshotHandler, beginsSnapshot) = (snapshotHandler, true)
        handler = { call in try await call.reads.read { reading in try snapshotHandler(call, reading) } }
    }

    /// `Core/echo` (RFC 8620, section 4).
    static let echo = JMAPMethod(capability: CoreCapability.uri, isReadOnly: true) { call in
        try await call.reads.compute { MethodResult(JSON.object(call.arguments).utf8) }
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
    /// Whether the next call gets the ids that are the answer to this one.
    var isFetched = false

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
