import Groundwork
import Hummingbird

/// What a load balancer asks: `/health`.
struct HealthRoutes: Sendable {
    let storage: Storage

    func add(to routes: Routes) {
        routes.route("/health", [.get { _, _ in try await health() }])
    }

    /// Healthy is who can read the database.
    private func health() async throws -> Response {
        let settings: Int? = try await storage.read { db in try db.value("SELECT count(*) FROM setting") }
        guard settings != nil else {
            throw Problem(.serviceUnavailable, "The database can't be read.", headers: [.retryAfter: "10"])
        }
        return Response(json: (["status": "ok"] as JSON).utf8)
    }
}
