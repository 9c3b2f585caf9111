import Hummingbird
import InboxService

/// The access check of the REST API: whether a request's API key is valid and has the required scope.
struct Access: Sendable {
    let keys: APIKeys
    /// The rate limit of each key.
    let requests: RateLimiter
    /// The limiter of attempts with invalid keys, or nil for no limit.
    var attempts: KeyAttempts?

    /// Verifies that the request's API key has a scope.
    ///
    /// - Returns: The key's holder.
    /// - Throws: ``Problem`` 401 without a valid key, 403 if the key lacks the scope, 429 if the key's rate or the
    ///   limit of invalid attempts is exceeded, 400 if the request has an ``UnreadPart``.
    @discardableResult
    func authorize(_ request: Request, for scope: Scope) throws -> APIKeys.Holder {
        guard let key = request.bearer else { throw Problem.unauthorized(realm: "API key") }
        let found = keys.holder(of: String(key))
        try attempts?.admit(found)
        guard let holder = found else { throw Problem.unauthorized(realm: "API key") }
        guard holder.scopes.contains(scope) else { throw Problem.missingScope(scope) }
        try requests.count(of: holder.id)
        if let part = UnreadPart.current { throw part.refusal }
        return holder
    }
}
