import Crypto
package import Foundation
import GRDB
import Groundwork
import InboxModel
import JWTKit

/// The keys with which the server signs people's tokens (HS256): one signs, the former ones verify until the last token
/// that they may have signed has ended.
final class SigningKeys: Sendable {
    private struct Key: Sendable {
        let collection: JWTKeyCollection
        /// Nil for the one that signs.
        let endsAt: Date?
    }

    private struct Keys: Sendable {
        /// The one that signs first.
        let list: [Key]
        /// Greater after each rotation.
        let generation: Int
    }

    /// Claims that are read elsewhere: what is asked for is the signature alone.
    private struct SignatureOnly: JWTPayload {
        init(from decoder: any Decoder) {}

        func encode(to encoder: any Encoder) {}
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    /// No key signs.
    private struct NoKey: Error {}

    private let writer: Writer
    private let clock: any WallClock
    private let random: RandomSource
    // Replaced as a whole by a rotation, and read with each token, from any thread.
    private let keys: Locked<Keys>

    /// In bytes.
    private static let size = 32

    /// Reads the keys, or makes the first one.
    init(writer: Writer, clock: any WallClock, random: RandomSource) async throws {
        (self.writer, self.clock, self.random) = (writer, clock, random)
        let made = Data(random.bytes(Self.size))
        let stored = try await writer.write { transaction in try transaction.signingKeys(orFirst: made) }
        keys = Locked(await Self.load(stored))
    }

    /// Changes with each rotation: what was verified before has to be verified again.
    var generation: Int { keys.withLock { $0.generation } }

    /// Signs with the newest key.
    func sign(_ claims: some JWTPayload) async throws -> String {
        guard let key = keys.withLock({ $0.list.first }) else { throw NoKey() }
        return try await key.collection.sign(claims)
    }

    /// Until when the key that signed a token verifies: the distant future for the one that signs now.
    ///
    /// - Returns: Nil where none of them signed it.
    func end(ofKeyThatSigned token: String) async -> Date? {
        let now = clock.now
        for key in keys.withLock({ $0.list }) where key.endsAt.map({ $0 > now }) ?? true {
            if (try? await key.collection.verify(token, as: SignatureOnly.self)) != nil {
                return key.endsAt ?? .distantFuture
            }
        }
        return nil
    }

    /// Has a new key sign from now on.
    ///
    /// - Parameters:
    ///   - endingTokens: Whether the former keys end at once, and all tokens with them, as when one of them has become
    ///     known.
    ///   - actor: Who wants it.
    /// - Throws: ``TooManySigningKeys``.
    func rotate(endingTokens: Bool, by actor: AuditActor) async throws -> SigningKeyRotation {
        let made = Data(random.bytes(Self.size))
        let (rotation, stored) = try await writer.write { transaction in
            let rotation = try transaction.rotateSigningKey(to: made, endingTokens: endingTokens)
            try transaction.audit(
                .signingKeyRotated,
                by: actor,
                detail: JSONObject([("endedTokens", .bool(endingTokens))])
            )
            return (rotation, try transaction.signingKeys(orFirst: made))
        }
        let new = await Self.load(stored)
        keys.withLock { keys in
            // Of two at a time, the later one may be answered first.
            if new.generation > keys.generation { keys = new }
        }
        return rotation
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

/// What came of a rotation.
package struct SigningKeyRotation: Sendable {
    package let at: Date
    /// When the former key ends.
    package let formerEndsAt: Date
}

/// The server's signing keys as they are stored.
struct StoredSigningKeys: Sendable {
    let current: Data
    /// Those that haven't ended.
    let former: [(secret: Data, endsAt: Date)]
    /// How many there have been: greater after each rotation.
    let generation: Int
}

/// So many former keys verify still that there is no place for another one.
package struct TooManySigningKeys: Error {
    package static let limit = 8
    /// When the first of them ends.
    package let until: Date
}

extension WriteTransaction {
    private static let setting = "tokenKey"

    /// The keys.
    ///
    /// - Parameter first: The one to store where there is none.
    func signingKeys(orFirst first: Data) throws -> StoredSigningKeys {
        try db.run("INSERT OR IGNORE INTO setting (name, value) VALUES (?, ?)", [Self.setting, first])
        let former = try Row.fetchAll(
            db,
            sql: """
                SELECT secret, endsAt FROM formerTokenKey WHERE secret IS NOT NULL AND endsAt > ? ORDER BY endsAt DESC
                """,
            arguments: [now.milliseconds]
        )
        return StoredSigningKeys(
            current: try db.value("SELECT value FROM setting WHERE name = ?", [Self.setting]) ?? first,
            former: former.map { ($0[0], Date(milliseconds: $0[1])) },
            generation: try db.value("SELECT count(*) FROM formerTokenKey") ?? 0
        )
    }

    /// Makes a key the one that signs. The former one verifies for as long as the longest token that it may have
    /// signed, unless tokens are to end.
    ///
    /// - Throws: ``TooManySigningKeys``.
    func rotateSigningKey(to new: Data, endingTokens: Bool) throws -> SigningKeyRotation {
        let keys = try signingKeys(orFirst: new)
        if !endingTokens, keys.former.count >= TooManySigningKeys.limit, let first = keys.former.last {
            throw TooManySigningKeys(until: first.endsAt)
        }
        let longest = Double(Tokens.lifetimes.upperBound) + TokenRules.skew
        // To the second and one more, as the dates of tokens are whole seconds.
        let end = Date(timeIntervalSince1970: now.addingTimeInterval(longest).timeIntervalSince1970.rounded(.up))
        let endsAt = endingTokens ? now : end
        try db.run(
            "INSERT OR IGNORE INTO formerTokenKey (hash, secret, endsAt) VALUES (?, ?, ?)",
            [Data(SHA256.hash(data: keys.current)), endingTokens ? nil : keys.current, endsAt.milliseconds]
        )
        if endingTokens {
            try db.run(
                "UPDATE formerTokenKey SET secret = NULL, endsAt = min(endsAt, ?) WHERE secret IS NOT NULL",
                [endsAt.milliseconds]
            )
        }
        try db.run("UPDATE setting SET value = ? WHERE name = ?", [new, Self.setting])
        return SigningKeyRotation(at: now, formerEndsAt: endsAt)
    }
}
