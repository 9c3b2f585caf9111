import Crypto
package import Foundation
import GRDB
package import Groundwork
import JWTKit

/// The tokens with which a person's devices come: JWTs signed with a key that the server made itself (HS256, RFC 7519),
/// or by the app's own backend.
package struct Tokens: Sendable {
    /// What a token that holds says.
    package struct Verified: Hashable, Sendable {
        let person: String
        let issuedAt: Date?
        package let expiresAt: Date
        /// Whether the server has made it itself.
        var isOwn = false
        package var id = TokenID.none

        /// When it is refused at the latest.
        package var end: Date { expiresAt.addingTimeInterval(TokenRules.skew) }

        /// Makes sure that it was issued since then. One that doesn't say when it was issued may have been at any time.
        ///
        /// - Throws: ``TokenRejection/issuedBeforeErasure``, ``TokenRejection/ended``, ``TokenRejection/noIssueTime``.
        func check(since start: TokenStart?) throws(TokenRejection) {
            guard let start else { return }
            guard let issuedAt else { throw .noIssueTime }
            guard issuedAt >= start.date.addingTimeInterval(TokenStart.margin(isOwn: isOwn)) else {
                throw start.isErasure ? .issuedBeforeErasure : .ended
            }
        }
    }

    /// How long a token may hold, in seconds.
    package static let lifetimes = 60...(30 * 86_400)
    package static let defaultLifetime = 86_400

    let signingKeys: SigningKeys
    private let clock: any WallClock
    private let random: RandomSource
    private let appTokens: AppTokens?
    private let cache = TokenCache()

    /// The `iss` of those that the server makes.
    static let issuer = "swift-inbox"
    private static let algorithm = "HS256"
    static let rules = TokenRules(checksIssueTime: false)

    private struct Claims: JWTPayload {
        let sub: SubjectClaim
        let exp: ExpirationClaim
        let iat: IssuedAtClaim
        let iss: IssuerClaim
        /// Two tokens of one second are two: one that is signed out leaves the other.
        let jti: IDClaim

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    /// Reads the keys, or makes the first one at the first start.
    ///
    /// - Parameter appTokens: Those of the app's backend, where it signs any.
    package init(writer: Writer, clock: any WallClock, random: RandomSource, appTokens: AppTokens? = nil) async throws {
        self.clock = clock
        self.random = random
        self.appTokens = appTokens
        signingKeys = try await SigningKeys(writer: writer, clock: clock, random: random)
    }

    /// Makes a token for a person.
    ///
    /// - Parameters:
    ///   - lifetime: In seconds, within ``lifetimes``.
    ///   - earliest: The time at which it has to be issued at the earliest, if that matters.
    package func make(for person: String, lifetime: Int, notBefore earliest: Date?) async throws -> (
        token: String, expiresAt: Date
    ) {
        // Whole seconds, as a JWT's dates are.
        let now = Date(timeIntervalSince1970: clock.now.timeIntervalSince1970.rounded(.down))
        let expiresAt = now.addingTimeInterval(Double(lifetime))
        let claims = Claims(
            sub: SubjectClaim(value: person),
            exp: ExpirationClaim(value: expiresAt),
            iat: IssuedAtClaim(value: max(now, earliest ?? now)),
            iss: IssuerClaim(value: Self.issuer),
            jti: IDClaim(value: random.token(length: 16))
        )
        return (try await signingKeys.sign(claims), expiresAt)
    }

    /// Changes with the keys: what was verified in an earlier one has to be verified again.
    var generation: Int { signingKeys.generation + (appTokens?.generation ?? 0) }

    /// Whose token it is.
    ///
    /// - Throws: ``TokenRejection``.
    package func verify(_ token: String) async throws(TokenRejection) -> Verified {
        let hash = Data(SHA256.hash(data: Array(token.utf8)))
        // Taken before the look: a key that goes meanwhile takes what was seen with it.
        let generation = generation
        if let cached = cache[hash, generation] {
            try TokenRules.checkExpiry(of: cached, at: clock.now)
            return cached
        }
        var verified = try await look(at: token)
        verified.id = TokenID(of: token)
        cache.add(verified, for: hash, generation, now: clock.now)
        return verified
    }

    private func look(at text: String) async throws(TokenRejection) -> Verified {
        let token = try SignedToken(text)
        // The server's own name no key.
        if token.keyID == nil, token.algorithm == Self.algorithm,
            let end = await signingKeys.end(ofKeyThatSigned: text)
        {
            let said = try Self.rules.check(token, at: clock.now)
            // Whatever it says: not longer than its key.
            let expiresAt = min(said.expiresAt, end.addingTimeInterval(-TokenRules.skew))
            return Verified(person: said.person, issuedAt: said.issuedAt, expiresAt: expiresAt, isOwn: true)
        }
        if let appTokens { return try appTokens.verify(token, at: clock.now) }
        if let id = token.keyID { throw .unknownKey(id) }
        throw Self.mayBeOwn(token) ? .badSignature : .noKeyNamed(keys: 0)
    }

    /// Whether it says of itself that a server has made it.
    static func mayBeOwn(_ token: SignedToken) -> Bool {
        token.keyID == nil && token.algorithm == algorithm && token.claims["iss"] == .string(issuer)
    }

    /// Forgets the tokens of a person.
    func forget(_ person: String) {
        cache.remove(of: person)
    }
}

/// The tokens that held when they were looked at, by their SHA-256, so that a device's next request costs no second
/// look.
///
/// What was seen with an earlier generation of the keys counts for nothing.
final class TokenCache: Sendable {
    private struct Entry: Sendable {
        let token: Tokens.Verified
        let generation: Int
    }

    private let entries = Locked<[Data: Entry]>([:])
    private static let limit = 20_000

    subscript(_ hash: Data, _ generation: Int) -> Tokens.Verified? {
        entries.withLock { $0[hash] }.flatMap { $0.generation == generation ? $0.token : nil }
    }

    func remove(of person: String) {
        entries.withLock { entries in
            entries = entries.filter { !$0.value.token.person.hasSameBytes(as: person) }
        }
    }

    /// Where there is no more room, those that no longer hold are dropped, and if that doesn't help, all.
    func add(_ token: Tokens.Verified, for hash: Data, _ generation: Int, now: Date) {
        entries.withLock { entries in
            if entries.count >= Self.limit {
                entries = entries.filter { $0.value.token.expiresAt > now && $0.value.generation == generation }
                if entries.count >= Self.limit { entries.removeAll() }
            }
            entries[hash] = Entry(token: token, generation: generation)
        }
    }
}
