import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Carries requests with the system's URL loading.
///
/// One session for as long as the transport lives. Its own time limits are switched off, since on Linux they don't
/// hold; whoever sends sets a deadline, and bounds how much it sends at once.
package final class URLSessionTransport: Transport {
    /// Where an answer may send a request on to.
    package enum Redirects: Sendable {
        /// Within the origin only, so that a token never goes elsewhere; an answer that leads elsewhere is an error
        /// that says where.
        case withinOrigin
        /// Nowhere: the answer is the redirect itself.
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

    /// Sends the request and waits for the head of the answer.
    ///
    /// - Returns: Also where it came from, after redirects.
    private func start(_ request: TransportRequest) async throws -> (stream: TransportStream, url: URL?) {
        var urlRequest = URLRequest(url: request.url)
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body.map { Data($0) }
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        let task = session.dataTask(with: urlRequest)
        let exchange = Exchange()
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
        if redirects == .withinOrigin, let elsewhere = Self.elsewhere(answer.stream, request.url) {
            throw TransportError.unreachable(
                "it leads to \(elsewhere.absoluteString), where nothing is sent by itself. Give that address instead."
            )
        }
        return answer
    }

    /// Where an answer leads, if that is another origin.
    private static func elsewhere(_ answer: TransportStream, _ url: URL) -> URL? {
        guard [301, 302, 303, 307, 308].contains(answer.status),
            let target = answer.headers["location"].flatMap({ URL(string: $0, relativeTo: url) })?.absoluteURL
        else { return nil }
        return target.hasSameOrigin(as: url) ? nil : target
    }
}

/// The answer to one request, as the session's delegate hears of it.
private final class Exchange: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<(stream: TransportStream, url: URL?), any Error>)
        case receiving
        case ended
    }

    private typealias Body = AsyncThrowingStream<[UInt8], any Error>

    // Guarded by the lock: the delegate's queue drives it, the sender sets it up.
    private let state = Locked<State>(.idle)
    // Guarded by the lock. Handed over with the head and then its reader's alone: once nobody has it any more, it was
    // given up.
    private let body: Locked<Body?>
    private let pieces: Body.Continuation

    init() {
        let (body, pieces) = Body.makeStream(of: [UInt8].self, throwing: (any Error).self)
        (self.body, self.pieces) = (Locked(body), pieces)
    }

    /// What to do when the reader gives the body up, by cancelling its task or by letting go of it.
    func onAbandoned(_ action: @escaping @Sendable () -> Void) {
        pieces.onTermination = { if case .cancelled = $0 { action() } }
    }

    func awaitHead(_ continuation: CheckedContinuation<(stream: TransportStream, url: URL?), any Error>) {
        let isEnded = state.withLock { state in
            if case .ended = state { return true }
            state = .waiting(continuation)
            return false
        }
        // Cancelled before it began.
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

/// Hands what the session says to the exchange that it is about.
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
        // Whoever sends has said in the headers who they are; the answer that this isn't enough is theirs.
        #if canImport(FoundationNetworking)
            // All of it has come by now. On Linux, the default leaves the task open for ever, and a rejection makes an
            // error of it.
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
        // Not all systems take it along.
        if let authorization = task.originalRequest?.value(forHTTPHeaderField: "Authorization") {
            request.setValue(authorization, forHTTPHeaderField: "Authorization")
        }
        completionHandler(redirects == .withinOrigin && sameOrigin ? request : nil)
    }
}
