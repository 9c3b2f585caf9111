import Foundation
import Groundwork
import Hummingbird
import InboxModel
import InboxService
import JMAP
import Logging

/// The JMAP API (RFC 8620, section 3).
struct JMAPEndpoint: Sendable {
    let core: CoreCapability
    /// The session's state. It changes only with the capabilities: the session's other contents are the person's own
    /// name and account, which never change, and URLs, which depend on how the client reaches the server.
    let sessionState: String
    private let people: People
    private let clock: any WallClock
    private let methods: [String: JMAPMethod]
    private let cache = ResponseCache()
    /// The log of unexpected failures, of which all routes have the pace together.
    let failures: RequestFailures
    /// The rate limit of the records that each person changes, here and on the page.
    let changes: RateLimiter

    /// The size of a request from which on a person's requests are read one at a time.
    private static let largeSize = 16_384

    /// - Parameters:
    ///   - methods: The methods by name, without those of the core capability.
    ///   - changeRate: The rate limit of the records that one person changes.
    init(
        people: People,
        methods: [String: JMAPMethod],
        core: CoreCapability,
        changeRate: FairUse.Rate? = nil,
        clock: any WallClock
    ) {
        changes = RateLimiter("changes", changeRate, clock: clock)
        failures = RequestFailures(clock: clock)
        self.people = people
        self.clock = clock
        let coreMethods = JMAPMethod.unsupported.merging(["Core/echo": .echo]) { _, echo in echo }
        self.methods = methods.merging(coreMethods) { _, coreMethods in coreMethods }
        self.core = core
        sessionState = Self.state(of: Self.capabilities(core))
    }

    /// The names of all methods, sorted.
    var methodNames: [String] { methods.keys.sorted() }

    /// A method response whose arguments are JSON text, so that stored text is sent without being parsed.
    private struct MethodResponse {
        let name: String
        let arguments: [UInt8]
        let callID: String
        var validUntil: Date?
    }

    /// Answers the calls of a request in their order.
    ///
    /// - Throws: ``RequestError`` if the whole request is rejected, ``Problem`` if it changes more than the person's
    ///   rate allows, ``BudgetError`` if the client has disconnected, or the errors of reading the person's state.
    func respond(to bytes: [UInt8], reading reads: PersonReads, logger: Logger) async throws -> ByteBuffer {
        let person = reads.person
        let removals = cache.removals
        // The state is read before anything else. Later reads are at least as new. If they are newer, their response is
        // cached under an outdated state, which is never looked up again.
        let latest = try await people.latest(of: person)
        let key = ResponseCache.Key(
            account: person.account,
            state: latest.person,
            surface: latest.surface,
            request: bytes
        )
        if let key, let response = cache[key, at: clock.now] { return response }
        let request =
            bytes.count < Self.largeSize
            ? try JMAP.Request(parsing: bytes) : try await reads.compute { try JMAP.Request(parsing: bytes) }
        try changes.count(changeCount(of: request), of: person.id)
        let (response, isCacheable, validUntil) = try await respond(to: request, reading: reads, logger: logger)
        if let key, isCacheable { cache.add(response, for: key, validUntil: validUntil, after: removals) }
        return response
    }

    /// Removes the cached data of a person who was erased.
    func evict(account: String) {
        cache.remove(of: account)
    }

