public import Groundwork

/// A transport that passes requests to a closure instead of a network.
///
/// Until ``answerStreams(with:)`` is called, requests for event streams receive a 404, as from a server without them. A
/// client then polls.
///
/// ```swift
/// let transport = server.transport
/// transport.fail(with: .unreachable)                // no network
/// transport.fail(with: .tokenRefused(.expired))     // each request receives a 401
/// transport.fail(with: nil)                         // requests succeed again
/// ```
public final class ScriptedTransport: Transport {
    /// Responds to a request, or throws an error as a network would.
    public typealias Handler = @Sendable (TransportRequest) async throws -> TransportResponse

    /// Responds to a request for an event stream, or throws an error as a network would.
    public typealias StreamHandler = @Sendable (TransportRequest) async throws -> TransportStream

    // Guarded by the lock, because tests replace the handler while requests arrive.
    private let handler: Locked<Handler>
    private let streamHandler = Locked<StreamHandler>({ _ in
        TransportStream(status: 404, body: AsyncThrowingStream { $0.finish() })
    })
    private let log = Locked<[TransportRequest]>([])
    private let fault = Locked<Fault?>(nil)

    /// - Parameter handler: Responds to each request.
    public init(_ handler: @escaping Handler) {
        self.handler = Locked(handler)
    }

    /// Replaces the closure that responds to requests.
    public func answer(with handler: @escaping Handler) {
        self.handler.withLock { $0 = handler }
    }

    /// Sets the closure that responds to requests for event streams.
    public func answerStreams(with handler: @escaping StreamHandler) {
        streamHandler.withLock { $0 = handler }
    }

    /// A fault that affects each request.
    public enum Fault: Hashable, Sendable {
        /// There is no network, or the server is unreachable.
        case unreachable
        /// The server doesn't respond in time.
        case timedOut
        /// The server processes the request, but its response is lost.
        case answerLost
        /// The server responds with an error status and optionally a `Retry-After` in seconds.
        case status(Int, retryAfter: Int? = nil)
        /// The server rejects the token for the given reason.
        case tokenRefused(TokenRefusal.Code)
        /// The response is malformed.
        case invalidAnswer
    }

    /// Makes each request fail from now on, including requests for event streams. Open streams aren't affected.
    ///
    /// - Parameter fault: The fault, or nil for none.
    public func fail(with fault: Fault?) {
        self.fault.withLock { $0 = fault }
    }

    /// All requests so far, without those for event streams.
    public var requests: [TransportRequest] { log.withLock { $0 } }

    /// Passes the request to the closure.
    ///
    /// - Throws: The closure's error; `TransportError.tooLarge` if the response is too large; the `TransportError` of a
    ///   fault.
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

    /// Passes the request to the closure for streams.
    ///
    /// - Throws: The closure's error, or the `TransportError` of a fault.
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
    /// Returns the response that replaces the server's, or nil if the server responds.
    ///
    /// - Throws: `TransportError` if there is no response.
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
