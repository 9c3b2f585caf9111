import Hummingbird
import InboxService

/// The access check of the REST API: whether a request's API key is valid and has the required scope.
struct Access: Sendable {
    let keys: APIKeys
    /// The rate limit of each key.
    let requests: RateLimiter
    /// The limiter of attempts with invalid keys, or nil for no limit.
    var attempts: KeyAttempts?

    /// Returns the number of the request's API key.
    ///
    /// - Throws: ``Problem`` 401 without a valid key, 403 if the key lacks the scope, 429 if the key's rate or the
    ///   limit of invalid attempts is exceeded.
    func key(of request: Request, for scope: Scope) throws -> Int {
        try holder(of: request, for: scope).id
    }

    /// Returns the holder of the request's API key, with its scopes.
    ///
    /// - Throws: ``Problem`` 401 without a valid key, 403 if the key lacks the scope, 429 if the key's rate or the
    ///   limit of invalid attempts is exceeded.
    func holder(of request: Request, for scope: Scope) throws -> APIKeys.Holder {
        guard let key = request.bearer else { throw Problem.unauthorized(realm: "API key") }
        let found = keys.holder(of: String(key))
        try attempts?.admit(found)
        guard let holder = found else { throw Problem.unauthorized(realm: "API key") }
        guard holder.scopes.contains(scope) else { throw Problem.missingScope(scope) }
        try requests.count(of: holder.id)
        return holder
    }
}