    /// Answers the calls of a request, one after another.
    ///
    /// - Returns: The response, and whether it depends only on the states of the person and of the surfaces, up to a
    ///   time.
    private func respond(
        to request: JMAP.Request,
        reading reads: PersonReads,
        logger: Logger
    ) async throws -> (response: ByteBuffer, isCacheable: Bool, validUntil: Date?) {
        for uri in request.using where uri != CoreCapability.uri && uri != MessageCapability.uri {
            throw RequestError.unknownCapability(uri)
        }
        guard request.methodCalls.count <= core.maxCallsInRequest else {
            let detail = "A request may have at most \(core.maxCallsInRequest) calls."
            throw RequestError.limit("maxCallsInRequest", detail: detail)
        }
        var progress = Progress(request: request, reads: reads, logger: logger)
        while let call = request.methodCalls.dropFirst(progress.responses.count).first {
            let count = progress.responses.count
            let group = callsOfOneSnapshot(in: request, after: progress.responses)
            if group.count > 1 { await answer(to: group, &progress) }
            // A call by itself, or one that ended the read of several: it reports why.
            if progress.responses.count == count { await answer(to: call, &progress) }
            try reads.budget.checkNotStopped()
        }
        let responses = progress.responses
        // An error may be temporary, and an unknown method may only lack its capability in `using`.
        let isCacheable = responses.allSatisfy { methods[$0.name]?.isReadOnly ?? false }
        let validUntil = responses.compactMap(\.validUntil).min()
        let createdIDs = request.createdIds == nil ? nil : progress.createdIDs
        return (response(responses, createdIDs: createdIDs), isCacheable, validUntil)
    }

    /// A request, and the answers to the first of its calls.
    private struct Progress: Sendable {
        let request: JMAP.Request
        let reads: PersonReads
        let logger: Logger
        var responses: [MethodResponse] = []
        var references = ReferencedResponses()
        var createdIDs: CreatedIDs

        init(request: JMAP.Request, reads: PersonReads, logger: Logger) {
            (self.request, self.reads, self.logger) = (request, reads, logger)
            createdIDs = request.createdIds ?? [:]
        }
    }

    /// Returns a method that a request may call.
    private func method(of call: Invocation, in request: JMAP.Request) throws(MethodError) -> JMAPMethod {
        guard let method = methods[call.name], request.using.contains(method.capability) else {
            throw .unknownMethod
        }
        return method
    }

    /// Returns the calls that are answered from one snapshot of the database; empty if the first is answered by itself.
    ///
    /// A list is fetched by a `query` and a `get` of its ids. Answered from one snapshot, they need one reader and one
    /// transaction, and have one state. A call that refers to a response from before them, which may be large, is
    /// answered by itself: the response is parsed before a reader is taken.
    ///
    /// - Parameter responses: The responses to the calls before the first.
    private func callsOfOneSnapshot(
        in request: JMAP.Request,
        after responses: [MethodResponse]
    ) -> ArraySlice<Invocation> {
        let calls = request.methodCalls.dropFirst(responses.count)
        guard let first = calls.first, (try? method(of: first, in: request))?.beginsSnapshot ?? false else { return [] }
        let earlier = Set(responses.map(\.callID))
        return calls.prefix { call in
            (try? method(of: call, in: request))?.snapshotHandler != nil
                && !call.arguments.members.contains { member in
                    member.name.hasPrefix("#") && member.value["resultOf"]?.stringValue.map(earlier.contains) ?? false
                }
        }
    }

    /// Answers calls from one snapshot, as far as it can be read.
    private func answer(to calls: ArraySlice<Invocation>, _ progress: inout Progress) async {
        let (done, reads) = (Locked(progress), progress.reads)
        try? await reads.read { reading in
            for call in calls {
                var progress = done.withLock { $0 }
                do {
                    let (method, jmapCall) = try prepare(call, &progress)
                    guard let handler = method.snapshotHandler else { throw MethodError.unknownMethod }
                    try finish(call, try handler(jmapCall, reading), of: method, &progress)
                } catch let error where Self.isOfCall(error) {
                    progress.responses.append(failure(error, of: call, progress.logger))
                }
                done.withLock { [progress] in $0 = progress }
                try reads.budget.checkNotStopped()
            }
        }
        progress = done.withLock { $0 }
    }

    /// Whether an error is a call's own, and not one of the database.
    private static func isOfCall(_ error: any Error) -> Bool {
        error is MethodError || error is JSONValueError || error is RecordNotFoundError || error is BudgetError
    }

    /// Answers a call, with an error if it fails.
    private func answer(to call: Invocation, _ progress: inout Progress) async {
        let reads = progress.reads
        do {
            let hasReferences = call.arguments.members.contains { $0.name.hasPrefix("#") }
            let (method, jmapCall) =
                hasReferences
                ? try await reads.compute { try prepare(call, &progress) }
                : try prepare(call, &progress)
            try finish(call, try await method.handler(jmapCall), of: method, &progress)
        } catch {
            progress.responses.append(failure(error, of: call, progress.logger))
        }
    }

