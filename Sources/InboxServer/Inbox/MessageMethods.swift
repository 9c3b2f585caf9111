import Groundwork
import InboxModel
import InboxService
import JMAP

/// The methods of `InboxMessage`. Each returns its response's arguments as JSON text.
struct MessageMethods: Sendable {
    let writer: Writer
    let people: People
    let core: CoreCapability
    let clock: any WallClock

    /// The methods by name.
    var all: [String: JMAPMethod] {
        func reading(_ handler: @escaping @Sendable (JMAPCall) async throws -> [UInt8]) -> JMAPMethod {
            JMAPMethod(capability: MessageCapability.uri, isReadOnly: true) { call in
                MethodResult(try await handler(call))
            }
        }
        let type = MessageCapability.messageType
        return [
            type + "/get": JMAPMethod(
                capability: MessageCapability.uri,
                isReadOnly: true,
                sharing: { call, reading in
                    let arguments = try GetArguments(reading: call.reader, createdIDs: call.createdIDs)
                    return MethodResult(try get(prepared(arguments, for: call.person), call.reads, reading))
                }
            ) { call in
                MethodResult(
                    try await get(GetArguments(reading: call.reader, createdIDs: call.createdIDs), call.reads)
                )
            },
            type + "/changes": reading { try await changes(ChangesArguments(reading: $0.reader), $0.reads) },
            type + "/counts": JMAPMethod(capability: MessageCapability.uri, isReadOnly: true) { call in
                try await counts(CountsArguments(reading: call.reader), call.reads)
            },
            type + "/outline": reading { try await outline(OutlineArguments(reading: $0.reader), $0.reads) },
            type + "/query": JMAPMethod(capability: MessageCapability.uri) { call, reading in
                let arguments = try QueryArguments(reading: call.reader)
                return MethodResult(try query(arguments, isFetched: call.isFetched, call.reads, reading))
            },
            type + "/queryChanges": reading { call in
                try await queryChanges(QueryChangesArguments(reading: call.reader), call.reads)
            },
            type + "/set": JMAPMethod(capability: MessageCapability.uri) { call in
                let arguments = try SetArguments(
                    reading: call.reader,
                    createdIDs: call.createdIDs,
                    others: [MarkAllRead.argument]
                )
                let markAllRead = try call.reader.member(MarkAllRead.argument).map { try MarkAllRead(reading: $0) }
                return MethodResult(try await set(arguments, markAllRead: markAllRead, for: call.person))
            },
            type + "/copy": .copy(
                capability: MessageCapability.uri,
                others: ["ifFromInState", "ifInState", "create", "onSuccessDestroyOriginal", "destroyFromIfInState"]
            ),
        ]
    }

    /// Verifies that the account is the person's own. The error doesn't reveal whether another account exists.
    func check(_ account: String, of person: Person) throws(MethodError) {
        guard account == person.account else { throw .accountNotFound }
    }
}

extension MessageMethods {
    /// Answers `InboxMessage/set` (RFC 8620, section 5.3), with the batch and the bulk write that are our extensions.
    func set(_ arguments: SetArguments, markAllRead: MarkAllRead?, for person: Person) async throws -> [UInt8] {
        try check(arguments.accountID, of: person)
        guard arguments.count <= core.maxObjectsInSet else {
            throw MethodError.requestTooLarge("At most \(core.maxObjectsInSet) records may be changed in one call.")
        }
        let outcome = try await writer.write(.of(person)) { transaction in
            try transaction.requireExistence(of: person)
            return try transaction.set(arguments, markAllRead: markAllRead, for: person)
        }
        return Array(outcome.utf8)
    }
}
