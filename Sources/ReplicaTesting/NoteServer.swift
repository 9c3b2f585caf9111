import Foundation
package import Groundwork
package import JMAP
package import Replica

/// A JMAP server in memory for the types of this module: notes, folders, photos and replies, of one or more accounts.
package final class NoteServer: Sendable {
    fileprivate struct State {
        var account = ScriptedAccount(capabilities: [RecordType.noteCapability])
        /// The records of the accounts, by account and type.
        var accounts: [String: [String: ScriptedRecords]] = [ScriptedAccount.id: Self.types]
        /// The names of the types that the server lacks.
        var lacking: Set<String> = []
        var events: [JSON] = []
        var log: [String] = []
        var fetched: [String] = []
        var requestCount = 0
        var losesAnswers = false
        var eventLimit = Int.max
        var outlineFailure: MethodError?

        static let types = [
            "Note": ScriptedRecords(.notes), "Folder": ScriptedRecords(), "Photo": ScriptedRecords(.byDate),
            "Reply": ScriptedRecords(.replies),
        ]
    }

    // Guarded by the lock: tests change records during requests.
    private let state = Locked(State())

    package init() {}

    /// A transport to this server, with its event stream.
    package var transport: ScriptedTransport {
        let transport = ScriptedTransport { [self] in try answer($0) }
        transport.answerStreams { [self] _ in openEvents() }
        return transport
    }

    /// The names of the called methods, in order.
    package var log: [String] { state.withLock { $0.log } }
    /// The ids of the records that `get` returned, in order.
    package var fetched: [String] { state.withLock { $0.fetched } }
    /// The number of requests.
    package var requestCount: Int { state.withLock { $0.requestCount } }
    /// The received events in order, each once.
    package var events: [JSON] { state.withLock { $0.events } }

    package func clearLog() { state.withLock { ($0.log, $0.fetched, $0.requestCount) = ([], [], 0) } }

    /// Whether each request is applied and its response lost.
    package func loseAnswers(_ loses: Bool) { state.withLock { $0.losesAnswers = loses } }

    /// Sets the error of `Note/counts` and `Note/outline`: `unknownMethod` for a server without outlines; nil for none.
    package func failOutline(with error: MethodError?) { state.withLock { $0.outlineFailure = error } }

    /// Sets the number of calls that a request may have. Clients learn of it with their next session.
    package func limitCalls(to number: Int) {
        state.withLock { state in
            state.account.core.maxCallsInRequest = number
            state.account.sessionNumber += 1
        }
    }

    /// Sets the number of events beyond which `NoteEvent/set` answers `requestTooLarge`. The session doesn't state it.
    package func limitEvents(to number: Int) { state.withLock { $0.eventLimit = number } }

    /// Sets whether the server has a type. Clients learn of it with their next session.
    package func support(_ type: RecordType, _ isSupported: Bool) {
        state.withLock { state in
            if isSupported { state.lacking.remove(type.name) } else { state.lacking.insert(type.name) }
            state.account.sessionNumber += 1
        }
    }

    /// Adds an account that others share with the person, with records of its own.
    package func share(_ account: String) {
        state.withLock { state in
            state.account.shared.append(account)
            state.accounts[account] = State.types
            state.account.sessionNumber += 1
        }
    }

    /// Changes the records of a type, and reports the type's new state to event streams.
    ///
    /// - Parameter account: The account of the records.
    @discardableResult
    package func change<Value>(
        _ type: RecordType,
        in account: String = ScriptedAccount.id,
        _ body: (inout ScriptedRecords) -> Value
    ) -> Value {
        state.withLock { state in
            var records = state.accounts[account]?[type.name] ?? ScriptedRecords()
            let before = records.state
            let value = body(&records)
            state.accounts[account]?[type.name] = records
            if records.state != before { state.account.notify(type.name, records.state) }
            return value
        }
    }

    /// Adds or replaces records.
    package func put(_ type: RecordType, _ records: JSON...) {
        change(type) { type in
            for json in records { type.put(json["id"]?.stringValue ?? "", json) }
        }
    }

    /// The values of a property by id, of the records that have it.
    package func values(_ type: RecordType, _ property: String) -> [String: JSON] {
        change(type) { $0.records.compactMapValues { $0.json[property] } }
    }

    /// Answers an HTTP request.
    ///
    /// - Throws: `TransportError` if the response is lost.
    package func answer(_ request: TransportRequest) throws -> TransportResponse {
        try state.withLock { state in
            let account = state.account
            let response = account.answer(request, of: "ann") { (method, arguments) throws(MethodError) in
                state.log.append(method)
                return try state.answer(method, arguments)
            }
            guard request.body != nil else { return response }
            state.requestCount += 1
            if state.losesAnswers { throw TransportError.unreachable("the response was lost") }
            return response
        }
    }

    private func openEvents() -> TransportStream {
        let (body, listener) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        let id = UUID()
        state.withLock { $0.account.addListener(id, listener) }
        listener.onTermination = { [weak self] _ in self?.state.withLock { $0.account.removeListener(id) } }
        return TransportStream(status: 200, body: body)
    }
}