    /// Finds the method of a call, resolves the references of its arguments, and counts the changes that they name.
    private func prepare(_ call: Invocation, _ progress: inout Progress) throws -> (JMAPMethod, JMAPCall) {
        try progress.reads.budget.check()
        let method = try method(of: call, in: progress.request)
        let responses = progress.responses
        let arguments = try progress.references.resolve(call.arguments) { reference in
            // The first with the id, which has to be the one that is named (RFC 8620, section 3.7).
            let response = responses.first { $0.callID == reference.resultOf }
            return response?.name == reference.name ? response?.arguments : nil
        }
        if !method.isReadOnly {
            // Those of the call's own arguments were counted before the request began.
            let referenced = SetArguments.count(in: arguments) - SetArguments.count(in: call.arguments)
            try changes.count(referenced, of: progress.reads.person.id)
        }
        let next = progress.request.methodCalls.dropFirst(progress.responses.count + 1).first
        return (
            method,
            JMAPCall(
                arguments: arguments,
                reads: progress.reads,
                createdIDs: progress.createdIDs,
                isFetched: next?.arguments["#ids"]?["resultOf"] == .string(call.callID)
            )
        )
    }

    private func finish(
        _ call: Invocation,
        _ result: MethodResult,
        of method: JMAPMethod,
        _ progress: inout Progress
    ) throws {
        do {
            try progress.reads.budget.count(bytes: result.arguments.count)
        } catch {
            // A change is confirmed, whatever the size of the response.
            if method.isReadOnly { throw error }
        }
        progress.createdIDs.merge(result.createdIDs)
        progress.responses.append(
            MethodResponse(
                name: call.name,
                arguments: result.arguments,
                callID: call.callID,
                validUntil: result.validUntil
            )
        )
    }

    /// Returns the answer to a call that has failed.
    private func failure(_ error: any Error, of call: Invocation, _ logger: Logger) -> MethodResponse {
        let failure: MethodError
        switch error {
        case let error as MethodError: failure = error
        case let error as JSONValueError: failure = .invalidArguments(error)
        case let error as BudgetError: failure = MethodError(error, in: call)
        // The rate of changes. Nothing of the call is done.
        case let error as Problem: failure = MethodError("serverUnavailable", error.json["detail"]?.stringValue)
        // The person was erased while the request was running.
        case is RecordNotFoundError: failure = .accountNotFound
        case let error where StorageFailure(error) != nil:
            failures.record(error, logger, as: "a method failed", ["method": "\(call.name)"])
            failure = MethodError(
                "serverUnavailable",
                "The server can't use its database at the moment. Try again later."
            )
        default:
            failures.record(error, logger, as: "a method failed", ["method": "\(call.name)"])
            failure = MethodError("serverFail", "The server failed to process the request. Try again later.")
        }
        return MethodResponse(name: "error", arguments: failure.json.utf8, callID: call.callID)
    }

    /// Returns the number of records that a request would change, without those that its result references name.
    private func changeCount(of request: JMAP.Request) -> Int {
        request.methodCalls.reduce(0) { count, call in
            guard let method = methods[call.name], !method.isReadOnly else { return count }
            return count + max(1, SetArguments.count(in: call.arguments))
        }
    }

    /// Writes the response. Each method response is copied once.
    private func response(_ responses: [MethodResponse], createdIDs: CreatedIDs?) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(responses.reduce(256) { $0 + $1.arguments.count + $1.callID.utf8.count + 64 })
        buffer.writeStaticString(#"{"methodResponses":["#)
        for (index, response) in responses.enumerated() {
            var head: [UInt8] = Array((index > 0 ? ",[" : "[").utf8)
            JSON.write(string: response.name, to: &head)
            head.append(UInt8(ascii: ","))
            buffer.writeBytes(head)
            buffer.writeBytes(response.arguments)
            var tail: [UInt8] = [UInt8(ascii: ",")]
            JSON.write(string: response.callID, to: &tail)
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
