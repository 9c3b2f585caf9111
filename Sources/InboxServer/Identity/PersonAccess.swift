import Foundation
import Hummingbird
import InboxService

/// The access check of people's devices: the person whose token a request has.
struct PersonAccess: Sendable {
    let people: People
    let tokens: Tokens
    let rejections: RejectionLog
    /// The rate limit of each person.
    let requests: RateLimiter

    static let realm = "person's token"

    /// Returns the person of the request's token.
    ///
    /// - Throws: ``Problem`` 401 without a valid token, 429 if the person's rate is exceeded.
    func person(of request: Request) async throws -> Person {
        try await signedIn(request).person
    }

    /// Returns the request's token and its person.
    ///
    /// - Throws: ``Problem`` 401 without a valid token, 429 if the person's rate is exceeded.
    func signedIn(_ request: Request) async throws -> SignedIn {
        guard let token = request.bearer else { throw Problem.unauthorized(realm: Self.realm) }
        do {
            return try await signedIn(with: token)
        } catch let rejection as TokenRejection {
            throw Problem(rejection)
        }
    }

    /// Verifies a token and returns it with its person. All tokens are verified here, so that the log has the reason of
    /// each rejection.
    ///
    /// - Throws: ``TokenRejection``, ``Problem`` 429 if the person's rate is exceeded, or the error of reading the
    ///   database.
    func signedIn(with token: Substring) async throws -> SignedIn {
        do {
            let verified = try await tokens.verify(String(token))
            let person = try await people.person(of: verified)
            try requests.count(of: person.id)
            return SignedIn(person: person, token: verified, text: token)
        } catch let rejection as TokenRejection {
            throw logged(rejection)
        }
    }

    /// Returns the lease of a person's stream. It lasts as long as the server would accept the token of a request.
    func lease(of signedIn: SignedIn) -> StreamLease {
        StreamLease(token: signedIn.token.id, until: signedIn.token.rejectedAt) {
            [tokens, people, text = signedIn.text] in
            do {
                let renewed = try await tokens.verify(String(text))
                _ = try await people.person(of: renewed)
                return renewed.rejectedAt
            } catch is TokenRejection {
                return nil
            }
        }
    }

    /// Logs a rejection that was found elsewhere, and returns it to be thrown.
    func logged(_ rejection: TokenRejection) -> TokenRejection {
        rejections.record(rejection)
        return rejection
    }
}
