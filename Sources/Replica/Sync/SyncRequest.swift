import Groundwork
import JMAP

/// One request of a sync: queued records, sealed writes, and a pull of changes.
struct SyncRequest: Sendable {
    /// The part of a request that fetches records, ids or a state.
    enum Pull: Hashable, Sendable {
        /// The changes since a state.
        case changes(since: String, max: Int)
        /// Records by id, which also shows which of them are gone.
        case records([String])
        /// The newest records, from a position on.
        case window(position: Int, limit: Int)
        /// All records.
        case all
        /// The ids of the newest records, from a position on.
        case ids(position: Int, limit: Int)
        /// The state alone.
        case state
        /// A page of the outline.
        case outline(upTo: String, after: String?, limit: Int)
        /// A page of the ids that match a filter, in an order.
        case matches(filter: JSON, sort: JSON, position: Int, limit: Int)

        /// Whether less can be requested.
        var canHalve: Bool {
            switch self {
            case .records(let ids): ids.count > 1
            case .changes(_, let limit), .window(_, let limit), .ids(_, let limit), .outline(_, _, let limit): limit > 1
            case .all, .state, .matches: false
            }
        }

        /// Whether requesting less may succeed after a failure of the transport. After a deadline, only fewer records
        /// by id are requested: with a network that swallows everything, a large page would take many deadlines.
        func canHalve(after error: TransportError) -> Bool {
            switch (error, self) {
            case (.tooLarge, _), (.timedOut, .records): canHalve
            case (.timedOut, _), (.unreachable, _): false
            }
        }
    }

    /// The ids of the calls, which identify their answers.
    enum Call {
        static let queue = "queue", set = "set", changes = "changes", created = "created", updated = "updated"
        static let state = "state", query = "query", records = "records"
        static let counts = "counts", outline = "outline"
    }

    let type: RecordType
    let account: String
    /// Records of the type's queue, the oldest first.
    var queued: [QueuedRecord] = []
    let sealed: SealedWrites?
    let pull: Pull
    /// Whether to request the server's counts as well.
    var wantsCounts = false
    /// Whether to request only those properties of updated records that the server reports as changed (RFC 8621,
    /// section 2.2).
    var wantsPatches = false
    /// Probes that show whether other types have changed.
    var probes: [Probe] = []

    /// A call that shows whether a type has changed since a state. It is part of the request for another type, so it
    /// costs no request of its own.
    struct Probe: Sendable {
        let type: RecordType
        let account: String
        let state: String

        /// The call's id.
        var call: String { "changes of \(type.name)" }

        fileprivate var invocation: Invocation {
            Invocation(
                "\(type.name)/changes",
                JSONObject([
                    ("accountId", .string(account)), ("sinceState", .string(state)), ("maxChanges", 1),
                ]),
                callID: call
            )
        }
    }

    var request: Request {
        var capabilities = [CoreCapability.uri, type.capability]
        if let queue = type.queue, !queued.isEmpty, queue.capability != type.capability {
            capabilities.append(queue.capability)
        }
        for probe in probes where !capabilities.contains(probe.type.capability) {
            capabilities.append(probe.type.capability)
        }
        return Request(
            using: capabilities,
            methodCalls: queueCalls + setCalls + pullCalls + countsCall + probes.map(\.invocation)
        )
    }

    /// The calls that create queued records. A record's unique id is also its creation id.
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
        var arguments = [("update", sealed.update)]
        if let value = sealed.bulkValue, let rule = type.outline?.bulk { arguments.append((rule.argument, value)) }
        if type.repeatDetection == .byBatchKey { arguments.append((Batch.argument, sealed.key.json)) }
        return [call("set", Call.set, arguments)]
    }

    private var countsCall: [Invocation] { wantsCounts ? [call("counts", Call.counts, [])] : [] }

    private var pullCalls: [Invocation] {
        switch pull {
        case .changes(let state, let max):
            [
                call("changes", Call.changes, ["sinceState": .string(state), "maxChanges": JSON(max)]),
                get(Call.created, "#ids", reference(Call.changes, "changes", "/created"), changedProperties),
                updated,
            ]
        case .records(let ids):
            [get(Call.records, "ids", JSON(ids))]
        case .all:
            [get(Call.records, "ids", .null)]
        case .state:
            [get(Call.records, "ids", [])]
        case .ids(let position, let limit):
            [
                call(
                    "query",
                    Call.query,
                    ["sort": windowSort, "position": JSON(position), "limit": JSON(limit), "calculateTotal": true]
                )
            ]
        case .outline(let state, let after, let limit):
            [
                call(
                    "outline",
                    Call.outline,
                    [
                        ("upToState", .string(state)), ("limit", JSON(limit)),
                        ("properties", JSON(["id"] + type.outlineColumns.map(\.name))),
                    ] + (after.map { [("after", .string($0))] } ?? [])
                )
            ]
        case .matches(let filter, let sort, let position, let limit):
            [
                call(
                    "query",
                    Call.query,
                    ["filter": filter, "sort": sort, "position": JSON(position), "limit": JSON(limit)]
                )
            ]
        case .window(let position, let limit):
            // The state is requested before the rows. Changes in between are repeated by the changes since that state.
            [
                get(Call.state, "ids", []),
                call(
                    "query",
                    Call.query,
                    [
                        "filter": windowFilter, "sort": windowSort, "position": JSON(position),
                        "limit": JSON(limit),
                    ]
                ),
                get(Call.records, "#ids", reference(Call.query, "query", "/ids")),
            ]
        }
    }

    /// The call for the updated records. Our server lists the properties that may have changed, and only these are
    /// requested.
    private var updated: Invocation {
        let ids = ("#ids", reference(Call.changes, "changes", "/updated"))
        guard wantsPatches else { return get(Call.updated, ids.0, ids.1, changedProperties) }
        return call(
            "get",
            Call.updated,
            [ids, ("#properties", reference(Call.changes, "changes", Self.updatedProperties))]
        )
    }

    /// The path of the changed properties, as for mailboxes (RFC 8621, section 2.2).
    private static let updatedProperties = "/updatedProperties"

    private var windowFilter: JSON { if case .newest(let filter, _, _) = type.window { filter } else { .null } }

    private var windowSort: JSON {
        switch type.window {
        case .newest(_, let sort, _), .everything(let sort), .slices(let sort, _): sort
        case .all, .derived: .null
        }
    }

    /// The properties to request of changed records. Most records of a type with slices may not be on the device, so
    /// only their ids and groups are requested first.
    private var changedProperties: [String]? { type.groups.map { ["id", $0.column] } ?? type.properties }

    private func get(_ id: String, _ name: String, _ ids: JSON) -> Invocation { get(id, name, ids, type.properties) }

    private func get(_ id: String, _ name: String, _ ids: JSON, _ properties: [String]?) -> Invocation {
        call("get", id, [(name, ids)] + (properties.map { [("properties", JSON($0))] } ?? []))
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
