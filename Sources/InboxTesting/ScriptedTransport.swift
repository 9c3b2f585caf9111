public import Groundwork

/// Carries requests to a closure instead of a network.
///
/// Event streams are answered with 404, as by a server that has none, so that a client asks from time to time, until
/// ``answerStreams(with:)`` says otherwise.
///
/// ```swift
/// let transport = server.transport
/// transport.fail(with: .unreachable)                // in a tunnel
/// transport.fail(with: .tokenRefused(.expired))     // each request is answered with 401
/// transport.fail(with: nil)                         // and back again
/// ```
public final class ScriptedTransport: Transport {
    /// Answers a request, or throws as a network would.
    public typealias Handler = @Sendable (TransportRequest) async throws -> TransportResponse

    /// Answers the request for an event stream, or throws as a network would.
    public typealias StreamHandler = @Sendable (TransportRequest) async throws -> TransportStream

    // Guarded by the lock: tests change what is answered while requests come in.
    private let handler: Locked<Handler>
    private let streamHandler = Locked<StreamHandler>({ _ in
        TransportStream(status: 404, body: AsyncThrowingStream { $0.finish() })
    })
    private let log = Locked<[TransportRequest]>([])
    private let fault = Locked<Fault?>(nil)

    /// - Parameter handler: Answers each request.
    public init(_ handler: @escaping Handler) {
        self.handler = Locked(handler)
    }

    /// Answers requests from now on with another closure.
    public func answer(with handler: @escaping Handler) {
        self.handler.withLock { $0 = handler }
    }

    /// Answers event streams from now on with a closure.
    public func answerStreams(with handler: @escaping StreamHandler) {
        streamHandler.withLock { $0 = handler }
    }

    /// What may go wrong with each request.
    public enum Fault: Hashable, Sendable {
        /// There is no network, or the server can't be reached in it.
        case unreachable
        /// The server doesn't answer in time.
        case timedOut
        /// The server does what it is asked, and its answer is lost on the way.
        case answerLost
        /// The server answers with an error status; with the seconds that it asks to wait.
        case status(Int, retryAfter: Int? = nil)
        /// The server doesn't take the token, for that reason.
        case tokenRefused(TokenRefusal.Code)
        /// The answer can't be read.
        case invalidAnswer
    }

    /// Has each request fail from now on, those for event streams too. Streams that are open go on.
    ///
    /// - Parameter fault: In which way; nil for not at all.
    public func fail(with fault: Fault?) {
        self.fault.withLock { $0 = fault }
    }

    /// All requests so far, event streams left out.
    public var requests: [TransportRequest] { log.withLock { $0 } }

    /// Gives the request to the closure.
    ///
    /// - Throws: What the closure throws; `TransportError.tooLarge` where its answer is too large; what a fault has it
    ///   throw.
    public func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
        log.withLock { $0.append(request) }
        let fault = fault.withLock { $0 }
        if let answer = try fault?.answer(to: request) { return answer }
        let handler = handler.withLock { $0 }
        let response = try await handler(request)
        if fault == .answerLost { throw TransportError.unreachable("the answer was lost") }
        guard response.body.count <= maxBytes else { throw TransportError.tooLarge(limit: maxBytes) }
        return response
    }

    /// Gives the request to the closure for streams.
    ///
    /// - Throws: What the closure throws.
    public func stream(_ request: TransportRequest) async throws -> TransportStream {
        let fault = fault.withLock { $0 }
        if fault == .answerLost { throw TransportError.unreachable("the answer was lost") }
        if let answer = try fault?.answer(to: request) {
            let body = AsyncThrowingStream<[UInt8], any Error> { stream in
                stream.yield(answer.body)
                stream.finish()
            }
            return TransportStream(status: answer.status, headers: answer.headers, body: body)
        }
        let handler = streamHandler.withLock { $0 }
        return try await handler(request)
    }
}

extension ScriptedTransport.Fault {
    /// The answer in place of the server's; nil where the server answers.
    ///
    /// - Throws: `TransportError` where there is no answer.
    fileprivate func answer(to request: TransportRequest) throws(TransportError) -> TransportResponse? {
        switch self {
        case .unreachable: throw .unreachable("no network")
        case .timedOut: throw .timedOut(after: 30)
        case .answerLost: return nil
        case .status(let status, let retryAfter):
            let headers = retryAfter.map { ["retry-after": String($0)] } ?? [:]
            return TransportResponse(status: status, headers: headers, url: request.url)
        case .tokenRefused(let code):
            var problem = JSONObject([("status", 401)])
            problem["type"] = code.problem.map(JSON.string)
            return TransportResponse(status: 401, body: JSON.object(problem).utf8, url: request.url)
        case .invalidAnswer:
            return TransportResponse(status: 200, body: Array("not JSON".utf8), url: request.url)
        }
    }
}
