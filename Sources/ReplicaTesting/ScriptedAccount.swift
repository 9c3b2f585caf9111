package import Foundation
package import Groundwork
package import JMAP

/// A JMAP server's answers to one person: the session, and each request's calls in order (RFC 8620, sections 2 and 3).
/// The caller implements the methods.
package struct ScriptedAccount: Sendable {
    /// The id of the person's own account, which is the primary one.
    package static let id = "account"

    /// The capabilities of the accounts, besides the core's.
    package let capabilities: [String]
    /// The ids of accounts that others share with the person.
    package var shared: [String] = []
    /// The limits of the server. A client learns of changes with a new session.
    package var core = CoreCapability()
    /// The number of the session. Clients that see another one fetch the session again.
    package var sessionNumber = 1
    private var listeners: [UUID: AsyncThrowingStream<[UInt8], any Error>.Continuation] = [:]

    package init(capabilities: [String]) {
        self.capabilities = capabilities
    }

    /// Answers an HTTP request.
    ///
    /// - Parameter method: Answers a call, with its result references resolved.
    package func answer(
        _ request: TransportRequest,
        of person: String,
        _ method: (_ name: String, _ arguments: JSON) throws(MethodError) -> JSON
    ) -> TransportResponse {
        let url = request.url
        if url.path == "/.well-known/jmap" {
            return TransportResponse(status: 200, body: session(of: person).json.utf8, url: url)
        }
        guard let body = request.body, let request = try? Request(parsing: body) else {
            return TransportResponse(status: 404, url: url)
        }
        guard request.methodCalls.count <= core.maxCallsInRequest else {
            let problem: JSON = [
                "type": "urn:ietf:params:jmap:error:limit", "status": 400, "limit": "maxCallsInRequest",
            ]
            return TransportResponse(status: 400, body: problem.utf8, url: url)
        }
        var answers: [(name: String, arguments: JSON, callID: String)] = []
        for call in request.methodCalls {
            do throws(MethodError) {
                let arguments = try call.arguments.resolvingReferences { reference in
                    answers.first { $0.callID == reference.resultOf && $0.name == reference.name }?.arguments
                }
                answers.append((call.name, try method(call.name, .object(arguments)), call.callID))
            } catch {
                answers.append(("error", error.json, call.callID))
            }
        }
        let response: JSON = [
            "methodResponses": .array(answers.map { [.string($0.name), $0.arguments, .string($0.callID)] }),
            "sessionState": .string(String(sessionNumber)),
        ]
        return TransportResponse(status: 200, body: response.utf8, url: url)
    }

    private func session(of person: String) -> Session {
        Session(
            capabilities: JSONObject([(CoreCapability.uri, core.json)] + capabilities.map { ($0, [:]) }),
            accounts: Dictionary(uniqueKeysWithValues: ([Self.id] + shared).map { ($0, account($0, of: person)) }),
            primaryAccounts: Dictionary(capabilities.map { ($0, Self.id) }) { first, _ in first },
            username: person,
            apiURL: "/api",
            downloadURL: "/download",
            uploadURL: "/upload",
            eventSourceURL: "/events",
            state: String(sessionNumber)
        )
    }

    private func account(_ id: String, of person: String) -> Session.Account {
        Session.Account(
            name: id == Self.id ? person : id,
            isPersonal: id == Self.id,
            isReadOnly: false,
            accountCapabilities: JSONObject(capabilities.map { ($0, [:]) })
        )
    }

    /// Adds a listener of an event stream (RFC 8620, section 7.3).
    package mutating func addListener(_ id: UUID, _ listener: AsyncThrowingStream<[UInt8], any Error>.Continuation) {
        listeners[id] = listener
    }

    package mutating func removeListener(_ id: UUID) { listeners[id] = nil }

    /// Sends the state of a type to all listeners.
    package func notify(_ type: String, _ state: Int) {
        let event = EventStreamEvent(name: "state", data: StateChange.text(of: Self.id, [(type, String(state))]))
        for listener in listeners.values { listener.yield(event.bytes) }
    }
}
