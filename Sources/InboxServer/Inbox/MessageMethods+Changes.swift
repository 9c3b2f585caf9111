import Groundwork
import InboxModel
import InboxService
import JMAP

extension MessageMethods {
    /// Answers `InboxMessage/changes` (RFC 8620, section 5.2). Without changes, the database isn't read.
    func changes(_ arguments: ChangesArguments, _ reads: PersonReads) async throws -> [UInt8] {
        let person = reads.person
        try check(arguments.accountID, of: person)
        guard let since = ChangesPosition(arguments.sinceState) else { throw MethodError.cannotCalculateChanges }
        let latest = try await people.latestState(of: person)
        if since == ChangesPosition(at: latest) {
            return Self.answer(InboxChanges(position: since), since: since, for: person)
        }
        // At most as many as one `get` accepts, so that the next call of the request can refer to the result.
        let limit = min(arguments.maxChanges ?? core.maxObjectsInGet, core.maxObjectsInGet)
        return try await reads.read { reading in
            let inbox = reading.inbox(of: person)
            guard since.reached.isReachable(from: try inbox.state()) else { throw MethodError.cannotCalculateChanges }
            return Self.answer(try inbox.changes(since: since, limit: limit), since: since, for: person)
        }
    }

    private static func answer(_ changes: InboxChanges, since: ChangesPosition, for person: Person) -> [UInt8] {
        let response: JSON = [
            "accountId": .string(person.account),
            "oldState": .string(since.text),
            "newState": .string(changes.position.text),
            "hasMoreChanges": .bool(changes.hasMoreChanges),
            "created": JSON(changes.created.map(\.text)),
            "updated": JSON(changes.updated.map(\.text)),
            "destroyed": JSON(changes.destroyed.map(\.text)),
            // As for mailboxes (RFC 8621, section 2.2): the properties that may differ in updated records, or null for
            // any.
            "updatedProperties": changes.isPersonal && !changes.updated.isEmpty ? Self.personalProperties : .null,
        ]
        return response.utf8
    }

    private static let personalProperties = JSON(MessageField.personal.map(\.rawValue))
}
