import Groundwork
import Hummingbird
import InboxModel
import InboxService

/// The routes of the tokens of people's devices: `/v1/people/{id}/tokens`.
struct TokenRoutes: Sendable {
    let access: Access
    let tokens: Tokens
    let people: People
    let sessions: Sessions

    /// The maximum size of a request, in bytes.
    static let maxSize = 4_096

    func add(to routes: Routes) {
        routes.route(
            "/v1/people/:id/tokens",
            [
                .post { request, context in try await issue(context.parameters.require("id"), request) },
                .delete { request, context in try await revokeAll(context.parameters.require("id"), request) },
            ]
        )
    }

    private func revokeAll(_ parameter: String, _ request: Request) async throws -> Response {
        let key = try access.authorize(request, for: .tokens).id
        try await sessions.revokeAllTokens(of: try Request.person(parameter), by: .key(key))
        return Response(status: .noContent)
    }

    private func issue(_ parameter: String, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .tokens)
        let person = try Request.person(parameter)
        var lifetime = Tokens.defaultLifetime
        if let reader = try await request.optionalJSON(upTo: Self.maxSize) {
            try reader.only(["expiresIn"])
            lifetime = try reader.member("expiresIn")?.int(in: Tokens.lifetimes) ?? lifetime
        }
        let (token, expiresAt) = try await tokens.issue(
            for: person,
            lifetime: lifetime,
            notBefore: try await people.tokensSince(of: person)
        )
        let response: JSON = ["token": .string(token), "expiresAt": JSON(expiresAt)]
        return Response(.created, json: response.utf8)
    }
}
