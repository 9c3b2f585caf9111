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

/// Asks the server for the missing messages of a query while it is observed: when a snapshot shows that it lacks some, and again after each sync until
/// it was answered.
final class MissingMessagesTask: Sendable {
    private let triggers: AsyncStream<Bool>.Continuation
    private let task: Task<Void, Never>

    init(_ missing: MissingMessages, _ engine: SyncEngine) {
        let (signals, triggers) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        self.triggers = triggers
        task = Task {
            var askedAt: String?
            for await isComplete in signals where !isComplete {
                while !Task.isCancelled {
                    let rounds = engine.rounds()
                    // Asked once for each state: what the server doesn't have doesn't come by asking again.
                    let state = await engine.state(of: .message)
                    guard state == nil || state != askedAt else { break }
                    if state != nil, (try? await engine.fetchWhenDue(missing.wanted, of: .message)) != nil {
                        askedAt = await engine.state(of: .message)
                        break
                    }
                    // There is no network, or nothing was ever synced: after the next sync.
                    var isSynced = false
                    for await _ in rounds {
                        isSynced = true
                        break
                    }
                    guard isSynced else { return }
                }
            }
        }
    }

    deinit {
        task.cancel()
        triggers.finish()
    }

    func note(isComplete: Bool) { triggers.yield(isComplete) }
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
