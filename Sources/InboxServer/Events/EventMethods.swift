import Groundwork
import InboxModel
import InboxService
import JMAP

/// The methods of `InboxEvent`, which devices create. Events can't be read or changed.
struct EventMethods: Sendable {
    let writer: Writer
    let core: CoreCapability

    /// The methods by name.
    var all: [String: JMAPMethod] {
        [
            MessageCapability.eventType + "/set": JMAPMethod(capability: MessageCapability.uri) { call in
                try await set(SetArguments(reading: call.reader), for: call.person)
            }
        ]
    }

    /// The state of a type that can't be fetched. It never changes.
    private static let state = "0"

    /// Answers `InboxEvent/set` (RFC 8620, section 5.3), which only creates.
    ///
    /// A `batch` argument is accepted and ignored: an event's `uid` makes its creation idempotent, as the batch does
    /// for other writes.
    private func set(_ arguments: SetArguments, for person: Person) async throws -> MethodResult {
        guard arguments.accountID == person.account else { throw MethodError.accountNotFound }
        guard arguments.count <= core.maxObjectsInSet else {
            throw MethodError.requestTooLarge("At most \(core.maxObjectsInSet) events may be sent in one call.")
        }
        guard arguments.ifInState ?? Self.state == Self.state else { throw MethodError.stateMismatch }
        var rejected = EventResults()
        for id in arguments.update.names { rejected.notUpdated.add(id, EventResults.forbidden) }
        for id in arguments.destroy { rejected.notDestroyed.add(id, EventResults.forbidden) }
        let results = try await writer.write(.of(person)) { [rejected] transaction in
            try transaction.requireExistence(of: person)
            var results = rejected
            for member in arguments.create.members {
                do {
                    let event = try transaction.accept(member.value, from: person)
                    results.created.append((member.name, event))
                } catch let error as SetError {
                    results.notCreated.add(member.name, error.json)
                }
            }
            return results
        }
        return MethodResult(
            results.json(account: person.account, state: Self.state).utf8,
            createdIDs: results.created.reduce(into: [:]) { $0[$1.name] = $1.event.uid }
        )
    }
}

/// The results of an `InboxEvent/set`, by record.
private struct EventResults: Sendable {
    var created: [(name: String, event: StoredEvent)] = []
    var notCreated = JSONObject()
    var notUpdated = JSONObject()
    var notDestroyed = JSONObject()

    static let forbidden = SetError("forbidden", "An event can't be changed or deleted.").json

    func json(account: String, state: String) -> JSON {
        func orNull(_ object: JSONObject) -> JSON { object.isEmpty ? .null : .object(object) }
        return [
            "accountId": .string(account),
            "oldState": .string(state),
            "newState": .string(state),
            "created": orNull(JSONObject(created.map { ($0.name, $0.event.serverSet) })),
            "updated": .null,
            "destroyed": .null,
            "notCreated": orNull(notCreated),
            "notUpdated": orNull(notUpdated),
            "notDestroyed": orNull(notDestroyed),
        ]
    }
}
