import Crypto
package import Foundation
import Groundwork
import InboxModel
import JWTKit

/// The keys with which the server signs people's tokens (HS256). One signs. Former ones verify until the last token
/// that they may have signed has expired.
final class SigningKeys: Sendable {
    private struct Key: Sendable {
        let collection: JWTKeyCollection
        /// Nil for the signing key.
        let endsAt: Date?
    }

    private struct Keys: Sendable {
        /// The signing key, followed by the former ones.
        let list: [Key]
        /// A number that grows with each rotation.
        let generation: Int
    }

    /// A payload without claims, to verify only the signature. The claims are parsed elsewhere.
    private struct SignatureOnly: JWTPayload {
        init(from decoder: any Decoder) {}

        func encode(to encoder: any Encoder) {}
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    /// There is no signing key.
    private struct NoKey: Error {}

    private let writer: Writer
    private let clock: any WallClock
    private let random: RandomSource
    // Replaced as a whole by a rotation. Read for each token, from any thread.
    private let keys: Locked<Keys>

    /// The size of a key, in bytes.
    private static let size = 32

    /// Reads the keys, or creates the first one.
    init(writer: Writer, clock: any WallClock, random: RandomSource) async throws {
        (self.writer, self.clock, self.random) = (writer, clock, random)
        let created = Data(random.bytes(Self.size))
        let stored = try await writer.write { transaction in try transaction.signingKeys(creating: created) }
        keys = Locked(await Self.load(stored))
    }

    /// A number that changes with each rotation. A token that was verified before is verified again.
    var generation: Int { keys.withLock { $0.generation } }

    /// Signs claims with the newest key.
    func sign(_ claims: some JWTPayload) async throws -> String {
        guard let key = keys.withLock({ $0.list.first }) else { throw NoKey() }
        return try await key.collection.sign(claims)
    }

    /// Returns the time until which the key that signed a token is valid: the distant future for the signing key.
    ///
    /// - Returns: Nil if none of the keys signed the token.
    func expiry(ofKeySigning token: String) async -> Date? {
        let now = clock.now
        for key in keys.withLock({ $0.list }) where key.endsAt.map({ $0 > now }) ?? true {
            if (try? await key.collection.verify(token, as: SignatureOnly.self)) != nil {
                return key.endsAt ?? .distantFuture
            }
        }
        return nil
    }

    /// Replaces the signing key.
    ///
    /// - Parameters:
    ///   - revokingTokens: Whether the former keys and all their tokens become invalid at once, such as after a key has
    ///     leaked.
    ///   - actor: The requester, for the audit log.
    /// - Throws: ``TooManySigningKeysError``.
    func rotate(revokingTokens: Bool, by actor: AuditActor) async throws -> SigningKeyRotation {
        let created = Data(random.bytes(Self.size))
        let (rotation, stored) = try await writer.write { transaction in
            let rotation = try transaction.rotateSigningKey(to: created, revokingTokens: revokingTokens)
            try transaction.audit(
                .signingKeyRotated,
                by: actor,
                detail: JSONObject([("endedTokens", .bool(revokingTokens))])
            )
            return (rotation, try transaction.signingKeys(creating: created))
        }
        await use(stored)
        return rotation
    }

    /// Reads the keys again, since another server may have replaced them.
    func reload(from storage: Storage) async throws {
        let now = clock.now
        if let stored = try await storage.read({ reading in try reading.signingKeys(at: now) }) { await use(stored) }
    }

    private func use(_ stored: StoredSigningKeys) async {
        let new = await Self.load(stored)
        keys.withLock { keys in
            // Concurrent rotations may arrive here in either order.
            if new.generation > keys.generation { keys = new }
        }
    }

    private static func load(_ stored: StoredSigningKeys) async -> Keys {
        var list: [Key] = []
        for (secret, endsAt) in [(stored.current, nil)] + stored.former.map({ ($0.secret, $0.endsAt as Date?) }) {
            let collection = JWTKeyCollection()
            await collection.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
            list.append(Key(collection: collection, endsAt: endsAt))
        }
        return Keys(list: list, generation: stored.generation)
    }
}

/// The result of a rotation.
package struct SigningKeyRotation: Sendable {
    package let at: Date
    /// The time until which the former key verifies tokens.
    package let formerEndsAt: Date
}

/// The server's signing keys as stored.
struct StoredSigningKeys: Sendable {
    let current: Data
    /// The former keys that are still valid.
    let former: [(secret: Data, endsAt: Date)]
    /// The number of former keys ever, which grows with each rotation.
    let generation: Int
}

/// The number of valid former keys has reached the limit, so that another rotation isn't possible.
package struct TooManySigningKeysError: Error {
    package static let limit = 8
    /// The time at which the first of them becomes invalid.
    package let until: Date
}

extension ReadTransaction {
    fileprivate static let setting = "tokenKey"

    /// Returns the keys, or nil if there is none.
    func signingKeys(at now: Date) throws -> StoredSigningKeys? {
        guard let current: Data = try db.value("SELECT value FROM setting WHERE name = ?", [Self.setting]) else {
            return nil
        }
        let former = try db.rows(
            """
            SELECT secret, endsAt FROM formerTokenKey WHERE secret IS NOT NULL AND endsAt > ? ORDER BY endsAt DESC
            """,
            [now.milliseconds]
        )
        return StoredSigningKeys(
            current: current,
            former: former.map { ($0[0], Date(milliseconds: $0[1])) },
            generation: try db.value("SELECT count(*) FROM formerTokenKey") ?? 0
        )
    }
}

extension WriteTransaction {
    /// Returns the keys, which no other server rotates until this transaction has ended: the statements that read them
    /// don't see one moment, and a former key with the generation of the next one would never be replaced.
    ///
    /// - Parameter first: The key to store if there is none.
    func signingKeys(creating first: Data) throws -> StoredSigningKeys {
        db.lock(name: "signingKeys")
        _ = try setting(ReadTransaction.setting, orNew: first)
        guard let keys = try reading.signingKeys(at: now) else { throw RecordNotFoundError() }
        return keys
    }

    /// Makes a key the signing key. The former one verifies for the longest lifetime of a token that it may have
    /// signed, unless its tokens are to be revoked.
    ///
    /// - Throws: ``TooManySigningKeysError``.
    func rotateSigningKey(to new: Data, revokingTokens: Bool) throws -> SigningKeyRotation {
        let keys = try signingKeys(creating: new)
        if !revokingTokens, keys.former.count >= TooManySigningKeysError.limit, let first = keys.former.last {
            throw TooManySigningKeysError(until: first.endsAt)
        }
        let longest = Double(Tokens.lifetimes.upperBound) + TokenRules.skew
        // Rounded up, as the dates of tokens are whole seconds.
        let end = Date(timeIntervalSince1970: now.addingTimeInterval(longest).timeIntervalSince1970.rounded(.up))
        let endsAt = revokingTokens ? now : end
        try db.run(
            "INSERT INTO formerTokenKey (hash, secret, endsAt) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [Data(SHA256.hash(data: keys.current)), revokingTokens ? nil : keys.current, endsAt.milliseconds]
        )
        if revokingTokens {
            try db.run(
                """
                UPDATE formerTokenKey SET secret = NULL, endsAt = CASE WHEN endsAt < ?1 THEN endsAt ELSE ?1 END
                WHERE secret IS NOT NULL
                """,
                [endsAt.milliseconds]
            )
        }
        try db.run("UPDATE setting SET value = ? WHERE name = ?", [new, ReadTransaction.setting])
        announceKeys()
        return SigningKeyRotation(at: now, formerEndsAt: endsAt)
    }
}
