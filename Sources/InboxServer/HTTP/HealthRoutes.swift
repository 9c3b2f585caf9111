import Groundwork
import Hummingbird
import InboxService

/// What a load balancer asks: `/health`.
struct HealthRoutes: Sendable {
    let storage: Storage

    func add(to routes: Routes) {
        routes.route("/health", [.get { _, _ in try await health() }])
    }

    /// Healthy is who can read the database.
    private func health() async throws -> Response {
        try await storage.check()
        return Response(json: (["status": "ok"] as JSON).utf8)
    }
}
