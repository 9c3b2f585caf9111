import Groundwork
import Hummingbird
import InboxService

/// The route of health checks by load balancers: `/health`.
struct HealthRoutes: Sendable {
    let storage: Storage

    func add(to routes: Routes) {
        routes.route("/health", [.get { _, _ in try await health() }])
    }

    /// Reports the server as healthy if it can read the database.
    private func health() async throws -> Response {
        try await storage.check()
        return Response(json: (["status": "ok"] as JSON).utf8)
    }
}
