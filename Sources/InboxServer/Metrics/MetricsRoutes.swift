import Hummingbird

/// The endpoint for Prometheus: `/metrics`.
///
/// It requires an API key, since the metrics show how much an app sends, and are served at the same address as the
/// rest.
struct MetricsRoutes: Sendable {
    let metrics: ServerMetrics
    let gauges: ServerGauges
    let access: Access

    func add(to routes: Routes) {
        routes.route("/metrics", [.get { request, _ in try await read(request) }])
    }

    private func read(_ request: Request) async throws -> Response {
        try access.authorize(request, for: .metrics)
        metrics.record(await gauges.values())
        return Response(
            status: .ok,
            headers: [.contentType: MetricsText.contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text))
        )
    }
}
