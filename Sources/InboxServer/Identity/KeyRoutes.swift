import Groundwork
import Hummingbird
import InboxModel
import InboxService

/// The routes of API keys: `/v1/keys`.
struct KeyRoutes: Sendable {
    let storage: Storage
    let keys: APIKeys
    let access: Access
    let clock: any WallClock

    /// The maximum size of a request, in bytes.
    static let maxSize = 4_096

    func add(to routes: Routes) {
        routes.route(
            "/v1/keys",
            [.list { request, _ in try await list(request) }, .post { request, _ in try await create(request) }]
        )
        routes.route(
            "/v1/keys/:id",
            [.delete { request, context in try await revoke(context.parameters.require("id"), request) }]
        )
    }

    private func create(_ request: Request) async throws -> Response {
        let creator = try access.authorize(request, for: .keys)
        let reader = try await request.json(upTo: Self.maxSize)
        let newKey = try NewAPIKey(checking: reader, now: clock.now)
        // A key can't grant a scope that it doesn't have.
        for (index, scope) in newKey.scopes.enumerated() where !creator.scopes.contains(scope) {
            throw Problem.missingScope(scope, pointer: JSONPointer(["scopes"]) / index)
        }
        do {
            let (secret, key) = try await keys.create(newKey, by: creator)
            var response = key.json.objectValue ?? JSONObject()
            response.add("key", .string(secret))
            return Response(.created, json: JSON.object(response).utf8)
        } catch is TooManyKeysError {
            throw Problem(
                .conflict,
                "The limit of \(TooManyKeysError.limit) valid keys is reached. Revoke unused keys.",
                kind: .tooManyKeys
            )
        }
    }

    private func list(_ request: Request) async throws -> Response {
        try access.authorize(request, for: .keys)
        let query = try QueryParameters(request, allowed: ["limit", "after"])
        let limit = try query.int("limit", in: PageLimits.limitRange) ?? PageLimits.defaultLimit
        let after = try query.id("after", "a key's id") { APIKeyID($0) }
        let list = try await keys.list(Page(limit: limit + 1, after: after), in: storage)
        return Response(
            json: PageLimits.response("keys", list.map { ($0.id.text, $0.json) }, limit: limit).utf8
        )
    }

    private func revoke(_ parameter: String, _ request: Request) async throws -> Response {
        let holder = try access.authorize(request, for: .keys)
        do {
            guard let id = APIKeyID(try Request.decoded(parameter)), try await keys.revoke(id, by: holder) else {
                throw Problem(.notFound, "There is no key with that id, or it was revoked.")
            }
        } catch let error as InsufficientScope {
            // A key can't revoke a key with a scope that it doesn't have.
            throw Problem.missingScope(error.scope)
        } catch is LastKey {
            throw Problem(
                .conflict,
                "This is the last key that can create keys. Create another one with the scope keys first.",
                kind: .lastKey
            )
        }
        return Response(status: .noContent)
    }
}
