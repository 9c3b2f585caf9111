import Hummingbird

/// What Prometheus reads: `/metrics`.
///
/// It takes an API key: the figures tell how much an app sends, and stand at the same address as everything else.
struct MetricsRoutes: Sendable {
    let metrics: Metrics
    let gauges: ServerGauges
    let access: Access

    func add(to routes: Routes) {
        routes.route("/metrics", [.get { request, _ in try await read(request) }])
    }

    private func read(_ request: Request) async throws -> Response {
        _ = try access.key(of: request, for: .metrics)
        let text = metrics.text(try await gauges.values())
        return Response(
            status: .ok,
            headers: [.contentType: MetricsText.contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
