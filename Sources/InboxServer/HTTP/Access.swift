import Hummingbird

/// Who may use the REST API: the key that a request comes with, and what that key may be used for.
struct Access: Sendable {
    let keys: APIKeys

    /// The number of the key that a request comes with.
    ///
    /// - Throws: ``Problem`` 401 without a key that works.
    func key(of request: Request, for scope: Scope) throws -> Int {
        guard let key = request.bearer, let id = keys.id(of: key) else { throw Problem.unauthorized(realm: "API key") }
        return id
    }
}
