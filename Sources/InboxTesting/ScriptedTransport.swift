public import Groundwork

/// Carries requests to a closure instead of a network.
///
/// Event streams are answered with 404, as by a server that has none, so that a client asks from time to time, until
/// ``answerStreams(with:)`` says otherwise.
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

    /// All requests so far, event streams left out.
    public var requests: [TransportRequest] { log.withLock { $0 } }

    /// Gives the request to the closure.
    ///
    /// - Throws: What the closure throws; `TransportError.tooLarge` where its answer is too large.
    public func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
        log.withLock { $0.append(request) }
        let handler = handler.withLock { $0 }
        let response = try await handler(request)
        guard response.body.count <= maxBytes else { throw TransportError.tooLarge(limit: maxBytes) }
        return response
    }

    /// Gives the request to the closure for streams.
    ///
    /// - Throws: What the closure throws.
    public func stream(_ request: TransportRequest) async throws -> TransportStream {
        let handler = streamHandler.withLock { $0 }
        return try await handler(request)
    }
}
