import Foundation
import Hummingbird

/// Whose device a request comes from: the person's token that it comes with.
struct PersonAccess: Sendable {
    let people: People
    let tokens: Tokens
    let refusals: RefusalLog
    /// How many requests each person may send.
    let requests: RateLimiter

    static let realm = "person's token"

    /// The person whom the token is for.
    ///
    /// - Throws: ``Problem`` 401 without a token that holds, 429 past the person's rate.
    func person(of request: Request) async throws -> Person {
        guard let token = request.bearer else { throw Problem.unauthorized(realm: Self.realm) }
        do {
            return try await person(of: token).person
        } catch let refusal as TokenRejection {
            throw Problem(refusal)
        }
    }

    /// Whose token it is, and until when it holds. Every look at a person's token is this one, so that the log has the reason of each
    /// refusal.
    ///
    /// - Throws: ``TokenRejection``; ``Problem`` 429 past the person's rate; what keeps the database from being read.
    func person(of token: String) async throws -> (person: Person, expiresAt: Date) {
        do {
            let verified = try await tokens.verify(token)
            let person = try await people.person(of: verified)
            try requests.count(of: person.id)
            return (person, verified.expiresAt)
        } catch let refusal as TokenRejection {
            throw refused(refusal)
        }
    }

    /// Notes a refusal that is found elsewhere, and gives it back to be thrown.
    func refused(_ refusal: TokenRejection) -> TokenRejection {
        refusals.note(refusal)
        return refusal
    }
}
