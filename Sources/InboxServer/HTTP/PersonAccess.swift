import Hummingbird

/// Whose device a request comes from: the person's token that it comes with.
struct PersonAccess: Sendable {
    let people: People
    let tokens: Tokens

    static let realm = "person's token"

    /// The person whom the token is for.
    ///
    /// - Throws: ``Problem`` 401 without a token that holds.
    func person(of request: Request) async throws -> Person {
        guard let token = request.bearer, let verified = await tokens.verify(token),
            let person = try await people.person(of: verified)
        else { throw Problem.unauthorized(realm: Self.realm) }
        return person
    }
}
