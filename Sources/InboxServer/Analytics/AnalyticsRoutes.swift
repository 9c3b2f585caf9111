import Groundwork
import Hummingbird
import InboxService

/// The route of a message's analytics: `/v1/messages/{id}/figures`.
struct AnalyticsRoutes: Sendable {
    let storage: Storage
    let access: Access

    func add(to routes: Routes) {
        routes.route(
            "/v1/messages/:id/figures",
            [.get { request, context in try await analytics(context.parameters.require("id"), request) }]
        )
    }

    private func analytics(_ parameter: String, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .messages)
        let id = MessageID(try Request.decoded(parameter))
        let analytics = try await storage.read { reading in try id.flatMap { try reading.analytics(of: $0) } }
        guard let analytics else { throw Problem(.notFound, "There is no message with that id.") }
        return Response(json: analytics.json.utf8)
    }
}
