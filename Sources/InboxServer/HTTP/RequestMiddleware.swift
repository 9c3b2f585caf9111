import Groundwork
import Hummingbird
import InboxService
import Logging
import NIOHTTP1

/// Converts every error to a problem document, counts each request and its duration, and logs the route, but not the
/// content, at debug level.
struct RequestMiddleware: RouterMiddleware {
    typealias Context = InboxRequestContext

    let metrics: ServerMetrics
    /// Whether the server itself uses TLS. Then browsers use only https from the first response on (RFC 6797). The
    /// header isn't sent over plain HTTP (section 7.2).
    let usesTLS: Bool

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
            response = try Self.problem(with: error, context.logger).response(from: request, context: context)
        }
        // RFC 9110, section 9.3.2. A client would take a body for the next response.
        if request.method == .head { response = response.createHeadResponse() }
        if usesTLS { response.headers[.strictTransportSecurity] = Self.strictTransport }
        record(response, request, context, since: start)
        return response
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

    /// Returns the problem that an error is for the client. Unexpected errors are logged.
    ///
    /// - Throws: The error itself if the client has disconnected or Hummingbird closes the connection.
    static func problem(with error: any Error, _ logger: Logger) throws -> Problem {
        switch error {
        case let error as Problem:
            return error
        case let error as JSONValueError:
            return Problem(error)
        case let error as JSONSyntaxError:
            return Problem(error)
        case let error as any HTTPResponseError:
            return Problem(error.status, Self.detail(of: error.status))
        case is CancellationError:
            throw error
        case is HTTPParserError:
            // The client's bytes aren't HTTP, or it disconnected during the request.
            throw error
        default:
            logger.error("a request failed", metadata: ["error": "\(error)"])
            if let failure = StorageFailure(error) { return Problem(failure) }
            return Problem(.internalServerError, "The server failed to process the request. Try again later.")
        }
    }

    private static func detail(of status: HTTPResponse.Status) -> String {
        switch status {
        case .notFound: "There is nothing at this address."
        case .contentTooLarge: "The body is too large."
        default: "The request can't be processed."
        }
    }
}

/// The methods that appear in labels. Any other is `other`.
private enum HTTPMethods {
    static let known: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
}
