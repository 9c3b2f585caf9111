import Hummingbird

/// Notes how long each route took, and how it ended.
struct MetricsMiddleware<Context: RequestContext>: RouterMiddleware {
    let metrics: Metrics

    private static var methods: Set<String> { ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"] }

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let method = request.method.rawValue
        let route = Metrics.Route(
            method: Self.methods.contains(method) ? method : "other",
            // What no route was found for has one label, whatever was asked for.
            route: context.endpointPath ?? "NotFound",
            status: response.status.code
        )
        metrics.count(route, seconds: (ContinuousClock.now - start) / .seconds(1))
        return response
    }
}
