import Groundwork
import Hummingbird
import InboxService
import NIOCore

/// A method and a path, with parameters as `{id}`.
struct Route: Hashable, Sendable {
    let method: String
    let path: String
}

/// The handler of one method of a path, and the parts of a request that it reads.
struct RouteHandler: Sendable {
    typealias Handler = @concurrent @Sendable (Request, InboxRequestContext) async throws -> Response

    let method: HTTPRequest.Method
    /// Whether the response is a stream that lasts for hours.
    var opensStream = false
    /// Whether the handler reads the URL's query. Any other REST call with one is refused.
    var readsQuery = false
    /// Whether the handler reads the request's body, or the method has none. Any other REST call with one is refused.
    var readsBody = true
    let handler: Handler

    static func get(_ handler: @escaping Handler) -> RouteHandler { RouteHandler(method: .get, handler: handler) }
    static func head(_ handler: @escaping Handler) -> RouteHandler { RouteHandler(method: .head, handler: handler) }
    static func getStream(_ handler: @escaping Handler) -> RouteHandler {
        RouteHandler(method: .get, opensStream: true, handler: handler)
    }
    /// A `GET` of a list, with parameters in the URL.
    static func list(_ handler: @escaping Handler) -> RouteHandler {
        RouteHandler(method: .get, readsQuery: true, handler: handler)
    }
    /// A `POST` without a body.
    static func action(_ handler: @escaping Handler) -> RouteHandler {
        RouteHandler(method: .post, readsBody: false, handler: handler)
    }
    static func put(_ handler: @escaping Handler) -> RouteHandler { RouteHandler(method: .put, handler: handler) }
    static func post(_ handler: @escaping Handler) -> RouteHandler { RouteHandler(method: .post, handler: handler) }
    static func patch(_ handler: @escaping Handler) -> RouteHandler { RouteHandler(method: .patch, handler: handler) }
    static func delete(_ handler: @escaping Handler) -> RouteHandler {
        RouteHandler(method: .delete, readsBody: false, handler: handler)
    }

    /// The handler of a REST call, which refuses unknown query parameters and bodies: an ignored parameter may have
    /// been meant to restrict a send or a deletion.
    var strict: Handler {
        { [self] request, context in
            do {
                if !readsQuery { _ = try QueryParameters(request, allowed: []) }
                if !readsBody { try await request.requireNoBody() }
            } catch let problem as Problem {
                _ = try await UnreadPart.$current.withValue(UnreadPart(refusal: problem)) {
                    try await handler(request, context)
                }
                throw problem
            }
            return try await handler(request, context)
        }
    }
}

/// A part of a request that its handler doesn't read. The refusal is thrown once the request's key is verified
/// (``Access/authorize(_:for:)``), before anything else is done.
struct UnreadPart: Sendable {
    let refusal: Problem

    @TaskLocal static var current: UnreadPart?
}

/// All routes of the server. Errors and metrics are handled for every request, by the router's middleware.
final class Routes {
    private let router = Router(context: InboxRequestContext.self)
    private var streamPaths: Set<String> = []
    private let keys: APIKeys?
    private let proxies: TrustedProxies

    /// - Parameters:
    ///   - keys: The API keys, if other servers may create some.
    ///   - usesTLS: Whether the server itself uses TLS.
    ///   - frames: The frames of pages, for the one that a browser gets at an address without a route. Nil for none.
    init(
        metrics: ServerMetrics,
        failures: RequestFailures = RequestFailures(clock: SystemClock()),
        keys: APIKeys? = nil,
        proxies: TrustedProxies = .none,
        usesTLS: Bool = false,
        frames: PageFrames? = nil
    ) {
        self.keys = keys
        self.proxies = proxies
        // Before the routes, which have the middleware that the router has when they are registered.
        let middleware = RequestMiddleware(metrics: metrics, failures: failures, usesTLS: usesTLS, frames: frames)
        router.add(middleware: middleware)
    }

    /// Registers the handlers of a path. Other methods get 405 with the allowed ones.
    func route(_ path: RouterPath, _ handlers: [RouteHandler]) {
        let allowed = handlers.map(\.method.rawValue).joined(separator: ", ")
        for handler in handlers { on(path, handler) }
        var others: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace]
        if let query = HTTPRequest.Method("QUERY") { others.append(query) }
        for method in others where !handlers.contains(where: { $0.method == method }) {
            let refusal = RouteHandler(method: method) { _, _ in
                throw Problem(.methodNotAllowed, "This URL supports only \(allowed).", headers: [.allow: allowed])
            }
            on(path, refusal)
        }
    }

    private func on(_ path: RouterPath, _ handler: RouteHandler) {
        // Requests with an API key know their client's address. Requests of devices don't use it, and their streams
        // live long.
        guard !Self.requiresKey("\(path)") else {
            let answer = "\(path)".hasPrefix("/v1/") ? handler.strict : handler.handler
            router.on(path, method: handler.method) { [keys, proxies] request, context -> Response in
                if let keys, let key = request.bearer { await keys.find(String(key)) }
                return try await ClientAddress.$current.withValue(proxies.client(of: request, on: context.channel)) {
                    try await answer(request, context)
                }
            }
            return
        }
        if handler.opensStream { streamPaths.insert("\(path)") }
        router.on(path, method: handler.method) { request, context -> Response in
            try await handler.handler(request, context)
        }
    }

    private static func requiresKey(_ path: String) -> Bool {
        path.hasPrefix("/v1/") || path == "/metrics"
    }

    /// The registered routes.
    var all: [Route] {
        router.routes.map { Route(method: $0.method.rawValue, path: "\($0.path)") }
    }

    /// The responder, once all routes are registered.
    var responder: InboxResponder {
        InboxResponder(router: router.buildResponder(), streamPaths: streamPaths)
    }
}

/// Responds to requests by the router.
///
/// A stream runs in the task of its connection, which keeps the memory of its deepest call for as long as it lives. The
/// router's calls for a stream are therefore made by another task.
struct InboxResponder: HTTPResponder {
    let router: RouterResponder<InboxRequestContext>
    let streamPaths: Set<String>

    func respond(to request: Request, context: InboxRequestContext) async throws -> Response {
        guard opensStream(request.uri.path) else { return try await router.respond(to: request, context: context) }
        return try await inTemporaryTask { try await router.respond(to: request, context: context) }
    }

    private func opensStream(_ path: String) -> Bool {
        streamPaths.contains(path.hasSuffix("/") ? String(path.dropLast()) : path)
    }
}

/// The context of a request: Hummingbird's own, and the request's connection.
struct InboxRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
