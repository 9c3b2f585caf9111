import Foundation
import GRDB
import Groundwork
import InboxModel
import Replica

/// What an observed query may have and this device doesn't hold.
struct MissingMessages: Sendable {
    /// How many a list without a limit is filled up to: as many as a device holds by default.
    private static let usualLimit = 200
    /// How many more are asked for at once, since the server's filter may let some pass that the query doesn't have.
    private static let margin = 50
    /// The number of messages beyond the limit that are examined if only this device can evaluate the query.
    private static let mostLookedAt = 1_000

    private let query: StoreQuery<Message>
    /// How many the list needs.
    private let needed: Int
    /// The server's filter and order. Nil if light rows alone decide which messages are missing.
    private let question: (filter: JSON, sort: JSON)?

    /// - Returns: Nil for a query that takes the whole inbox without a limit: it shows what the device's window holds.
    init?(_ query: Query<Message>, _ read: StoreQuery<Message>, _ filter: MessageFilter, _ surface: String?) {
        let isWhole = query.predicate == nil && filter == .inbox && surface == nil
        // (As it was read, a limit is far from where sums overflow.)
        guard let needed = read.limit.map({ $0 + read.offset }) ?? (isWhole ? nil : Self.usualLimit) else {
            return nil
        }
        self.query = read
        self.needed = min(needed, 5_000)
        if read.isDecidedByOutline {
            question = nil
        } else {
            let conditions = [filter.serverCondition] + (read.serverFilter.map { [$0] } ?? [])
            question = (["operator": "AND", "conditions": .array(conditions)], read.order.json)
        }
    }

    /// Whether a list shows as much as one without a limit is filled up to.
    func isFilled(_ count: Int) -> Bool { query.limit == nil && count >= Self.usualLimit }

    /// What became of the question.
    struct Outcome: Sendable {
        /// The state as of which the server has named all that there are; nil where it hasn't.
        var namedAllAt: String?

        /// Whether the server has named all as of the state that the device has: what light rows leave open isn't
        /// there. Not while the person has done something with messages that the device doesn't hold, which the server
        /// may not know yet.
        func isAll(_ db: Database) throws -> Bool {
            guard let namedAllAt else { return false }
            return try db.syncPosition(.message)?.state == namedAllAt && !db.hasPendingUnheld(.message)
        }
    }

    /// Asks, page by page, until the query has what it needs, there are no more, or too many would be looked at.
    ///
    /// - Throws: What `exchange` throws; ``StoreError``.
    func ask(_ store: ReplicaStore, _ exchange: (WantedRecords) async throws -> WantedAnswer) async throws -> Outcome {
        var position = 0
        var states: Set<String?> = []
        while true {
            let next = try await store.read { [position] db -> WantedRecords? in
                if position > 0 {
                    let shown = try query.fetch(db)
                    if try isFilled(shown.count) || query.isComplete(shown, db) { return nil }
                }
                return try wanted(db, after: position)
            }
            guard let next else { return Outcome() }
            let answer = try await exchange(next)
            guard case .matches = next else { return Outcome() }
            states.insert(answer.state)
            // Between pages of different states, some may have slipped past.
            if answer.isLast { return Outcome(namedAllAt: states.count == 1 ? answer.state : nil) }
            position += answer.count
            if position >= needed + Self.mostLookedAt { return Outcome() }
        }
    }

    /// What to ask for next; nil where nothing is missing.
    ///
    /// - Parameter position: How many the server has named for this query.
    func wanted(_ db: Database, after position: Int) throws -> WantedRecords? {
        guard let question else {
            let room = query.limit == nil ? max(0, needed - (try query.countHeld(db))) : needed
            let ids = try query.missing(db, limit: room)
            return ids.isEmpty ? nil : .ids(ids)
        }
        let limit = min(needed, Self.usualLimit) + Self.margin
        return .matches(filter: question.filter, sort: question.sort, position: position, limit: limit)
    }
}

extension MessageFilter {
    /// The part of the list's condition that the server can evaluate.
    fileprivate var serverCondition: JSON {
        func condition(_ field: MessageField, _ op: String) -> JSON {
            ["property": .string(field.rawValue), "op": .string(op), "value": .null]
        }
        func all(_ conditions: JSON...) -> JSON { ["operator": "AND", "conditions": .array(conditions)] }
        let isThere = condition(.deletedAt, "equal")
        return switch self {
        case .inbox: all(isThere, condition(.archivedAt, "equal"))
        case .unread: all(isThere, condition(.archivedAt, "equal"), condition(.readAt, "equal"))
        case .read: all(isThere, condition(.archivedAt, "equal"), condition(.readAt, "notEqual"))
        case .snoozed: all(isThere, condition(.snoozedUntil, "notEqual"))
        case .archived: all(isThere, condition(.archivedAt, "notEqual"))
        case .active: isThere
        case .deleted: condition(.deletedAt, "notEqual")
        }
    }
}
