import Hummingbird
import NIOCore

/// A method and a path, parameters as `{id}`.
struct Route: Hashable, Sendable {
    let method: String
    let path: String
}

/// What one method of a path does.
///
/// The closure lies in a field of its own type: one in an array's tuple would be called through others, which take a
/// task's memory.
struct RouteHandler: Sendable {
    typealias Handler = @concurrent @Sendable (Request, InboxRequestContext) async throws -> Response

    let method: HTTPRequest.Method
    let handler: Handler

    static func get(_ handler: @escaping Handler) -> RouteHandler { RouteHandler(method: .get, handler: handler) }
    static func put(_ handler: @escaping Handler) -> RouteHandler { RouteHandler(method: .put, handler: handler) }
    static func post(_ handler: @escaping Handler) -> RouteHandler { RouteHandler(method: .post, handler: handler) }
    static func patch(_ handler: @escaping Handler) -> RouteHandler { RouteHandler(method: .patch, handler: handler) }
    static func delete(_ handler: @escaping Handler) -> RouteHandler { RouteHandler(method: .delete, handler: handler) }
}

/// All that the server answers. Errors and figures are seen to for every route that is registered here.
struct Routes {
    private let router = Router(context: InboxRequestContext.self)
    private let answers: AnswerMiddleware
    private let proxies: TrustedProxies

    /// - Parameter speaksTLS: Whether the server itself speaks TLS.
    init(metrics: ServerMetrics, proxies: TrustedProxies = .none, speaksTLS: Bool = false) {
        answers = AnswerMiddleware(metrics: metrics, speaksTLS: speaksTLS)
        self.proxies = proxies
    }

    /// Answers the given methods of a path; the others get 405 with the ones that are allowed.
    func route(_ path: RouterPath, _ handlers: [RouteHandler]) {
        let allowed = handlers.map(\.method.rawValue).joined(separator: ", ")
        for handler in handlers { on(path, handler) }
        var others: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace]
        if let query = HTTPRequest.Method("QUERY") { others.append(query) }
        for method in others where !handlers.contains(where: { $0.method == method }) {
            let refusal = RouteHandler(method: method) { _, _ in
                throw Problem(.methodNotAllowed, "This address takes \(allowed).", headers: [.allow: allowed])
            }
            on(path, refusal)
        }
    }

    /// Called directly: as the router's middleware, it would be called through five more functions, whose frames a task
    /// keeps.
    private func on(_ path: RouterPath, _ handler: RouteHandler) {
        // What an API key opens knows where it is asked from. Devices' requests don't need to: their streams live long.
        guard !Self.takesKeys("\(path)") else {
            router.on(path, method: handler.method) { [answers, proxies] request, context in
                try await ClientAddress.$current.withValue(proxies.client(of: request, on: context.channel)) {
                    try await answers.handle(request, context: context, next: handler.handler)
                }
            }
            return
        }
        router.on(path, method: handler.method) { [answers] request, context in
            try await answers.handle(request, context: context, next: handler.handler)
        }
    }

    private static func takesKeys(_ path: String) -> Bool {
        path.hasPrefix("/v1/") || path == "/metrics"
    }

    /// What was registered.
    var all: [Route] {
        router.routes.map { Route(method: $0.method.rawValue, path: "\($0.path)") }
    }

    /// What answers requests, once all routes are registered.
    var responder: RouterResponder<InboxRequestContext> {
        // For addresses that no route has.
        router.add(middleware: answers)
        return router.buildResponder()
    }
}

/// What a route knows beside the request: what Hummingbird keeps, and the connection that the request came on.
struct InboxRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
