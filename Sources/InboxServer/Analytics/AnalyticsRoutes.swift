import Groundwork
import Hummingbird
import InboxService

/// The route of a message's figures: `/v1/messages/{id}/figures`.
struct AnalyticsRoutes: Sendable {
    let storage: Storage
    let access: Access

    func add(to routes: Routes) {
        routes.route(
            "/v1/messages/:id/figures",
            [.get { request, context in try await figures(context.parameters.require("id"), request) }]
        )
    }

    private func figures(_ parameter: String, _ request: Request) async throws -> Response {
        _ = try access.key(of: request, for: .messages)
        let id = MessageID(try Request.decoded(parameter))
        let figures = try await storage.read { reading in try id.flatMap { try reading.analytics(of: $0) } }
        guard let figures else { throw Problem(.notFound, "There is no message with that id.") }
        return Response(json: figures.json.utf8)
    }
}
