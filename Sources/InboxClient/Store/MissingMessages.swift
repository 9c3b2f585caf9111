import Foundation
import GRDB
import Groundwork
import InboxModel
import Replica

/// The messages of an observed query that this device doesn't hold.
struct MissingMessages: Sendable {
    /// The number of messages up to which a list without a limit is filled: the default number that a device holds.
    private static let defaultLimit = 200
    /// The number of additional messages per request, since the server's filter may match messages that the query
    /// doesn't.
    private static let margin = 50
    /// The number of messages beyond the limit that are examined if only this device can evaluate the query.
    private static let maxExamined = 1_000

    private let query: StoreQuery<Message>
    /// The number of messages that the list needs.
    private let needed: Int
    /// The server's filter and order. Nil if the outlines alone decide which messages are missing.
    private let serverQuery: (filter: JSON, sort: JSON)?

    /// - Returns: Nil for a query of the whole inbox without a limit: it shows the messages in the device's window.
    init?(_ query: Query<Message>, _ read: StoreQuery<Message>, _ filter: MessageFilter, _ surface: String?) {
        let isWhole = query.predicate == nil && filter == .inbox && surface == nil
        // (`StoreQuery` has limited the values, so that the sum can't overflow.)
        guard let needed = read.limit.map({ $0 + read.offset }) ?? (isWhole ? nil : Self.defaultLimit) else {
            return nil
        }
        self.query = read
        self.needed = min(needed, 5_000)
        if read.isDecidedByOutline {
            serverQuery = nil
        } else {
            let conditions = [filter.serverCondition] + (read.serverFilter.map { [$0] } ?? [])
            serverQuery = (["operator": "AND", "conditions": .array(conditions)], read.order.json)
        }
    }

    /// Whether a list without a limit has been filled up to ``defaultLimit``.
    func isFilled(_ count: Int) -> Bool { query.limit == nil && count >= Self.defaultLimit }

    /// The result of the request.
    struct Outcome: Sendable {
        /// The state at which the server has listed all matches. Nil if it hasn't.
        var completeAtState: String?

        /// Whether the server has listed all matches at the state of this device, so that no others exist. False while
        /// there are pending writes to messages that the device doesn't hold, because the server may not have applied
        /// them.
        func isComplete(_ db: Database) throws -> Bool {
            guard let completeAtState else { return false }
            return try db.syncPosition(.message)?.state == completeAtState && !db.hasPendingOffDevice(.message)
        }
    }

    /// Fetches page by page until the query has the messages that it needs, there are no more, or the maximum number
    /// was examined.
    ///
    /// - Throws: The errors of `exchange`; ``StoreError``.
    func fetch(_ store: ReplicaStore, _ exchange: (RequestedRecords) async throws -> RequestedRecordsResponse)
        async throws -> Outcome
    {
        var position = 0
        var states: Set<String?> = []
        while true {
            let next = try await store.read { [position] db -> RequestedRecords? in
                if position > 0 {
                    let shown = try query.fetch(db)
                    if try isFilled(shown.count) || query.isComplete(shown, db) { return nil }
                }
                return try nextRequest(db, after: position)
            }
            guard let next else { return Outcome() }
            let answer = try await exchange(next)
            guard case .matches = next else { return Outcome() }
            states.insert(answer.state)
            // If pages have different states, some messages may have been skipped.
            if answer.isLast { return Outcome(completeAtState: states.count == 1 ? answer.state : nil) }
            position += answer.count
            if position >= needed + Self.maxExamined { return Outcome() }
        }
    }

    /// Returns the next request, or nil if nothing is missing.
    ///
    /// - Parameter position: The number of matches that the server has listed so far.
    func nextRequest(_ db: Database, after position: Int) throws -> RequestedRecords? {
        guard let serverQuery else {
            let room = query.limit == nil ? max(0, needed - (try query.countOnDevice(db))) : needed
            let ids = try query.missing(db, limit: room)
            return ids.isEmpty ? nil : .ids(ids)
        }
        let limit = min(needed, Self.defaultLimit) + Self.margin
        return .matches(filter: serverQuery.filter, sort: serverQuery.sort, position: position, limit: limit)
    }
}

extension MessageFilter {
    /// The part of the list's condition that the server can evaluate.
    fileprivate var serverCondition: JSON {
        func condition(_ field: MessageField, _ op: String) -> JSON {
            ["property": .string(field.rawValue), "op": .string(op), "value": .null]
        }
        func all(_ conditions: JSON...) -> JSON { ["operator": "AND", "conditions": .array(conditions)] }
        let isNotDeleted = condition(.deletedAt, "equal")
        return switch self {
        case .inbox: all(isNotDeleted, condition(.archivedAt, "equal"))
        case .unread: all(isNotDeleted, condition(.archivedAt, "equal"), condition(.readAt, "equal"))
        case .read: all(isNotDeleted, condition(.archivedAt, "equal"), condition(.readAt, "notEqual"))
        case .snoozed: all(isNotDeleted, condition(.snoozedUntil, "notEqual"))
        case .archived: all(isNotDeleted, condition(.archivedAt, "notEqual"))
        case .active: isNotDeleted
        case .deleted: condition(.deletedAt, "notEqual")
        }
    }
}
