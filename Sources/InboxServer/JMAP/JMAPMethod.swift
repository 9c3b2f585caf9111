import Foundation
import Groundwork
import InboxService
import JMAP

/// One method of the API: the capability that has to be used for it, and what answers it.
struct JMAPMethod: Sendable {
    let capability: String
    /// Whether it changes nothing, and answers the same as long as the states of the person's messages and of the
    /// surfaces are.
    let isReading: Bool
    let answer: @Sendable (JMAPCall) async throws -> MethodAnswer

    init(
        capability: String,
        isReading: Bool = false,
        answer: @escaping @Sendable (JMAPCall) async throws -> MethodAnswer
    ) {
        self.capability = capability
        self.isReading = isReading
        self.answer = answer
    }

    /// `Core/echo` (RFC 8620 §4).
    static let echo = JMAPMethod(capability: CoreCapability.uri, isReading: true) { call in
        MethodAnswer(JSON.object(call.arguments).utf8)
    }
}

/// A call of a method, its result references resolved.
struct JMAPCall: Sendable {
    let arguments: JSONObject
    /// How it reads from the database.
    let reads: PersonReads
    /// The ids of the records that the request has created so far (RFC 8620 §3.3). Where an argument is an id, give
    /// them to `JSONReader.reference(_:)`; where it is a name, to `CreatedIDs.resolve(_:)`.
    let createdIDs: CreatedIDs

    var person: Person { reads.person }
    var reader: JSONReader { JSONReader(.object(arguments)) }
}

/// What a method answers.
struct MethodAnswer: Sendable {
    /// As JSON text, so that stored text is sent without being parsed.
    let arguments: [UInt8]
    /// The ids of the records that it created, by creation id.
    let createdIDs: CreatedIDs
    /// Until when the answer of a reading method is the same where the states are; nil for as long as they are.
    let validUntil: Date?

    init(_ arguments: [UInt8], createdIDs: [String: String] = [:], validUntil: Date? = nil) {
        self.arguments = arguments
        self.validUntil = validUntil
        self.createdIDs = CreatedIDs(createdIDs)
    }
}