extension NoteServer.State {
    fileprivate mutating func answer(_ method: String, _ arguments: JSON) throws(MethodError) -> JSON {
        let parts = method.split(separator: "/").map(String.init)
        guard parts.count == 2, !lacking.contains(parts[0]) else { throw .unknownMethod }
        let id = arguments["accountId"]?.stringValue ?? ""
        guard let types = accounts[id] else { throw MethodError("accountNotFound") }
        switch (parts[0], parts[1]) {
        case ("NoteEvent", "set"): return try createEvents(arguments)
        case ("Topic", "get"): return try topics(arguments, types["Reply"])
        default: break
        }
        guard var records = types[parts[0]] else { throw .unknownMethod }
        switch parts[1] {
        case "get":
            let answer = try records.get(arguments)
            fetched += (answer["list"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
            return answer
        case "changes": return try records.changes(arguments)
        case "query": return try records.query(arguments)
        case "set":
            let answer = try records.set(arguments, limit: account.core.maxObjectsInSet)
            if records.state != types[parts[0]]?.state { account.notify(parts[0], records.state) }
            accounts[id]?[parts[0]] = records
            return answer
        case "outline" where parts[0] == "Note":
            if let outlineFailure { throw outlineFailure }
            return try records.outline(arguments)
        case "counts" where parts[0] == "Note":
            if let outlineFailure { throw outlineFailure }
            return try records.counts(buckets: ["folder"], counters: ["open", "starred", "done"]) { json in
                [
                    json["doneAt"] ?? .null == .null ? 1 : 0,
                    (json["stars"]?.intValue ?? 0) > 0 ? 1 : 0, 0,
                ]
            }
        default: throw .unknownMethod
        }
    }

    private mutating func createEvents(_ arguments: JSON) throws(MethodError) -> JSON {
        var created = JSONObject()
        let creations = arguments["create"]?.objectValue?.members ?? []
        if creations.count > eventLimit { throw .requestTooLarge("too many events") }
        for creation in creations {
            if !events.contains(creation.value) { events.append(creation.value) }
            created.add(creation.name, ["id": .string(creation.name)])
        }
        return ["newState": "0", "created": .object(created)]
    }

    /// The groups of replies: of each topic the ids of its replies.
    private func topics(_ arguments: JSON, _ records: ScriptedRecords?) throws(MethodError) -> JSON {
        let (replies, ids) = (records?.records(upTo: .max) ?? [], arguments["ids"]?.arrayValue ?? [])
        if ids.count >= records?.tooManyRecords ?? .max { throw .requestTooLarge("too many topics") }
        let list = ids.map { topic in
            JSON.object(
                JSONObject([
                    ("id", topic), ("replies", JSON(replies.filter { $0.json["topic"] == topic }.map(\.id))),
                ])
            )
        }
        return ["state": "0", "list": .array(list), "notFound": []]
    }
}

extension ScriptedRecords.Rules {
    fileprivate static var byDate: ScriptedRecords.Rules {
        var rules = ScriptedRecords.Rules()
        rules.order = "at"
        return rules
    }

    fileprivate static var notes: ScriptedRecords.Rules {
        var rules = byDate
        rules.defaults = ["stars": 0]
        rules.personal = ["doneAt", "color"]
        rules.bulk = ScriptedRecords.Bulk(
            argument: "markAllDone",
            result: "markedAllDone",
            properties: ["doneAt"],
            scope: "folder",
            reaches: { json, _ in json["doneAt"] ?? .null == .null }
        )
        return rules
    }

    fileprivate static var replies: ScriptedRecords.Rules {
        var rules = byDate
        rules.collapse = ("collapseTopics", "topic")
        return rules
    }
}
