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

        /// Whether it was issued by then. One that doesn't say when it was issued may have been at any time.
        func holds(since earliest: Date?) -> Bool {
            guard let earliest else { return true }
            return issuedAt.map { $0 >= earliest } ?? false
        }
    }

    /// How long a token may hold, in seconds.
    static let lifetimes = 60...(30 * 86_400)
    static let defaultLifetime = 86_400
    /// By how much clocks may differ, in seconds.
    static let skew: TimeInterval = 60

    private let keys = JWTKeyCollection()
    private let clock: any WallClock
    private let appTokens: AppTokens?
    private let cache = TokenCache()

    private static let issuer = "swift-inbox"
    private static let algorithm = "HS256"
    private static let setting = "tokenKey"

    private struct Claims: JWTPayload {
        let sub: SubjectClaim
        let exp: ExpirationClaim
        let iat: IssuedAtClaim?
        let nbf: NotBeforeClaim?
        let iss: IssuerClaim?

        /// The times are checked by ``Tokens``, with its clock.
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
            nbf: nil,
            iss: IssuerClaim(value: Self.issuer)
        )
        return (try await keys.sign(claims), expiresAt)
    }

    /// Tells whose token it is; nil where it doesn't hold, for whatever reason.
    func verify(_ token: String) async -> Verified? {
        let hash = Data(SHA256.hash(data: Array(token.utf8)))
        // Taken before the look: a key that goes meanwhile takes what was seen with it.
        let generation = appTokens?.generation ?? 0
        if let cached = cache[hash, generation] { return isCurrent(cached) ? cached : nil }
        var verified = await verifyOwn(token)
        if verified == nil, let appTokens {
            verified = SignedToken(token).flatMap { appTokens.verify($0, at: clock.now) }
        }
        guard let verified, PersonName.isValid(verified.person), isCurrent(verified) else { return nil }
        cache.add(verified, for: hash, generation, now: clock.now)
        return verified
    }

    /// Looks at a token that the server may have made, whose header names no key.
    private func verifyOwn(_ token: String) async -> Verified? {
        guard let (header, claims, _) = try? DefaultJWTParser().parse(Array(token.utf8), as: Claims.self),
            header.alg == Self.algorithm, header.kid == nil, header.crit == nil,
            let _: Claims = try? await keys.verify(token)
        else { return nil }
        if let notBefore = claims.nbf?.value, notBefore > clock.now.addingTimeInterval(Self.skew) { return nil }
        return Verified(
            person: claims.sub.value,
            issuedAt: claims.iat?.value,
            expiresAt: claims.exp.value
        )
    }

    /// Forgets the tokens of a person.
    func forget(_ person: String) {
        cache.remove(of: person)
    }

    private func isCurrent(_ token: Verified) -> Bool {
        token.expiresAt.addingTimeInterval(Self.skew) > clock.now
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
