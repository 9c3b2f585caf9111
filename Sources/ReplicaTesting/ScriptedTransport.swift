public import Groundwork
public import Replica

/// A transport that passes requests to a closure instead of a network.
///
/// Requests for an event stream are answered with 404 until ``answerStreams(with:)`` is called. The client polls then,
/// as with a server without an event source.
///
/// ```swift
/// let transport = server.transport
/// transport.fail(with: .unreachable)                // in a tunnel
/// transport.fail(with: .tokenRefused(.expired))     // each request is answered with 401
/// transport.fail(with: nil)                         // and back again
/// ```
public final class ScriptedTransport: Transport {
    /// A closure that answers a request, or throws like a network.
    public typealias Handler = @Sendable (TransportRequest) async throws -> TransportResponse

    /// A closure that answers a request for an event stream, or throws like a network.
    public typealias StreamHandler = @Sendable (TransportRequest) async throws -> TransportStream

    // Guarded by their locks: tests change the closures during requests.
    private let handler: Locked<Handler>
    private let streamHandler = Locked<StreamHandler>({ _ in
        TransportStream(status: 404, body: AsyncThrowingStream { $0.finish() })
    })
    private let log = Locked<[TransportRequest]>([])
    private let fault = Locked<Fault?>(nil)

    /// Creates a transport.
    ///
    /// - Parameter handler: Answers each request.
    public init(_ handler: @escaping Handler) {
        self.handler = Locked(handler)
    }

    /// Replaces the closure that answers requests.
    public func answer(with handler: @escaping Handler) {
        self.handler.withLock { $0 = handler }
    }

    /// Sets the closure that answers requests for event streams.
    public func answerStreams(with handler: @escaping StreamHandler) {
        streamHandler.withLock { $0 = handler }
    }

    /// A fault of a network or a server.
    public enum Fault: Hashable, Sendable {
        /// There is no network, or the server is unreachable.
        case unreachable
        /// The server doesn't answer in time.
        case timedOut
        /// The server applies the request, and its response is lost.
        case answerLost
        /// The server answers with an error status, and with a `Retry-After` in seconds if there is one.
        case status(Int, retryAfter: Int? = nil)
        /// The server rejects the token for a reason.
        case tokenRefused(TokenRefusal.Code)
        /// The response isn't JSON.
        case invalidAnswer
    }

    /// Makes each later request fail, including requests for event streams. Open streams continue.
    ///
    /// - Parameter fault: The fault; nil for none.
    public func fail(with fault: Fault?) {
        self.fault.withLock { $0 = fault }
    }

    /// All requests so far, without those for event streams.
    public var requests: [TransportRequest] { log.withLock { $0 } }

    /// Passes a request to the closure.
    ///
    /// - Throws: The closure's error, `TransportError.tooLarge` if its response is larger than `maxBytes`, or the error
    ///   of the fault.
    public func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
        log.withLock { $0.append(request) }
        let fault = fault.withLock { $0 }
        if let answer = try fault?.answer(to: request) { return answer }
        let handler = handler.withLock { $0 }
        let response = try await handler(request)
        if fault == .answerLost { throw TransportError.unreachable("the response was lost") }
        guard response.body.count <= maxBytes else { throw TransportError.tooLarge(limit: maxBytes) }
        return response
    }

    /// Passes a request for an event stream to its closure.
    ///
    /// - Throws: The closure's error, or the error of the fault.
    public func stream(_ request: TransportRequest) async throws -> TransportStream {
        let fault = fault.withLock { $0 }
        if fault == .answerLost { throw TransportError.unreachable("the response was lost") }
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
    /// Returns the response in place of the server's; nil if the server answers.
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
