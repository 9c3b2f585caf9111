import Groundwork
import JMAP

/// The answer to one request of a sync. Its records remain unparsed text.
struct SyncResponse: Sendable {
    /// The outcome of the sealed writes.
    enum Writes: Sendable {
        /// The server has decided: it refused some ids finally and others temporarily, and applied the rest. Writes
        /// that were refused temporarily are sent again.
        ///
        /// A bulk write may have been applied in part. It then continues from `bulkPosition`.
        case answered(refused: [String: SetError], later: [String: SetError], bulkPosition: String? = nil)
        /// The batch is larger than the server's limit. None of it was applied.
        case tooLarge
        /// The server failed. The batch is repeated unchanged.
        case unanswered(MethodError)
    }

    /// The outcome of the queued records.
    enum Queued: Sendable {
        /// The server has decided: it refused some ids finally and others temporarily, and created the rest. Records
        /// that were refused temporarily are sent again.
        case answered(refused: [String: SetError], later: [String: SetError])
        /// The records exceed the server's limit. None was created.
        case tooLarge
        /// The server failed, or doesn't know the type. The records are sent again.
        case unanswered(MethodError)
    }

    enum Pull: Sendable {
        case changes(Changes)
        case records(Records)
        case window(Window)
        /// The ids of a query, in its order.
        ///
        /// - Parameter limit: The server's limit, if it is smaller than the requested one.
        case ids([String], total: Int?, queryState: String?, limit: Int?)
        case outline(OutlinePage)
        /// The server can't calculate the changes since the state.
        case cannotCalculateChanges
        /// The server doesn't report the changed properties of updated records. Whole records have to be requested.
        case noPatches
        /// The answer would be too large. Less has to be requested.
        case tooLarge
    }

    struct Changes: Sendable {
        let newState: String
        let hasMore: Bool
        let records: Records
        /// Updated records of which the server sent only the changed properties. Their other properties are unchanged.
        var patches: [JSONText] = []

        var isEmpty: Bool { records.isEmpty && patches.isEmpty }
    }

    struct Records: Sendable {
        var state: String
        var list: [JSONText]
        /// The ids of records that the server reports as gone.
        var removedIDs: [String]

        var isEmpty: Bool { list.isEmpty && removedIDs.isEmpty }
    }

    /// A page of the newest records.
    struct Window: Sendable {
        /// The state from before the page was read.
        let state: String
        let queryState: String?
        /// The number of ids on the page.
        let ids: Int
        let records: Records
    }

    /// The outcome of the sealed writes; nil if none were sent.
    var writes: Writes?
    /// The outcome of the queued records; nil if none were sent.
    var queued: Queued?
    let pull: Pull
    /// The server's counts; nil if it sent none.
    private(set) var counts: JSON?
    /// Whether each probed type is unchanged, by the type's name. Types without an answer are absent.
    private(set) var isUnchanged: [String: Bool] = [:]
    /// The names of the probed types for which the server doesn't support `/changes`.
    private(set) var unsupportedProbes: [String] = []

    /// Whether the store may adopt the answer's state.
    ///
    /// It may not while the outcome of the writes is unknown. The server may have applied them before, so the records
    /// may already be newer than the confirmation that is still to come. They have to be fetched again with it.
    var movesState: Bool {
        if case .unanswered = writes { false } else { true }
    }

    /// The answer to a request of which neither server nor connection accept the size: it decides about nothing.
    static let tooLarge = SyncResponse(writes: nil, queued: nil, pull: .tooLarge)

    init(writes: Writes?, queued: Queued?, pull: Pull) {
        (self.writes, self.queued, self.pull) = (writes, queued, pull)
    }

