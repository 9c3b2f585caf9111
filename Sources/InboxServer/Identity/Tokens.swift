import Crypto
import Foundation
import GRDB
import Groundwork
import JWTKit

/// The tokens with which a person's devices come: JWTs signed with a key that the server made itself (HS256, RFC 7519), or by the
/// app's own backend.
struct Tokens: Sendable {
    /// What a token that holds says.
    struct Verified: Hashable, Sendable {
        let person: String
        let issuedAt: Date?
        let expiresAt: Date

        /// Makes sure that it was issued by then. One that doesn't say when it was issued may have been at any time.
        ///
        /// - Throws: ``TokenRejection/issuedBeforeErasure``, ``TokenRejection/noIssueTime``.
        func check(since earliest: Date?) throws(TokenRejection) {
            guard let earliest else { return }
            guard let issuedAt else { throw .noIssueTime }
            guard issuedAt >= earliest else { throw .issuedBeforeErasure }
        }
    }

    /// How long a token may hold, in seconds.
    static let lifetimes = 60...(30 * 86_400)
    static let defaultLifetime = 86_400

    private let keys = JWTKeyCollection()
    private let clock: any WallClock
    private let appTokens: AppTokens?
    private let cache = TokenCache()

    /// The `iss` of those that the server makes.
    static let issuer = "swift-inbox"
    private static let algorithm = "HS256"
    private static let setting = "tokenKey"
    static let rules = TokenRules(checksIssueTime: false)

    private struct Claims: JWTPayload {
        let sub: SubjectClaim
        let exp: ExpirationClaim
        let iat: IssuedAtClaim
        let iss: IssuerClaim

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    /// Claims that are read elsewhere: what is asked for is the signature alone.
    private struct SignatureOnly: JWTPayload {
        init(from decoder: any Decoder) {}

        func encode(to encoder: any Encoder) {}
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    /// Reads the key, or makes it at the first start.
    ///
    /// - Parameter appTokens: Those of the app's backend, where it signs any.
    init(writer: Writer, clock: any WallClock, random: RandomSource, appTokens: AppTokens? = nil) async throws {
        let made = Data(random.bytes(32))
        let key: Data = try await writer.write { transaction in
            try transaction.db.run("INSERT OR IGNORE INTO setting (name, value) VALUES (?, ?)", [Self.setting, made])
            return try transaction.db.value("SELECT value FROM setting WHERE name = ?", [Self.setting]) ?? made
        }
        self.clock = clock
        self.appTokens = appTokens
        await keys.add(hmac: HMACKey(from: key), digestAlgorithm: .sha256)
    }

    /// Makes a token for a person.
    ///
    /// - Parameters:
    ///   - lifetime: In seconds, within ``lifetimes``.
    ///   - earliest: The time at which it has to be issued at the earliest, if that matters.
    func make(for person: String, lifetime: Int, notBefore earliest: Date?) async throws -> (
        token: String, expiresAt: Date
    ) {
        // Whole seconds, as a JWT's dates are.
        let now = Date(timeIntervalSince1970: clock.now.timeIntervalSince1970.rounded(.down))
        let expiresAt = now.addingTimeInterval(Double(lifetime))
        let claims = Claims(
            sub: SubjectClaim(value: person),
            exp: ExpirationClaim(value: expiresAt),
            iat: IssuedAtClaim(value: max(now, earliest ?? now)),
            iss: IssuerClaim(value: Self.issuer)
        )
        return (try await keys.sign(claims), expiresAt)
    }

    /// Whose token it is.
    ///
    /// - Throws: ``TokenRejection``.
    func verify(_ token: String) async throws(TokenRejection) -> Verified {
        let hash = Data(SHA256.hash(data: Array(token.utf8)))
        // Taken before the look: a key that goes meanwhile takes what was seen with it.
        let generation = appTokens?.generation ?? 0
        if let cached = cache[hash, generation] {
            try TokenRules.checkExpiry(of: cached, at: clock.now)
            return cached
        }
        let verified = try await look(at: token)
        cache.add(verified, for: hash, generation, now: clock.now)
        return verified
    }

    private func look(at text: String) async throws(TokenRejection) -> Verified {
        let token = try SignedToken(text)
        // The server's own name no key.
        if token.keyID == nil, token.algorithm == Self.algorithm, await isOwn(text) {
            return try Self.rules.check(token, at: clock.now)
        }
        if let appTokens { return try appTokens.verify(token, at: clock.now) }
        if let id = token.keyID { throw .unknownKey(id) }
        throw Self.mayBeOwn(token) ? .badSignature : .noKeyNamed(keys: 0)
    }

    /// Whether it says of itself that a server has made it.
    static func mayBeOwn(_ token: SignedToken) -> Bool {
        token.keyID == nil && token.algorithm == algorithm && token.claims["iss"] == .string(issuer)
    }

    /// Whether the server itself has signed it.
    private func isOwn(_ token: String) async -> Bool {
        (try? await keys.verify(token, as: SignatureOnly.self)) != nil
    }

    /// Forgets the tokens of a person.
    func forget(_ person: String) {
        cache.remove(of: person)
    }
}

/// The tokens that held when they were looked at, by their SHA-256, so that a device's next request costs no second look.
///
/// What was seen with an earlier generation of the app's keys counts for nothing.
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
