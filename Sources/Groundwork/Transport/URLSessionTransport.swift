import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that uses `URLSession`.
///
/// One session lives as long as the transport. The session's timeouts are disabled, since they don't work on Linux.
/// Callers set deadlines and limit their concurrent requests.
package final class URLSessionTransport: Transport {
    /// The redirects that are followed.
    package enum Redirects: Sendable {
        /// Redirects within the origin, so that a token is never sent elsewhere. A redirect to another origin is an
        /// error that states the target.
        case withinOrigin
        /// None. The redirect itself is the response.
        case never
    }

    private let session: URLSession
    private let delegate: Delegate
    private let redirects: Redirects

    package init(redirects: Redirects = .withinOrigin) {
        self.redirects = redirects
        delegate = Delegate(redirects: redirects)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.timeoutIntervalForRequest = 7 * 86_400
        configuration.timeoutIntervalForResource = 7 * 86_400
        configuration.httpMaximumConnectionsPerHost = 64
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        session.invalidateAndCancel()
    }

    package func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
        let (stream, url) = try await start(request)
        var body: [UInt8] = []
        for try await piece in stream.body {
            guard body.count + piece.count <= maxBytes else { throw TransportError.tooLarge(limit: maxBytes) }
            body += piece
        }
        try Task.checkCancellation()
        return TransportResponse(status: stream.status, headers: stream.headers, body: body, url: url ?? request.url)
    }

    package func stream(_ request: TransportRequest) async throws -> TransportStream {
        try await start(request).stream
    }

    /// Sends the request and returns the response's head, with the body as a stream.
    ///
    /// - Returns: The stream, and the final URL after redirects.
    private func start(_ request: TransportRequest) async throws -> (stream: TransportStream, url: URL?) {
        var urlRequest = URLRequest(url: request.url)
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body.map { Data($0) }
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        let task = session.dataTask(with: urlRequest)
        let exchange = Exchange(didSend: request.body == nil ? nil : SendProgress.listener)
        exchange.onAbandoned { task.cancel() }
        delegate.add(exchange, for: task.taskIdentifier)
        let answer = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchange.awaitHead(continuation)
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
        if redirects == .withinOrigin, let target = Self.crossOriginTarget(answer.stream, request.url) {
            throw TransportError.unreachable(
                "it redirects to \(target.absoluteString), on another server. Use that URL instead."
            )
        }
        return answer
    }

    /// Returns the target of a redirect to another origin, or nil if the response isn't one.
    private static func crossOriginTarget(_ answer: TransportStream, _ url: URL) -> URL? {
        guard [301, 302, 303, 307, 308].contains(answer.status),
            let target = answer.headers["location"].flatMap({ URL(string: $0, relativeTo: url) })?.absoluteURL
        else { return nil }
        return target.hasSameOrigin(as: url) ? nil : target
    }
}

/// The response to one request, fed by the session's delegate.
private final class Exchange: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<(stream: TransportStream, url: URL?), any Error>)
        case receiving
        case ended
    }

    private typealias Body = AsyncThrowingStream<[UInt8], any Error>

    // Guarded by the lock: the sender sets it up, the delegate's queue advances it.
    private let state = Locked<State>(.idle)
    // Guarded by the lock. It is handed over with the head and then belongs to its reader alone, so its release means
    // that it was abandoned.
    private let body: Locked<Body?>
    private let pieces: Body.Continuation
    /// Receives the number of bytes of the request's body that are sent.
    let didSend: SendProgress?

    init(didSend: SendProgress?) {
        self.didSend = didSend
        let (body, pieces) = Body.makeStream(of: [UInt8].self, throwing: (any Error).self)
        (self.body, self.pieces) = (Locked(body), pieces)
    }

    /// Sets the action for when the reader abandons the body, by cancelling its task or releasing the stream.
    func onAbandoned(_ action: @escaping @Sendable () -> Void) {
        pieces.onTermination = { if case .cancelled = $0 { action() } }
    }

    func awaitHead(_ continuation: CheckedContinuation<(stream: TransportStream, url: URL?), any Error>) {
        let isEnded = state.withLock { state in
            if case .ended = state { return true }
            state = .waiting(continuation)
            return false
        }
        // The task was cancelled before it began.
        if isEnded { continuation.resume(throwing: CancellationError()) }
    }

    func head(status: Int, headers: [String: String], url: URL?) {
        let continuation = state.withLock {
            state -> CheckedContinuation<(stream: TransportStream, url: URL?), any Error>? in
            guard case .waiting(let continuation) = state else { return nil }
            state = .receiving
            return continuation
        }
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        guard let continuation, let body else { return }
        continuation.resume(returning: (TransportStream(status: status, headers: headers, body: body), url))
    }

    func piece(_ data: Data) {
        pieces.yield([UInt8](data))
    }

    func end(_ error: (any Error)?) {
        let continuation = state.withLock {
            state -> CheckedContinuation<(stream: TransportStream, url: URL?), any Error>? in
            defer { state = .ended }
            guard case .waiting(let continuation) = state else { return nil }
            return continuation
        }
        let failure: (any Error)? = error.map {
            if ($0 as? URLError)?.code == .cancelled { return CancellationError() }
            return TransportError.unreachable($0.localizedDescription)
        }
        continuation?.resume(throwing: failure ?? TransportError.unreachable("no answer"))
        pieces.finish(throwing: failure)
    }
}

/// Dispatches the session's callbacks to their exchanges.
private final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
    // Guarded by the lock: senders add, the session's queue looks up and removes.
    private let exchanges = Locked<[Int: Exchange]>([:])
    private let redirects: URLSessionTransport.Redirects

    init(redirects: URLSessionTransport.Redirects) {
        self.redirects = redirects
    }

    func add(_ exchange: Exchange, for task: Int) {
        exchanges.withLock { $0[task] = exchange }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let exchange = exchanges.withLock { $0[dataTask.taskIdentifier] }
        if let http = response as? HTTPURLResponse {
            var headers: [String: String] = [:]
            for (name, value) in http.allHeaderFields {
                if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
            }
            exchange?.head(status: http.statusCode, headers: headers, url: http.url)
        }
        completionHandler(.allow)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchanges.withLock { $0[task.taskIdentifier] }?.didSend?(Int(totalBytesSent))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchanges.withLock { $0[dataTask.taskIdentifier] }?.piece(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(error)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let methods = [NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest]
        guard methods.contains(challenge.protectionSpace.authenticationMethod) else {
            return completionHandler(.performDefaultHandling, nil)
        }
        // Credentials are sent in the request's headers. The caller handles a 401 response.
        #if canImport(FoundationNetworking)
            // The response is complete at this point. On Linux, default handling leaves the task open forever, and a
            // rejection becomes an error.
            exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(nil)
            completionHandler(.cancelAuthenticationChallenge, nil)
        #else
            completionHandler(.rejectProtectionSpace, nil)
        #endif
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let sameOrigin = request.url.map { task.originalRequest?.url?.hasSameOrigin(as: $0) ?? false } ?? false
        var request = request
        // Some systems drop this header in redirects.
        if let authorization = task.originalRequest?.value(forHTTPHeaderField: "Authorization") {
            request.setValue(authorization, forHTTPHeaderField: "Authorization")
        }
        completionHandler(redirects == .withinOrigin && sameOrigin ? request : nil)
    }
}
