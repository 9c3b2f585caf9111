import Foundation
public import Groundwork
public import InboxModel
import JMAP
public import ReplicaTesting

/// A server in memory for one person, for previews and for tests of an app. It speaks the JMAP methods that a client
/// uses.
///
/// It keeps the rules that a client relies on: states that increase, changes since a state, and batches that are
/// applied once. It isn't the real server: tests of the server's behavior run against that. `Documentation/Testing.md`
/// has complete tests.
public final class ScriptedServer: Sendable {
    /// The person whose inbox it holds.
    public let person: String

    /// The person's data, and the failures that a test has set.
    struct State {
        var account = ScriptedAccount(capabilities: [MessageCapability.uri])
        var messages = ScriptedRecords(.messages)
        /// The settings of surfaces.
        var surfaces = ScriptedRecords()
        var events: [MessageEvent] = []
        var eventFailure: MethodError?
    }

    // Guarded by the lock: a test changes the server during requests.
    let state = Locked(State())

    /// Creates a server without messages. It accepts any token.
    ///
    /// - Parameter person: The person whose inbox it holds.
    public init(person: String) {
        self.person = person
    }

    /// A transport to this server.
    public var transport: ScriptedTransport { ScriptedTransport { [self] in answer($0) } }

    /// Delivers messages. A message with the id of an existing one replaces it.
    public func deliver(_ messages: Message...) {
        deliver(messages.map(\.json))
    }

    func deliver(_ messages: [JSON]) {
        state.withLock { state in
            for json in messages where json.objectValue != nil {
                if let id = json["id"]?.stringValue { state.messages.put(id, json) }
            }
            state.notifyOfMessages()
        }
    }

    /// Recalls a message.
    public func recall(_ id: String) {
        state.withLock { state in
            if state.messages.remove(id) { state.notifyOfMessages() }
        }
    }

    /// Forgets all past changes. A client with an older state needs a full sync.
    public func forgetChanges() {
        state.withLock { $0.messages.forgetChanges() }
    }

    /// The server's messages, by id.
    public var messages: [Message] {
        state.withLock { state in state.messages.records.values.compactMap { try? Message(json: $0.json) } }
            .sorted { $0.id < $1.id }
    }

    /// The applied changes in order, as `id/field=value` with the value as JSON. A change that was sent repeatedly is
    /// there once.
    public var appliedWrites: [String] { state.withLock { $0.messages.appliedWrites } }

    /// The consent that applied writes stated, in order, as `id=true` or `id=false`.
    package var statedConsent: [String] { state.withLock { $0.messages.appliedAnnotations } }

    /// The received events in order, each once.
    public var events: [MessageEvent] { state.withLock { $0.events } }

    /// Answers an HTTP request.
    public func answer(_ request: TransportRequest) -> TransportResponse {
        state.withLock { state in
            let account = state.account
            return account.answer(request, of: person) { (method, arguments) throws(MethodError) in
                try state.answer(method, arguments)
            }
        }
    }
}

extension ScriptedServer.State {
    /// Answers a method call.
    mutating func answer(_ method: String, _ arguments: JSON) throws(MethodError) -> JSON {
        switch method {
        case "\(MessageCapability.messageType)/get": try messages.get(arguments)
        case "\(MessageCapability.messageType)/changes": try messages.changes(arguments)
        case "\(MessageCapability.messageType)/query": try messages.query(arguments)
        case "\(MessageCapability.messageType)/set": try set(arguments)
        case "\(MessageCapability.messageType)/counts": try counts()
        case "\(MessageCapability.messageType)/outline": try messages.outline(arguments)
        case "\(MessageCapability.eventType)/set": try createEvents(arguments)
        case "\(MessageCapability.surfaceType)/get": try surfaces.get(arguments)
        case "\(MessageCapability.surfaceType)/changes": try surfaces.changes(arguments)
        default: throw .unknownMethod
        }
    }

    private mutating func set(_ arguments: JSON) throws(MethodError) -> JSON {
        let before = messages.state
        let answer = try messages.set(arguments, limit: account.core.maxObjectsInSet)
        if messages.state != before { notifyOfMessages() }
        return answer
    }

    private mutating func createEvents(_ arguments: JSON) throws(MethodError) -> JSON {
        if let eventFailure { throw eventFailure }
        guard let create = arguments["create"]?.objectValue else { throw .invalidArguments("create") }
        if create.count > account.core.maxObjectsInSet { throw .requestTooLarge("maxObjectsInSet") }
        var created = JSONObject()
        var notCreated = JSONObject()
        for creation in create.members {
            do throws(JSONValueError) {
                let event = try MessageEvent(checking: JSONReader(creation.value))
                if !events.contains(where: { $0.uid == event.uid }) {
                    guard messages.records[event.message] != nil else {
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
}
