import Groundwork
import InboxModel
import JMAP
import Logging

/// Answers JMAP requests (RFC 8620 §3).
struct JMAPEndpoint: Sendable {
    let core: CoreCapability
    /// The session's state: the same as long as what the session says is the same, its addresses aside, which depend on how one
    /// came. All of it but a person's own name and account, which never change, are the capabilities.
    let sessionState: String
    private let methods: MessageMethods

    init(methods: MessageMethods, core: CoreCapability) {
        self.methods = methods
        self.core = core
        sessionState = Self.state(of: Self.capabilities(core))
    }

    /// An answer whose arguments are JSON text, so that stored text needn't be read to be sent.
    private struct Answer {
        let name: String
        let arguments: [UInt8]
        let callID: String
    }

    /// Answers the calls of a request in their order.
    ///
    /// - Throws: ``RequestError`` where the request is refused as a whole.
    func respond(to bytes: [UInt8], from person: Person, logger: Logger) async throws(RequestError) -> [UInt8] {
        let request = try Request(parsing: bytes)
        for uri in request.using where uri != CoreCapability.uri && uri != MessageCapability.uri {
            throw .unknownCapability(uri)
        }
        guard request.methodCalls.count <= core.maxCallsInRequest else {
            throw .limit("maxCallsInRequest", detail: "A request may have \(core.maxCallsInRequest) calls.")
        }
        var answers: [Answer] = []
        for call in request.methodCalls {
            answers.append(await answer(to: call, using: request.using, after: answers, person: person, logger: logger))
        }
        return response(answers, to: request, person: person)
    }

    private func answer(
        to call: Invocation,
        using capabilities: [String],
        after answers: [Answer],
        person: Person,
        logger: Logger
    ) async -> Answer {
        do {
            let method = try Self.method(call.name, using: capabilities)
            let arguments = try call.arguments.resolvingReferences { reference in
                let answer = answers.first { $0.callID == reference.resultOf }
                return answer.flatMap { $0.name == reference.name ? try? JSON(parsing: $0.arguments) : nil }
            }
            let result = try await run(method, with: arguments, for: person)
            return Answer(name: call.name, arguments: result, callID: call.callID)
        } catch {
            let failure: MethodError
            switch error {
            case let error as MethodError: failure = error
            case let error as JSONValueError: failure = .invalidArguments(error)
            default:
                logger.error("a method failed", metadata: ["method": "\(call.name)", "error": "\(error)"])
                failure = MethodError("serverFail", "The server couldn't do this. Try again later.")
            }
            return Answer(name: "error", arguments: failure.json.utf8, callID: call.callID)
        }
    }

    private enum Method {
        case echo, get, changes, query, set
    }

    /// The method of that name, where its capability is used.
    private static func method(_ name: String, using capabilities: [String]) throws(MethodError) -> Method {
        let method: (capability: String, method: Method)? =
            switch name {
            case "Core/echo": (CoreCapability.uri, .echo)
            case MessageCapability.messageType + "/get": (MessageCapability.uri, .get)
            case MessageCapability.messageType + "/changes": (MessageCapability.uri, .changes)
            case MessageCapability.messageType + "/query": (MessageCapability.uri, .query)
            case MessageCapability.messageType + "/set": (MessageCapability.uri, .set)
            default: nil
            }
        guard let method, capabilities.contains(method.capability) else { throw .unknownMethod }
        return method.method
    }

    private func run(_ method: Method, with arguments: JSONObject, for person: Person) async throws -> [UInt8] {
        let reader = JSONReader(.object(arguments))
        return switch method {
        case .echo: JSON.object(arguments).utf8
        case .get: try await methods.get(try GetArguments(reading: reader), for: person)
        case .changes: try await methods.changes(try ChangesArguments(reading: reader), for: person)
        case .query: try await methods.query(try QueryArguments(reading: reader), for: person)
        case .set: try await methods.set(try SetArguments(reading: reader), for: person)
        }
    }

    private func response(_ answers: [Answer], to request: Request, person: Person) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(answers.reduce(256) { $0 + $1.arguments.count + 64 })
        bytes.append(contentsOf: #"{"methodResponses":["#.utf8)
        for (index, answer) in answers.enumerated() {
            bytes.append(contentsOf: (index > 0 ? ",[" : "[").utf8)
            JSON.write(string: answer.name, to: &bytes)
            bytes.append(UInt8(ascii: ","))
            bytes.append(contentsOf: answer.arguments)
            bytes.append(UInt8(ascii: ","))
            JSON.write(string: answer.callID, to: &bytes)
            bytes.append(UInt8(ascii: "]"))
        }
        bytes.append(UInt8(ascii: "]"))
        if let ids = request.createdIds {
            // Nothing here is created by clients, so these are the ones that came.
            bytes.append(contentsOf: #","createdIds":"#.utf8)
            JSON.object(JSONObject(ids.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })).write(
                to: &bytes
            )
        }
        bytes.append(contentsOf: #","sessionState":"#.utf8)
        JSON.write(string: sessionState, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}
