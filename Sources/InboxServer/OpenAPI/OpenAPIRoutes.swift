import Groundwork
import Hummingbird

/// The description of the REST API: `/openapi.json`.
struct OpenAPIRoutes: Sendable {
    private let document = OpenAPI.document.utf8

    func add(to routes: Routes) {
        routes.route("/openapi.json", [.get { _, _ in Response(json: document, cacheControl: "no-cache") }])
    }
}
