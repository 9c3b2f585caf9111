import Hummingbird
import InboxService

/// Who may use the REST API: the key that a request comes with, and what that key may be used for.
struct Access: Sendable {
    let keys: APIKeys
    /// How many requests may come with each key.
    let requests: RateLimiter
    /// Paces attempts with wrong keys; nil for no pace.
    var attempts: KeyAttempts?

    /// The number of the key that a request comes with.
    ///
    /// - Throws: ``Problem`` 401 without a key that holds, 403 for one without the scope, 429 past the key's rate or
    ///   after too many wrong ones.
    func key(of request: Request, for scope: Scope) throws -> Int {
        try holder(of: request, for: scope).id
    }

    /// The key that a request comes with, and all that it may be used for.
    ///
    /// - Throws: ``Problem`` 401 without a key that holds, 403 for one without the scope, 429 past the key's rate or
    ///   after too many wrong ones.
    func holder(of request: Request, for scope: Scope) throws -> APIKeys.Holder {
        guard let key = request.bearer else { throw Problem.unauthorized(realm: "API key") }
        let found = keys.holder(of: key)
        try attempts?.admit(found)
        guard let holder = found else { throw Problem.unauthorized(realm: "API key") }
        guard holder.scopes.contains(scope) else { throw Problem.missingScope(scope) }
        try requests.count(of: holder.id)
        return holder
    }
}
