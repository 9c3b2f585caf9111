import Groundwork
import Hummingbird
import InboxService

/// The routes of health checks: `/health`, and `/health/live` and `/health/ready` for load balancers.
struct HealthRoutes: Sendable {
    let storage: Storage
    /// Whether the server stops.
    let isStopping: @Sendable () -> Bool

    func add(to routes: Routes) {
        routes.route("/health", [.get { _, _ in try await health() }, .head { _, _ in try await health() }])
        routes.route("/health/live", [.get { _, _ in Self.ok }, .head { _, _ in Self.ok }])
        routes.route("/health/ready", [.get { _, _ in try await ready() }, .head { _, _ in try await ready() }])
    }

    private static var ok: Response { Response(json: (["status": "ok"] as JSON).utf8) }

    /// Reports the server as healthy if it can read the database.
    private func health() async throws -> Response {
        try await storage.check()
        return Self.ok
    }

    /// Reports whether the server can take requests now: it isn't stopping, receives the other servers' commits, its
    /// clock agrees with the database's, it can read and write the database, whose triggers run, and the database has
    /// lost no commits.
    private func ready() async throws -> Response {
        guard !isStopping() else { throw Self.unready("The server is stopping.") }
        guard storage.receivesChanges else {
            throw Self.unready("The server doesn't hear the other servers of the database.")
        }
        guard !storage.hasLostCommits else {
            throw Self.unready(
                "The database has lost what it had confirmed. Stop all servers, and run inbox restore --database."
            )
        }
        let difference = storage.clockDifference
        guard difference == 0 else {
            throw Self.unready("The server's clock is \(ClockDifference.description(of: difference)).")
        }
        guard !storage.skipsTriggers else {
            throw Self.unready(
                "Triggers don't run in the database, so it stores nothing: session_replication_role is replica."
            )
        }
        // No write may follow that would log it.
        guard !storage.lacksRights else {
            throw Self.unready(
                "Tables or views of people or messages are missing, or rights on them (inbox doctor)."
            )
        }
        guard storage.isReachable else { throw Self.unready("The server can't reach a database that accepts writes.") }
        do {
            try await storage.check()
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // Not logged: this is asked once a second, and other requests log it.
            throw Self.unready("The server can't read the database.")
        }
        return Self.ok
    }

    private static func unready(_ detail: String) -> Problem {
        Problem(.serviceUnavailable, detail, headers: [.retryAfter: "1"])
    }
}
