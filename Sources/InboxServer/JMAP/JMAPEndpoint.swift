import Foundation
import Groundwork
import Hummingbird
import InboxModel
import InboxService
import JMAP
import Logging

/// Answers JMAP requests (RFC 8620 §3).
struct JMAPEndpoint: Sendable {
    let core: CoreCapability
    /// The session's state: the same as long as what the session says is the same, its addresses aside, which depend on
    /// how one came. All of it but a person's own name and account, which never change, are the capabilities.
    let sessionState: String
    private let people: People
    private let clock: any WallClock
    private let methods: [String: JMAPMethod]
    private let cache = AnswerCache()
    /// How many records each person may change.
    private let changes: RateLimiter

    /// Past how many bytes of answers that a request's result references led to, no further reference is followed: each
    /// may bring a whole answer into the next, so that without a limit a few calls would have an answer that no memory
    /// holds.
    static let referredLimit = 16 * 1_048_576

    /// - Parameters:
    ///   - methods: By name, besides those of the core capability.
    ///   - changeRate: How many records one person may change.
    init(
        people: People,
        methods: [String: JMAPMethod],
        core: CoreCapability,
        changeRate: FairUse.Rate? = nil,
        clock: any WallClock
    ) {
        changes = RateLimiter("changes", changeRate, clock: clock)
        self.people = people
        self.clock = clock
        let general = JMAPMethod.refused.merging(["Core/echo": .echo]) { _, echo in echo }
        self.methods = methods.merging(general) { _, general in general }
        self.core = core
        sessionState = Self.state(of: Self.capabilities(core))
    }

    /// The names of all methods, in the order of their letters.
    var methodNames: [String] { methods.keys.sorted() }

    /// An answer whose arguments are JSON text, so that stored text is sent without being parsed.
    private struct Answer {
        let name: String
        let arguments: [UInt8]
        let callID: String
        var validUntil: Date?
    }

    /// Answers the calls of a request in their order.
    ///
    /// - Throws: ``RequestError`` if the whole request is rejected; ``Problem`` if it changes more than the person's
    ///   rate allows; ``BudgetError`` if the client has disconnected; the errors of reading the person's state.
    func respond(to bytes: [UInt8], reading reads: PersonReads, logger: Logger) async throws -> ByteBuffer {
        let person = reads.person
        // Looked up before anything is read: what is read later is at least as new, and what is newer is found under no
        // state.
        let state = try await people.latestState(of: person)
        let key = AnswerCache.Key(
            account: person.account,
            state: state,
            surface: people.surfaceState,
            request: bytes
        )
        if let key, let answer = cache[key, at: clock.now] { return answer }
        let request = try JMAP.Request(parsing: bytes)
        try changes.count(changeCount(of: request), of: person.id)
        let (answer, isLasting, validUntil) = try await respond(to: request, reading: reads, logger: logger)
        if let key, isLasting { cache.add(answer, for: key, validUntil: validUntil) }
        return answer
    }

    /// Drops what is kept in memory of a person who was erased.
    func forget(account: String) {
        cache.remove(of: account)
    }

    /// - Returns: The answer, and whether it is the same as long as the person's state and that of the surfaces are,
    ///   until a time.
    private func respond(
        to request: JMAP.Request,
        reading reads: PersonReads,
        logger: Logger
    ) async throws -> (answer: ByteBuffer, isLasting: Bool, validUntil: Date?) {
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
                    reads: reads,
                    logger: logger
                )
            )
            try reads.budget.checkIsWanted()
        }
        // A failure may pass; a method that isn't known may be so for want of its capability.
        let isLasting = answers.allSatisfy { methods[$0.name]?.isReading ?? false }
        let validUntil = answers.compactMap(\.validUntil).min()
        return (response(answers, createdIDs: request.createdIds == nil ? nil : createdIDs), isLasting, validUntil)
    }

    private func answer(
        to call: Invocation,
        in request: JMAP.Request,
        after answers: [Answer],
        referred: inout Int,
        createdIDs: inout CreatedIDs,
        reads: PersonReads,
        logger: Logger
    ) async -> Answer {
        do {
            try reads.budget.check()
            guard let method = methods[call.name], request.using.contains(method.capability) else {
                throw MethodError.unknownMethod
            }
            let arguments = try Self.arguments(of: call, after: answers, referred: &referred)
            let result = try await method.answer(JMAPCall(arguments: arguments, reads: reads, createdIDs: createdIDs))
            do {
                try reads.budget.count(bytes: result.arguments.count)
            } catch {
                // A change is confirmed, whatever the size.
                if method.isReading { throw error }
            }
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
            case let error as BudgetError: failure = MethodError(error, in: call)
            // The person was erased while the request was on its way.
            case is RecordNotFound: failure = .accountNotFound
            case let error where StorageFailure(error) != nil:
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
                // One with more values is large because of its references.
                return try? JSON(parsing: answer.arguments, valueLimit: 2 * JMAP.Request.valueLimit)
            }
        } catch {
            guard isTooMuch else { throw error }
            throw .requestTooLarge("The request's result references lead to more than \(referredLimit) bytes.")
        }
    }

    /// Returns how many records a request would change, as far as it is known before it is answered.
    private func changeCount(of request: JMAP.Request) -> Int {
        request.methodCalls.reduce(0) { count, call in
            guard let method = methods[call.name], !method.isReading else { return count }
            return count + max(1, SetArguments.count(in: call.arguments))
        }
    }

    /// Puts the answers together, each copied once.
    private func response(_ answers: [Answer], createdIDs: CreatedIDs?) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(answers.reduce(256) { $0 + $1.arguments.count + $1.callID.utf8.count + 64 })
        buffer.writeStaticString(#"{"methodResponses":["#)
        for (index, answer) in answers.enumerated() {
            var head: [UInt8] = Array((index > 0 ? ",[" : "[").utf8)
            JSON.write(string: answer.name, to: &head)
            head.append(UInt8(ascii: ","))
            buffer.writeBytes(head)
            buffer.writeBytes(answer.arguments)
            var tail: [UInt8] = [UInt8(ascii: ",")]
            JSON.write(string: answer.callID, to: &tail)
            tail.append(UInt8(ascii: "]"))
            buffer.writeBytes(tail)
        }
        var end: [UInt8] = [UInt8(ascii: "]")]
        if let createdIDs {
            end.append(contentsOf: #","createdIds":"#.utf8)
            createdIDs.json.write(to: &end)
        }
        end.append(contentsOf: #","sessionState":"#.utf8)
        JSON.write(string: sessionState, to: &end)
        end.append(UInt8(ascii: "}"))
        buffer.writeBytes(end)
        return buffer
    }
}
