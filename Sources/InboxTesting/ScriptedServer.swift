import Foundation
public import Groundwork
public import InboxModel
import JMAP

/// An in-memory server for one person, for previews and app tests. It implements the part of JMAP that the client uses.
///
/// It keeps the rules on which a client relies: a single increasing state, changes since a state, and batches that are
/// applied once. It isn't the real server: the server's behavior is tested against the real one.
/// `Documentation/Testing.md` contains complete tests.
public final class ScriptedServer: Sendable {
    /// The owner of the inbox.
    public let person: String

    struct Record {
        var json: JSONObject
        /// The states of its creation, of its latest change, and of the latest change beyond the person's own values.
        var created: Int
        var changed: Int
        var edited: Int
    }

    struct State {
        var records: [String: Record] = [:]
        var destroyed: [String: (created: Int, at: Int)] = [:]
        var state = 0
        /// The oldest state since which changes are known.
        var oldest = 0
        var batches: [String: (number: Int, answer: JSON)] = [:]
        var refusals: [String: SetError] = [:]
        var setFailure: MethodError?
        var appliedWrites: [String] = []
        var statedConsent: [String] = []
        var events: [MessageEvent] = []
        var eventFailure: MethodError?
        var core = CoreCapability()
        var surfaces = Surfaces()
        var session = 1
        var listeners: [UUID: AsyncThrowingStream<[UInt8], any Error>.Continuation] = [:]
    }

    // Guarded by the lock.
    let state = Locked(State())

    /// - Parameter person: The owner of the inbox. Every token is accepted.
    public init(person: String) {
        self.person = person
    }

    /// A transport to this server.
    public var transport: ScriptedTransport { ScriptedTransport { [self] in answer($0) } }

    /// Delivers messages. A message with the id of an existing one replaces it, as an edit.
    public func deliver(_ messages: Message...) {
        deliver(messages.map(\.json))
    }

    func deliver(_ messages: [JSON]) {
        state.withLock { state in
            for json in messages {
                guard let object = json.objectValue, let id = json["id"]?.stringValue else { continue }
                state.state += 1
                let created = state.records[id]?.created ?? state.state
                state.records[id] = Record(json: object, created: created, changed: state.state, edited: state.state)
            }
            state.notifyOfMessages()
        }
    }

    /// Recalls a message.
    public func recall(_ id: String) {
        state.withLock { state in
            guard let record = state.records.removeValue(forKey: id) else { return }
            state.state += 1
            state.destroyed[id] = (record.created, state.state)
            state.notifyOfMessages()
        }
    }

    /// Discards the history of changes, so that a client with an older state needs a full sync.
    public func forgetChanges() {
        state.withLock { $0.oldest = $0.state }
    }

    /// The server's messages, ordered by id.
    public var messages: [Message] {
        state.withLock { state in state.records.values.compactMap { try? Message(json: .object($0.json)) } }
            .sorted { $0.id < $1.id }
    }

    /// The applied changes in order, as `id/field=value` with the value as JSON. A repeated change is listed once.
    public var appliedWrites: [String] { state.withLock { $0.appliedWrites } }

    /// The statements of consent in the applied writes, in order, as `id=true` or `id=false`.
    package var statedConsent: [String] { state.withLock { $0.statedConsent } }

    /// The stored events in order. A repeated event is listed once.
    public var events: [MessageEvent] { state.withLock { $0.events } }

    /// Responds to an HTTP request.
    public func answer(_ request: TransportRequest) -> TransportResponse {
        let json: JSON
        if request.url.path == "/.well-known/jmap" {
            json = session.json
        } else if let body = request.body, let calls = try? Request(parsing: body) {
            json = answer(calls)
        } else {
            return TransportResponse(status: 404, url: request.url)
        }
        return TransportResponse(status: 200, body: json.utf8, url: request.url)
    }
}

extension ScriptedServer {
    static let account = "account"

    private var session: Session {
        let (core, number) = state.withLock { ($0.core, $0.session) }
        let capabilities = JSONObject([
            (CoreCapability.uri, core.json), (MessageCapability.uri, .object(JSONObject())),
        ])
        return Session(
            capabilities: capabilities,
            accounts: [
                Self.account: Session.Account(
                    name: person,
                    isPersonal: true,
                    isReadOnly: false,
                    accountCapabilities: JSONObject([(MessageCapability.uri, .object(JSONObject()))])
                )
            ],
            primaryAccounts: [MessageCapability.uri: Self.account],
            username: person,
            apiUrl: "/api",
            downloadUrl: "/download",
            uploadUrl: "/upload",
            eventSourceUrl: "/events",
            state: String(number)
        )
    }

    private func answer(_ request: Request) -> JSON {
        var answers: [(name: String, arguments: JSON, callID: String)] = []
        for call in request.methodCalls {
            do throws(MethodError) {
                let arguments = try call.arguments.resolvingReferences { reference in
                    answers.first { $0.callID == reference.resultOf && $0.name == reference.name }?.arguments
                }
                answers.append(
                    (
                        call.name,
                        try state.withLock { (state) throws(MethodError) in
                            try state.answer(call.name, .object(arguments))
                        }, call.callID
                    )
                )
            } catch {
                answers.append(("error", error.json, call.callID))
            }
        }
        return [
            "methodResponses": .array(answers.map { [.string($0.name), $0.arguments, .string($0.callID)] }),
            "sessionState": .string(state.withLock { String($0.session) }),
        ]
    }
}

