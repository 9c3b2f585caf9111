import Foundation
import Hummingbird
import InboxService

/// Whose device a request comes from: the person's token that it comes with.
struct PersonAccess: Sendable {
    let people: People
    let tokens: Tokens
    let refusals: RefusalLog
    /// How many requests each person may send.
    let requests: RateLimiter

    static let realm = "person's token"

    /// Returns the token's person.
    ///
    /// - Throws: ``Problem`` 401 without a valid token, 429 past the person's rate.
    func person(of request: Request) async throws -> Person {
        try await signedIn(request).person
    }

    /// Returns the token and its person.
    ///
    /// - Throws: ``Problem`` 401 without a valid token.
    func signedIn(_ request: Request) async throws -> SignedIn {
        guard let token = request.bearer else { throw Problem.unauthorized(realm: Self.realm) }
        do {
            return try await signedIn(with: token)
        } catch let refusal as TokenRejection {
            throw Problem(refusal)
        }
    }

    /// Whose token it is. Every look at a person's token is this one, so that the log has the reason of each refusal.
    ///
    /// - Throws: ``TokenRejection``; ``Problem`` 429 past the person's rate; what keeps the database from being read.
    func signedIn(with token: String) async throws -> SignedIn {
        do {
            let verified = try await tokens.verify(token)
            let person = try await people.person(of: verified)
            try requests.count(of: person.id)
            return SignedIn(person: person, token: verified, text: token)
        } catch let refusal as TokenRejection {
            throw refused(refusal)
        }
    }

    /// Returns how long a person's stream may last: as long as a request with its token would be answered.
    func lease(of signedIn: SignedIn) -> StreamLease {
        StreamLease(token: signedIn.token.id, until: signedIn.token.end) { [tokens, people, text = signedIn.text] in
            do {
                let again = try await tokens.verify(text)
                _ = try await people.person(of: again)
                return again.end
            } catch is TokenRejection {
                return nil
            }
        }
    }

    /// Notes a refusal that is found elsewhere, and gives it back to be thrown.
    func refused(_ refusal: TokenRejection) -> TokenRejection {
        refusals.note(refusal)
        return refusal
    }
}
