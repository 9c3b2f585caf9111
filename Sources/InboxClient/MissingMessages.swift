import Foundation
import Groundwork
import InboxModel
import Replica

/// What an observed query may have and this device doesn't hold, as a question for the server.
struct MissingMessages: Sendable {
    /// How many to ask for where a query with a predicate has no limit: as many as a device holds by default.
    private static let usualLimit = 200
    /// How many more, since the server's filter may let some pass that the query doesn't have.
    private static let margin = 50

    let wanted: WantedRecords

    /// - Returns: Nil for a query that takes the whole list without a limit: it shows what the device's window holds.
    init?(_ query: Query<Message>, _ read: StoreQuery<Message>, _ filter: MessageFilter, _ surface: String?) {
        let most = query.limit.map { $0 + query.offset } ?? (query.predicate == nil ? nil : Self.usualLimit)
        guard let most else { return nil }
        var conditions = [filter.serverCondition]
        if let filter = read.serverFilter { conditions.append(filter) }
        let whole: JSON = ["operator": "AND", "conditions": .array(conditions)]
        wanted = .matches(filter: whole, sort: read.order.json, limit: min(most, 5_000) + Self.margin)
    }
}

extension MessageFilter {
    /// What the server can tell of the list.
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
