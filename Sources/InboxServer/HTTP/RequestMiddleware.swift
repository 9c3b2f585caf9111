import Hummingbird
import InboxCards
import InboxHTML
import Logging

/// Converts every error to a problem document, or to a page for a browser at an address without a route, counts each
/// request and its duration, and logs the route, but not the content, at debug level.
struct RequestMiddleware: RouterMiddleware {
    typealias Context = InboxRequestContext

    let metrics: ServerMetrics
    let failures: RequestFailures
    /// Whether the server itself uses TLS. Then browsers use only https from the first response on (RFC 6797). The
    /// header isn't sent over plain HTTP (section 7.2).
    let usesTLS: Bool
    /// The frames of that page. Nil for problem documents alone.
    let frames: PageFrames?

    /// One year.
    private static let strictTransport = "max-age=31536000"

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let result: Result<Response, any Error>
        do {
            // The router ignores empty parts, but the rules of a proxy may not.
            guard !Self.hasEmptyPart(request.uri.path) else { throw HTTPError(.notFound) }
            result = .success(try await next(request, context))
        } catch {
            result = .failure(error)
        }
        return try response(result, request, context, since: start)
    }

    private static func hasEmptyPart(_ path: String) -> Bool {
        let slash = UInt8(ascii: "/")
        return zip(path.utf8, path.utf8.dropFirst()).contains { $0 == slash && $1 == slash }
    }

    /// Returns the response to a request that was handled, or failed.
    ///
    /// - Throws: The error itself if the client has disconnected or Hummingbird closes the connection.
    private func response(
        _ result: Result<Response, any Error>,
        _ request: Request,
        _ context: Context,
        since start: ContinuousClock.Instant
    ) throws -> Response {
        var response: Response
        do {
            response = try result.get()
        } catch {
            let problem = try failures.problem(with: error, isRead: request.isRead, context.logger)
            if let frames, isUnknownPage(problem, request, context) {
                let frame = frames.frame(for: request)
                let page = ErrorPage(title: .nothingHere).html(frame)
                response = PageResponse.page(page, status: .notFound, nonce: frame.nonce)
            } else {
                response = try problem.response(from: request, context: context)
            }
        }
        // RFC 9110, section 9.3.2. A client would take a body for the next response.
        if request.method == .head { response = response.createHeadResponse() }
        if usesTLS { response.headers[.strictTransportSecurity] = Self.strictTransport }
        record(response, request, context, since: start)
        return response
    }

    /// Whether a person looks at an address that has no route.
    private func isUnknownPage(_ problem: Problem, _ request: Request, _ context: Context) -> Bool {
        // The router's own name for no route.
        let hasRoute = context.endpointPath.map { $0 != "NotFound" } ?? false
        return problem.status == .notFound && !hasRoute && request.isRead && request.wantsHTML
    }

    private func record(
        _ response: Response,
        _ request: Request,
        _ context: Context,
        since start: ContinuousClock.Instant
    ) {
        metrics.count(
            ServerMetrics.Route(
                method: HTTPMethods.known.contains(request.method.rawValue) ? request.method.rawValue : "other",
                // All requests without a route share one label.
                route: context.endpointPath ?? "NotFound",
                status: response.status.code
            ),
            ContinuousClock.now - start
        )
        context.logger.debug(
            "answered",
            metadata: [
                "method": "\(request.method.rawValue)", "route": "\(context.endpointPath ?? "")",
                "status": "\(response.status.code)",
            ]
        )
    }
}

/// The methods that appear in labels. Any other is `other`.
private enum HTTPMethods {
    static let known: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
}
