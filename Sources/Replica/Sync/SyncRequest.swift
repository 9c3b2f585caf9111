import Groundwork
import JMAP

/// One request of a sync: what is queued, the sealed writes, and a question about what is new.
struct SyncRequest: Sendable {
    enum Pull: Hashable, Sendable {
        /// What has changed since a state.
        case changes(since: String, max: Int)
        /// Records by id, to see which are still there.
        case records([String])
        /// The newest, from a position on.
        case window(position: Int, limit: Int)

        /// Whether asking for less makes the request itself smaller.
        var canBeHalved: Bool {
            if case .records(let ids) = self { ids.count > 1 } else { false }
        }
    }

    /// The call ids, which say what an answer is about.
    enum Call {
        static let queue = "queue", set = "set", changes = "changes", created = "created", updated = "updated"
        static let state = "state", query = "query", records = "records"
    }

    let type: RecordType
    let account: String
    /// Records of the type's queue, the oldest first.
    var queued: [QueuedRecord] = []
    let sealed: SealedWrites?
    let pull: Pull

    var request: Request {
        var capabilities = [CoreCapability.uri, type.capability]
        if let queue = type.queue, !queued.isEmpty, queue.capability != type.capability {
            capabilities.append(queue.capability)
        }
        return Request(using: capabilities, methodCalls: queueCalls + setCalls + pullCalls)
    }

    /// A record's own name is also its creation id.
    private var queueCalls: [Invocation] {
        guard let queue = type.queue, !queued.isEmpty else { return [] }
        let create = JSON.object(JSONObject(queued.map { ($0.uid, $0.json) }))
        return [
            Invocation(
                "\(queue.name)/set",
                JSONObject([("accountId", .string(account)), ("create", create)]),
                callID: Call.queue
            )
        ]
    }

    private var setCalls: [Invocation] {
        guard let sealed else { return [] }
        return [call("set", Call.set, ["update": sealed.update, Batch.argument: sealed.key.json])]
    }

    private var pullCalls: [Invocation] {
        switch pull {
        case .changes(let state, let max):
            [
                call("changes", Call.changes, ["sinceState": .string(state), "maxChanges": JSON(max)]),
                call("get", Call.created, ["#ids": reference(Call.changes, "changes", "/created")]),
                call("get", Call.updated, ["#ids": reference(Call.changes, "changes", "/updated")]),
            ]
        case .records(let ids):
            [call("get", Call.records, ["ids": JSON(ids)])]
        case .window(let position, let limit):
            // The state is asked for before the rows: what comes between is told again by the changes since it.
            [
                call("get", Call.state, ["ids": []]),
                call(
                    "query",
                    Call.query,
                    [
                        "filter": type.windowFilter, "sort": type.windowSort, "position": JSON(position),
                        "limit": JSON(limit),
                    ]
                ),
                call("get", Call.records, ["#ids": reference(Call.query, "query", "/ids")]),
            ]
        }
    }

    private func call(_ method: String, _ id: String, _ arguments: [(String, JSON)]) -> Invocation {
        Invocation("\(type.name)/\(method)", JSONObject([("accountId", .string(account))] + arguments), callID: id)
    }

    private func call(_ method: String, _ id: String, _ arguments: KeyValuePairs<String, JSON>) -> Invocation {
        call(method, id, arguments.map { ($0.key, $0.value) })
    }

    private func reference(_ call: String, _ method: String, _ path: String) -> JSON {
        ResultReference(resultOf: call, name: "\(type.name)/\(method)", path: path).json
    }
}