    /// Reads an answer.
    ///
    /// - Throws: ``SyncError``: `method` for an error that ends the sync of the type, `malformed` for an answer with a
    ///   missing part.
    init(_ response: Response, to request: SyncRequest) throws(SyncError) {
        if let sealed = request.sealed {
            writes = try Self.writes(Self.answer(response, SyncRequest.Call.set), sealed, request.type.outline?.bulk)
        } else {
            writes = nil
        }
        if request.queued.isEmpty {
            queued = nil
        } else {
            queued = try Self.queued(Self.answer(response, SyncRequest.Call.queue), request.queued)
        }
        for probe in request.probes {
            guard let answer = response.answer(to: probe.call) else { continue }
            guard answer.name != "error" else {
                if answer.arguments["type"]?.value.stringValue == "unknownMethod" {
                    unsupportedProbes.append(probe.type.name)
                }
                continue
            }
            isUnchanged[probe.type.name] = answer.arguments["newState"]?.value.stringValue == probe.state
        }
        if request.wantsCounts, let answer = response.answer(to: SyncRequest.Call.counts), answer.name != "error" {
            counts = answer.arguments["list"]?.value
        }
        do throws(MethodError) {
            pull =
                switch request.pull {
                case .changes: .changes(try Self.changes(response))
                case .records, .all, .state: .records(try Self.records(response, SyncRequest.Call.records))
                case .ids, .matches: try Self.ids(response)
                case .outline: .outline(try Self.outline(response))
                case .window:
                    .window(try Self.window(response))
                }
        } catch {
            switch error.type {
            case "cannotCalculateChanges": pull = .cannotCalculateChanges
            case "requestTooLarge": pull = .tooLarge
            case Self.malformed: throw .malformed(error.description ?? "")
            case "invalidResultReference" where request.wantsPatches: pull = .noPatches
            // Some servers reject an unknown state as an invalid argument.
            case "invalidArguments" where Self.isRefusal(of: SyncRequest.Call.changes, in: response):
                pull = .cannotCalculateChanges
            // Servers have refused the ids in their own changes. All records are requested without ids.
            case "invalidArguments" where request.type.isFetchedWhole && Self.refusesChangedIDs(response):
                pull = .cannotCalculateChanges
            default: throw .method(error)
            }
        }
    }

    /// An error type of this package for an answer with a missing part, so that both kinds of failure are handled
    /// together.
    private static let malformed = "malformed"

    private static func answer(_ response: Response, _ call: String) throws(SyncError) -> Result<JSONText, MethodError>
    {
        guard let answer = response.answer(to: call) else { throw .malformed("no answer to the call \(call)") }
        return answer.name == "error"
            ? .failure(MethodError(json: answer.arguments.value)) : .success(answer.arguments)
    }

    private static func value(_ response: Response, _ call: String) throws(MethodError) -> JSONText {
        do {
            return try answer(response, call).get()
        } catch let error as MethodError {
            throw error
        } catch {
            throw MethodError(malformed, String(describing: error))
        }
    }

    private static func isRefusal(of call: String, in response: Response) -> Bool {
        response.answer(to: call)?.name == "error"
    }

    /// Whether the server refuses the ids of the changed records, which are those of its own answer.
    private static func refusesChangedIDs(_ response: Response) -> Bool {
        [SyncRequest.Call.created, SyncRequest.Call.updated].contains { isRefusal(of: $0, in: response) }
    }

    private static func writes(
        _ answer: Result<JSONText, MethodError>,
        _ sealed: SealedWrites,
        _ rule: BulkRule?
    ) -> Writes {
        switch answer {
        case .success(let arguments):
            var (refused, later) = decisions(arguments, "updated", "notUpdated", about: sealed.entries.map(\.id))
            guard let bulk = sealed.bulk else { return .answered(refused: refused, later: later) }
            guard let result = rule.flatMap({ arguments[$0.result]?.value }), result.objectValue != nil else {
                refused[bulk.id] = SetError("serverFail", "The server didn't report the outcome.")
                return .answered(refused: refused, later: later)
            }
            return .answered(refused: refused, later: later, bulkPosition: result["after"]?.stringValue)
        case .failure(let error):
            switch error.type {
            case "requestTooLarge": return .tooLarge
            case "serverUnavailable", "serverFail", "serverPartialFail", "accountNotFound", "unknownMethod":
                return .unanswered(error)
            default:
                let ids = (sealed.entries + [sealed.bulk].compactMap { $0 }).map(\.id)
                return .answered(refused: refusals(of: ids, error), later: [:])
            }
        }
    }

    private static func queued(_ answer: Result<JSONText, MethodError>, _ records: [QueuedRecord]) -> Queued {
        let uids = records.map(\.uid)
        switch answer {
        case .success(let arguments):
            let (refused, later) = decisions(arguments, "created", "notCreated", about: uids)
            return .answered(refused: refused, later: later)
        case .failure(let error):
            switch error.type {
            case "requestTooLarge": return .tooLarge
            case "invalidArguments", "forbidden", "accountReadOnly", "accountNotSupportedByMethod":
                return .answered(refused: refusals(of: uids, error), later: [:])
            default: return .unanswered(error)
            }
        }
    }

