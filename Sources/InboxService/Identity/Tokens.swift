import Crypto
package import Foundation
package import Groundwork
import JWTKit

/// The tokens of people's devices: JWTs (RFC 7519) signed with a key that the server generates (HS256), or by the app's
/// backend.
package struct Tokens: Sendable {
    /// The contents of a valid token.
    package struct Verified: Hashable, Sendable {
        let person: String
        let issuedAt: Date?
        package let expiresAt: Date
        /// Whether the server itself has issued the token.
        var isOwn = false
        package var id = TokenID.none

        /// The time from which the token is rejected, including the tolerance for clocks that differ.
        package var rejectedAt: Date { expiresAt.addingTimeInterval(TokenRules.skew) }

        /// Checks that the token was issued at or after the start of valid tokens. A token without an issue time is
        /// rejected, since it may be older.
        ///
        /// - Throws: ``TokenRejection/issuedBeforeErasure``, ``TokenRejection/revoked``,
        ///   ``TokenRejection/noIssueTime``.
        func check(since start: TokenStart?) throws(TokenRejection) {
            guard let start else { return }
            guard let issuedAt else { throw .noIssueTime }
            guard issuedAt >= start.date.addingTimeInterval(TokenStart.margin(isOwn: isOwn)) else {
                throw start.isErasure ? .issuedBeforeErasure : .revoked
            }
        }
    }

    /// The range of a token's lifetime, in seconds.
    package static let lifetimes = 60...(30 * 86_400)
    package static let defaultLifetime = 86_400

    let signingKeys: SigningKeys
    private let clock: any WallClock
    private let random: RandomSource
    private let appTokens: AppTokens?
    private let reads: KeyReads?
    private let cache = TokenCache()

    /// The `iss` of the server's own tokens.
    static let issuer = "swift-inbox"
    private static let algorithm = "HS256"
    static let rules = TokenRules(checksIssueTime: false)

    private struct Claims: JWTPayload {
        let sub: SubjectClaim
        let exp: ExpirationClaim
        let iat: IssuedAtClaim
        let iss: IssuerClaim
        /// Makes two tokens of the same second distinct, so that signing out one doesn't revoke the other.
        let jti: IDClaim

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    /// Reads the keys, or creates the first one.
    ///
    /// - Parameters:
    ///   - appTokens: The tokens of the app's backend, if it signs any.
    ///   - reads: Admits reads of keys that other servers have created. Nil for none.
    package init(
        writer: Writer,
        clock: any WallClock,
        random: RandomSource,
        appTokens: AppTokens? = nil,
        reads: KeyReads? = nil
    ) async throws {
        self.clock = clock
        self.random = random
        self.appTokens = appTokens
        self.reads = reads
        signingKeys = try await SigningKeys(writer: writer, clock: clock, random: random)
    }

    /// Issues a token for a person.
    ///
    /// - Parameters:
    ///   - lifetime: The lifetime in seconds, within ``lifetimes``.
    ///   - earliest: The earliest issue time, or nil for no restriction.
    package func issue(for person: String, lifetime: Int, notBefore earliest: Date?) async throws -> (
        token: String, expiresAt: Date
    ) {
        // In whole seconds, as a JWT's dates are.
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

    /// A number that changes with the keys. A token that was verified in an earlier generation is verified again.
    var generation: Int { signingKeys.generation + (appTokens?.generation ?? 0) }

    /// Returns the contents of a token, including its person.
    ///
    /// - Throws: ``TokenRejection`` if the token isn't valid.
    package func verify(_ token: String) async throws(TokenRejection) -> Verified {
        let hash = Data(SHA256.hash(data: Array(token.utf8)))
        // Read before the verification: if a key is removed in the meantime, the cached result is outdated at once.
        let generation = generation
        if let cached = cache[hash, generation] {
            try TokenRules.checkExpiry(of: cached, at: clock.now)
            return cached
        }
        var verified = try await verifyUncached(token)
        verified.id = TokenID(of: token)
        cache.add(verified, for: hash, generation, now: clock.now)
        return verified
    }

    private func verifyUncached(_ text: String) async throws(TokenRejection) -> Verified {
        let token = try SignedToken(text)
        // The server's own tokens have no `kid`.
        if token.keyID == nil, token.algorithm == Self.algorithm,
            let expiry = await expiry(ofKeySigning: text, token)
        {
            let verified = try Self.rules.check(token, at: clock.now)
            // The token expires with its key at the latest, whatever its `exp`.
            let expiresAt = min(verified.expiresAt, expiry.addingTimeInterval(-TokenRules.skew))
            return Verified(person: verified.person, issuedAt: verified.issuedAt, expiresAt: expiresAt, isOwn: true)
        }
        if let appTokens { return try appTokens.verify(token, at: clock.now) }
        if let id = token.keyID { throw .unknownKey(id) }
        throw Self.claimsServerIssuer(token) ? .badSignature : .noKeyNamed(keys: 0)
    }

    /// Returns the time until which the server's key that signed a token is valid. Nil if none of them did.
    private func expiry(ofKeySigning text: String, _ token: SignedToken) async -> Date? {
        if let expiry = await signingKeys.expiry(ofKeySigning: text) { return expiry }
        guard Self.claimsServerIssuer(token), let reads, reads.admit() else { return nil }
        try? await reloadKeys(from: reads.storage)
        return await signingKeys.expiry(ofKeySigning: text)
    }

    /// Whether a token claims to be issued by a server of this kind.
    static func claimsServerIssuer(_ token: SignedToken) -> Bool {
        token.keyID == nil && token.algorithm == algorithm && token.claims["iss"] == .string(issuer)
    }

    /// Removes a person's tokens from the cache.
    func evict(_ person: String) {
        cache.remove(of: person)
    }

    /// Reads the signing keys again, since another server may have replaced them.
    func reloadKeys(from storage: Storage) async throws {
        try await signingKeys.reload(from: storage)
    }
}

/// A cache of valid tokens by their SHA-256, so that a device's next request needs no verification.
///
/// Entries of an earlier generation of the keys are ignored.
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

    /// Adds a token. If the cache is full, expired and outdated entries are removed, and if that isn't enough, all of
    /// them.
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
