import Crypto
import Foundation
import GRDB
package import Groundwork
import ServiceLifecycle

/// The API keys of an app's backend. Only their SHA-256 is stored; their holders are kept in memory.
package struct APIKeys: Sendable {
    /// Who came with a key that holds.
    package struct Holder: Hashable, Sendable {
        package let id: Int
        package let scopes: Set<Scope>
    }

    fileprivate struct Key: Sendable {
        let holder: Holder
        let expiresAt: Int?
        var usedAt: Int?
        var isUseStored = true
    }

    /// The key that was made because there was none. It can't be read again.
    package let new: String?
    /// The numbers of former setup keys that the one given now has replaced.
    package let replaced: [Int]
    private let writer: Writer
    private let clock: any WallClock
    private let random: RandomSource
    // The keys by their hash, nil for one that was revoked: a key whose making is answered later than its revoking
    // stays revoked. Reached in `withLock` alone, from any thread.
    private let keys: Locked<[Data: Key?]>

    /// In seconds: how far the stored time of the last use may be behind.
    private static let useInterval: TimeInterval = 60

    /// Of a key that is given, in characters.
    static let minLength = 32

    /// Reads the keys, and makes sure that there is one.
    ///
    /// - Parameter adminKey: The setup key: it has to be among them, with all scopes, even if it was revoked, and the
    ///   former setup key is revoked; nil for whichever there are.
    /// - Throws: ``ServerSetupError`` for a setup key that could be guessed, or sent in no header.
    package init(writer: Writer, adminKey: String?, clock: any WallClock, random: RandomSource) async throws {
        self.writer = writer
        self.clock = clock
        self.random = random
        try adminKey.map { try Self.check($0) }
        let made = Self.secret(random)
        let (stored, isNew, replaced) = try await writer.write { transaction in
            let isNew = try adminKey == nil && transaction.db.value("SELECT 1 FROM apiKey LIMIT 1") != 1
            var replaced: [Int] = []
            if let key = adminKey ?? (isNew ? made : nil) {
                replaced = try transaction.setUp(hash: Self.hash(key))
            }
            let rows = try Row.fetchAll(transaction.db, sql: "SELECT \(APIKey.columns) FROM apiKey")
            return (rows.map(APIKey.init(row:)), isNew, replaced)
        }
        self.replaced = replaced
        new = isNew ? made : nil
        keys = Locked(
            stored.reduce(into: [:]) { keys, key in keys[key.hash] = .some(key.revokedAt == nil ? Key(key) : nil) }
        )
    }

    /// Returns the holder of a key, or nil if it is wrong, revoked or expired. The hash is compared, so that the
    /// duration reveals nothing.
    package func holder(of key: String) -> Holder? {
        let now = clock.now.milliseconds
        return keys.withLock { keys in
            let hash = Self.hash(key)
            guard var key = keys[hash] ?? nil, key.expiresAt.map({ $0 > now }) ?? true else { return nil }
            (key.usedAt, key.isUseStored) = (now, false)
            keys[hash] = .some(key)
            return key.holder
        }
    }

    /// Makes a key.
    ///
    /// - Parameter maker: Whose key asks for it, and has all scopes that the new one is to have.
    package func make(_ key: NewAPIKey, by maker: Holder) async throws -> (secret: String, key: APIKey) {
        let secret = Self.secret(random)
        let made = try await writer.write { transaction in
            try transaction.insert(key, hash: Self.hash(secret), by: .key(maker.id))
        }
        keys.withLock { keys in
            if keys[made.hash] == nil { keys[made.hash] = .some(Key(made)) }
        }
        return (secret, made)
    }

    /// Revokes a key. When this returns, it no longer works.
    ///
    /// - Parameter maker: The holder of the requesting key.
    /// - Returns: Whether there was such a key that wasn't revoked.
    /// - Throws: ``LastKey``, ``StrongerKey``.
    package func revoke(_ id: APIKeyID, by maker: Holder) async throws -> Bool {
        guard let hash = try await writer.write({ transaction in try transaction.revoke(id, by: maker) }) else {
            return false
        }
        keys.withLock { keys in keys[hash] = .some(nil) }
        return true
    }

    /// A page of the keys, oldest first.
    package func list(_ page: Page<APIKeyID>, in storage: Storage) async throws -> [APIKey] {
        var list = try await storage.read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT \(APIKey.columns) FROM apiKey WHERE id > ? ORDER BY id LIMIT ?",
                arguments: [page.after?.rawValue ?? 0, page.limit]
            ).map(APIKey.init(row:))
        }
        keys.withLock { keys in
            for place in list.indices {
                if let usedAt = (keys[list[place].hash] ?? nil)?.usedAt { list[place].lastUsedAt = usedAt }
            }
        }
        return list
    }

    private static func check(_ key: String) throws(ServerSetupError) {
        let advice = "Make one with: openssl rand -hex 32"
        guard key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ServerSetupError("The API key given has a character that no request can send. \(advice)")
        }
        guard key.utf8.count >= minLength else {
            throw ServerSetupError(
                "The API key given has \(key.utf8.count) characters; it needs \(minLength) at least, so that it can't be guessed. \(advice)"
            )
        }
    }

    private static func secret(_ random: RandomSource) -> String {
        "sk_" + random.token(length: 32)
    }

    private static func hash(_ key: String) -> Data {
        Data(SHA256.hash(data: Array(key.utf8)))
    }
}

extension APIKeys: Service {
    /// Stores when keys were last used, every minute and at the end.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await clock.sleep(until: clock.now.addingTimeInterval(Self.useInterval))) != nil {
                // What couldn't be stored is stored a minute later.
                try? await storeUses()
            }
        }
        // When a key was last used is stored where there is room: a server ends well on a full disk too.
        try? await storeUses()
    }

    private func storeUses() async throws {
        let uses = keys.withLock { keys in
            keys.values.compactMap { key in key.flatMap { $0.isUseStored ? nil : ($0.holder.id, $0.usedAt) } }
        }
        guard !uses.isEmpty else { return }
        try await writer.write { transaction in
            for (id, usedAt) in uses {
                try transaction.db.run("UPDATE apiKey SET lastUsedAt = ? WHERE id = ?", [usedAt, id])
            }
        }
        keys.withLock { keys in
            for (hash, key) in keys {
                guard var key, uses.contains(where: { $0 == (key.holder.id, key.usedAt) }) else { continue }
                key.isUseStored = true
                keys[hash] = .some(key)
            }
        }
    }
}

extension APIKeys.Key {
    init(_ key: APIKey) {
        self.init(
            holder: APIKeys.Holder(id: key.id.rawValue, scopes: Set(key.scopes)),
            expiresAt: key.expiresAt,
            usedAt: key.lastUsedAt
        )
    }
}