    /// Returns the decisions of a `set` about ids: final refusals, and those after which the write is sent again.
    private static func decisions(
        _ arguments: JSONText,
        _ done: String,
        _ notDone: String,
        about ids: [String]
    ) -> (refused: [String: SetError], later: [String: SetError]) {
        let done = Set((arguments[done]?.members ?? []).map(\.name))
        var refused = Dictionary(
            (arguments[notDone]?.members ?? []).map { ($0.name, SetError(json: $0.value.value)) },
            uniquingKeysWith: { first, _ in first }
        )
        let later = refused.filter { retryableErrors.contains($0.value.type) }
        refused = refused.filter { !retryableErrors.contains($0.value.type) }
        // An id in neither list violates the protocol. Waiting for it would block all others.
        for id in ids where !done.contains(id) && refused[id] == nil && later[id] == nil {
            refused[id] = SetError("serverFail", "The server didn't report the outcome.")
        }
        return (refused, later)
    }

    /// The errors after which the same write may succeed (RFC 8620, section 5.3). The last two are sent for single
    /// records too.
    private static let retryableErrors: Set = ["rateLimit", "serverUnavailable", "serverFail"]

    /// Returns the same refusal for all ids.
    private static func refusals(of ids: [String], _ error: MethodError) -> [String: SetError] {
        let refusal = SetError(error.type, error.description)
        return Dictionary(ids.map { ($0, refusal) }, uniquingKeysWith: { first, _ in first })
    }

    private static func changes(_ response: Response) throws(MethodError) -> Changes {
        let answer = try value(response, SyncRequest.Call.changes)
        guard let state = answer["newState"]?.value.stringValue else { throw MethodError(malformed, "no newState") }
        let created = try records(response, SyncRequest.Call.created)
        let updated = try records(response, SyncRequest.Call.updated)
        let destroyed = (answer["destroyed"]?.elements ?? []).compactMap(\.value.stringValue)
        // Null, or absent, if any property may have changed (RFC 8621, section 2.2).
        let isPartial = answer["updatedProperties"]?.value.arrayValue != nil
        return Changes(
            newState: state,
            hasMore: answer["hasMoreChanges"]?.value.boolValue ?? false,
            records: Records(
                state: updated.state,
                list: created.list + (isPartial ? [] : updated.list),
                removedIDs: destroyed + created.removedIDs + updated.removedIDs
            ),
            patches: isPartial ? updated.list : []
        )
    }

    private static func outline(_ response: Response) throws(MethodError) -> OutlinePage {
        let answer = try value(response, SyncRequest.Call.outline)
        guard let rows = answer["list"]?.elements else {
            throw MethodError(malformed, "no list in the answer to outline")
        }
        return OutlinePage(
            rows: rows,
            after: answer["after"]?.value.stringValue,
            state: answer["state"]?.value.stringValue
        )
    }

    private static func ids(_ response: Response) throws(MethodError) -> Pull {
        let answer = try value(response, SyncRequest.Call.query)
        guard let ids = answer["ids"]?.elements else { throw MethodError(malformed, "no ids in the answer to a query") }
        return .ids(
            ids.compactMap(\.value.stringValue),
            total: answer["total"]?.value.intValue,
            queryState: answer["queryState"]?.value.stringValue,
            limit: answer["limit"]?.value.intValue
        )
    }

    private static func window(_ response: Response) throws(MethodError) -> Window {
        let query = try value(response, SyncRequest.Call.query)
        return Window(
            state: try records(response, SyncRequest.Call.state).state,
            queryState: query["queryState"]?.value.stringValue,
            ids: query["ids"]?.elements?.count ?? 0,
            records: try records(response, SyncRequest.Call.records)
        )
    }

    private static func records(_ response: Response, _ call: String) throws(MethodError) -> Records {
        let answer = try value(response, call)
        guard let list = answer["list"]?.elements, let state = answer["state"]?.value.stringValue else {
            throw MethodError(malformed, "no list or state in the answer to \(call)")
        }
        return Records(
            state: state,
            list: list,
            removedIDs: (answer["notFound"]?.elements ?? []).compactMap(\.value.stringValue)
        )
    }
}
