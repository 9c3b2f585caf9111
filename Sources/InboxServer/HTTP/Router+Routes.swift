import Hummingbird

/// A method and a path, parameters as `{id}`.
struct Route: Hashable, Sendable {
    let method: String
    let path: String
}

extension Router {
    typealias Handler = @Sendable (Request, Context) async throws -> Response

    /// Answers the given methods of a path; the others get 405 with the ones that are allowed.
    func route(_ path: RouterPath, _ handlers: [(method: HTTPRequest.Method, handler: Handler)]) {
        let allowed = handlers.map(\.method.rawValue).joined(separator: ", ")
        for (method, handler) in handlers { on(path, method: method, use: handler) }
        var others: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace]
        if let query = HTTPRequest.Method("QUERY") { others.append(query) }
        for method in others where !handlers.contains(where: { $0.method == method }) {
            on(path, method: method) { _, _ -> Response in
                throw Problem(.methodNotAllowed, "This address takes \(allowed).", headers: [.allow: allowed])
            }
        }
    }
}
