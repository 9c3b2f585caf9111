import Foundation
import GRDB
import Groundwork
import Hummingbird
import InboxModel
import JMAP
import Logging

/// Answers JMAP requests (RFC 8620 §3).
struct JMAPEndpoint: Sendable {
    let core: CoreCapability
    /// The session's state: the same as long as what the session says is the same, its addresses aside, which depend on how one
    /// came. All of it but a person's own name and account, which never change, are the capabilities.
    let sessionState: String
    private let people: People
    private let clock: any WallClock
    private let methods: [String: JMAPMethod]
    private let cache = AnswerCache()

    /// Past how many bytes of answers that a request's result references led to, no further reference is followed: each may bring a
    /// whole answer into the next, so that without a limit a few calls would have an answer that no memory holds.
    static let referredLimit = MessageMethods.maxAnswerSize

    /// - Parameter methods: By name, besides those of the core capability.
    init(people: People, methods: [String: JMAPMethod], core: CoreCapability, clock: any WallClock) {
        self.people = people
        self.clock = clock
        let general = JMAPMethod.refused.merging(["Core/echo": .echo]) { _, echo in echo }
        self.methods = methods.merging(general) { _, general in general }
        self.core = core
        sessionState = Self.state(of: Self.capabilities(core))
    }

    /// The names of all methods, in the order of their letters.
    var methodNames: [String] { methods.keys.sorted() }

    /// An answer whose arguments are JSON text, so that stored text needn't be read to be sent.
    private struct Answer {
        let name: String
        let arguments: [UInt8]
        let callID: String
        var validUntil: Date?
    }

    /// Answers the calls of a request in their order.
    ///
    /// - Throws: ``RequestError`` where the request is refused as a whole; what keeps the person's state from being read.
    func respond(to bytes: [UInt8], from person: Person, logger: Logger) async throws -> ByteBuffer {
        // Looked up before anything is read: what is read later is at least as new, and what is newer is found under no state.
        let state = try await people.latestState(of: person)
        let key = AnswerCache.Key(
            account: person.account,
            state: state,
            surface: people.surfaceState,
            request: bytes
        )
        if let key, let answer = cache[key, at: clock.now] { return answer }
        let request = try JMAP.Request(parsing: bytes)
        let (answer, isLasting, validUntil) = try await respond(to: request, from: person, logger: logger)
        let buffer = ByteBuffer(bytes: answer)
        if let key, isLasting { cache.add(buffer, for: key, validUntil: validUntil) }
        return buffer
    }

    /// Drops what is kept in memory of a person who was erased.
    func forget(account: String) {
        cache.remove(of: account)
    }

    /// - Returns: The answer, and whether it is the same as long as the person's state and that of the surfaces are, until a time.
    private func respond(
        to request: JMAP.Request,
        from person: Person,
        logger: Logger
    ) async throws -> (answer: [UInt8], isLasting: Bool, validUntil: Date?) {
        for uri in request.using where uri != CoreCapability.uri && uri != MessageCapability.uri {
            throw RequestError.unknownCapability(uri)
        }
        guard request.methodCalls.count <= core.maxCallsInRequest else {
            let detail = "A request may have \(core.maxCallsInRequest) calls."
            throw RequestError.limit("maxCallsInRequest", detail: detail)
        }
        var answers: [Answer] = []
        var createdIDs = request.createdIds ?? [:]
        var referred = 0
        for call in request.methodCalls {
            answers.append(
                await answer(
                    to: call,
                    in: request,
                    after: answers,
                    referred: &referred,
                    createdIDs: &createdIDs,
                    person: person,
                    logger: logger
                )
            )
        }
        // A failure may pass; a method that isn't known may be so for want of its capability.
        let isLasting = answers.allSatisfy { methods[$0.name]?.isReading ?? false }
        let bytes = response(answers, createdIDs: request.createdIds == nil ? nil : createdIDs)
        return (bytes, isLasting, answers.compactMap(\.validUntil).min())
    }

    private func answer(
        to call: Invocation,
        in request: JMAP.Request,
        after answers: [Answer],
        referred: inout Int,
        createdIDs: inout CreatedIDs,
        person: Person,
        logger: Logger
    ) async -> Answer {
        do {
            guard let method = methods[call.name], request.using.contains(method.capability) else {
                throw MethodError.unknownMethod
            }
            let arguments = try Self.arguments(of: call, after: answers, referred: &referred)
            let result = try await method.answer(JMAPCall(arguments: arguments, person: person, createdIDs: createdIDs))
            createdIDs.merge(result.createdIDs)
            return Answer(
                name: call.name,
                arguments: result.arguments,
                callID: call.callID,
                validUntil: result.validUntil
            )
        } catch {
            let failure: MethodError
            switch error {
            case let error as MethodError: failure = error
            case let error as JSONValueError: failure = .invalidArguments(error)
            // The person was erased while the request was on its way.
            case is RecordNotFound: failure = .accountNotFound
            case let error as DatabaseError where error.isPassing:
                logger.error("a method failed", metadata: ["method": "\(call.name)", "error": "\(error)"])
                failure = MethodError("serverUnavailable", "The server can't write at the moment. Try again later.")
            default:
                logger.error("a method failed", metadata: ["method": "\(call.name)", "error": "\(error)"])
                failure = MethodError("serverFail", "The server couldn't do this. Try again later.")
            }
            return Answer(name: "error", arguments: failure.json.utf8, callID: call.callID)
        }
    }

    /// The arguments of a call, its result references resolved.
    ///
    /// - Parameter referred: How many bytes of answers the request's references have led to so far.
    private static func arguments(
        of call: Invocation,
        after answers: [Answer],
        referred: inout Int
    ) throws(MethodError) -> JSONObject {
        var isTooMuch = false
        do {
            return try call.arguments.resolvingReferences { reference in
                guard let answer = answers.first(where: { $0.callID == reference.resultOf }),
                    answer.name == reference.name
                else { return nil }
                guard referred <= referredLimit else {
                    isTooMuch = true
                    return nil
                }
                referred += answer.arguments.count
                return try? JSON(parsing: answer.arguments)
            }
        } catch {
            guard isTooMuch else { throw error }
            throw .requestTooLarge("The request's result references lead to more than \(referredLimit) bytes.")
        }
    }

    private func response(_ answers: [Answer], createdIDs: CreatedIDs?) -> [UInt8] {
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
        if let createdIDs {
            bytes.append(contentsOf: #","createdIds":"#.utf8)
            createdIDs.json.write(to: &bytes)
        }
        bytes.append(contentsOf: #","sessionState":"#.utf8)
        JSON.write(string: sessionState, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}