extension ScriptedServer.State {
    mutating func answer(_ method: String, _ arguments: JSON) throws(MethodError) -> JSON {
        switch method {
        case "\(MessageCapability.messageType)/get": get(arguments)
        case "\(MessageCapability.messageType)/changes": try changes(arguments)
        case "\(MessageCapability.messageType)/query": query(arguments)
        case "\(MessageCapability.messageType)/set": try set(arguments)
        case "\(MessageCapability.messageType)/counts": counts()
        case "\(MessageCapability.messageType)/outline": try outline(arguments)
        case "\(MessageCapability.eventType)/set": try takeEvents(arguments)
        case "\(MessageCapability.surfaceType)/get": try surfaces.get(arguments)
        case "\(MessageCapability.surfaceType)/changes": try surfaces.changes(arguments)
        default: throw .unknownMethod
        }
    }

    private func get(_ arguments: JSON) -> JSON {
        let ids = arguments["ids"]?.arrayValue?.compactMap(\.stringValue) ?? Array(records.keys)
        return [
            "state": .string(String(state)),
            "list": .array(ids.compactMap { id in records[id].map { .object($0.json) } }),
            "notFound": JSON(ids.filter { records[$0] == nil }),
        ]
    }

    private func changes(_ arguments: JSON) throws(MethodError) -> JSON {
        guard let since = arguments["sinceState"]?.stringValue.flatMap({ Int($0) }), since <= state, since >= oldest
        else {
            throw .cannotCalculateChanges
        }
        // Records that were created and destroyed since then aren't reported (RFC 8620, section 5.2).
        let all =
            (records.map { (id: $0.key, at: $0.value.changed, created: $0.value.created, isGone: false) }
            + destroyed.filter { $0.value.created <= since }
            .map { (id: $0.key, at: $0.value.at, created: 0, isGone: true) })
            .filter { $0.at > since }.sorted { $0.at < $1.at }
        let page = all.prefix(arguments["maxChanges"]?.intValue ?? .max)
        let newState = page.count == all.count ? state : page.last?.at ?? since
        let updated = page.filter { !$0.isGone && $0.created <= since }
        // As for mailboxes (RFC 8621 §2.2): the properties that may have changed in the updated records, or null for
        // any.
        let isPersonal = !updated.isEmpty && updated.allSatisfy { records[$0.id].map { $0.edited <= since } ?? false }
        let properties: JSON = isPersonal ? JSON(MessageField.personal.map(\.rawValue)) : .null
        return [
            "oldState": .string(String(since)),
            "newState": .string(String(newState)),
            "hasMoreChanges": .bool(page.count < all.count),
            "created": JSON(page.filter { !$0.isGone && $0.created > since }.map(\.id)),
            "updated": JSON(updated.map(\.id)),
            "destroyed": JSON(page.filter(\.isGone).map(\.id)),
            "updatedProperties": properties,
        ]
    }

    private func query(_ arguments: JSON) -> JSON {
        let query = ScriptedQuery(arguments)
        let found = query.found(in: records.values.map(\.json))
            .dropFirst(arguments["position"]?.intValue ?? 0)
            .prefix(arguments["limit"]?.intValue ?? .max)
        return ["ids": JSON(Array(found)), "queryState": .string(String(state)), "canCalculateChanges": false]
    }

    private mutating func takeEvents(_ arguments: JSON) throws(MethodError) -> JSON {
        if let eventFailure { throw eventFailure }
        guard let create = arguments["create"]?.objectValue else { throw .invalidArguments("create") }
        if create.count > core.maxObjectsInSet { throw .requestTooLarge("maxObjectsInSet") }
        var created = JSONObject()
        var notCreated = JSONObject()
        for creation in create.members {
            do throws(JSONValueError) {
                let event = try MessageEvent(checking: JSONReader(creation.value))
                if !events.contains(where: { $0.uid == event.uid }) {
                    guard records[event.message] != nil else {
                        throw JSONValueError(pointer: JSONPointer(["message"]), problem: "isn't in the inbox")
                    }
                    events.append(event)
                }
                created.add(creation.name, ["id": .string(event.uid)])
            } catch {
                notCreated.add(creation.name, SetError("invalidProperties", error.description).json)
            }
        }
        return ["newState": "0", "created": .object(created), "notCreated": .object(notCreated)]
    }

    private mutating func set(_ arguments: JSON) throws(MethodError) -> JSON {
        if let setFailure { throw setFailure }
        guard let update = arguments["update"]?.objectValue else { throw .invalidArguments("update") }
        if update.count > core.maxObjectsInSet { throw .requestTooLarge("maxObjectsInSet") }
        let batch = arguments[Batch.argument]
        let epoch = batch?["epoch"]?.stringValue ?? ""
        let number = batch?["number"]?.intValue ?? 0
        if let answered = batches[epoch], answered.number == number { return answered.answer }
        var updated = JSONObject()
        var notUpdated = JSONObject()
        for patch in update.members {
            if let refusal = refusals[patch.name] {
                notUpdated.add(patch.name, refusal.json)
            } else if var record = records[patch.name], let fields = patch.value.objectValue {
                for field in fields.members {
                    if field.name == MessageCapability.consent {
                        statedConsent.append("\(patch.name)=\(field.value)")
                        continue
                    }
                    record.json[field.name] = field.value
                    appliedWrites.append("\(patch.name)/\(field.name)=\(field.value)")
                }
                state += 1
                record.changed = state
                records[patch.name] = record
                updated.add(patch.name, .null)
            } else {
                notUpdated.add(patch.name, SetError.notFound.json)
            }
        }
        var answer: JSON = [
            "newState": .string(String(state)), "updated": .object(updated), "notUpdated": .object(notUpdated),
        ]
        if let write = arguments[MarkAllRead.argument], var object = answer.objectValue {
            object[MarkAllRead.result] = try markAllRead(write)
            object["newState"] = .string(String(state))
            answer = .object(object)
        }
        batches[epoch] = (number, answer)
        notifyOfMessages()
        return answer
    }
}
