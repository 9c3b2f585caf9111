import Crypto
import Foundation
package import Groundwork
import ServiceLifecycle

/// The API keys of an app's backend. Only the SHA-256 of each key is stored. The holders are cached in memory.
package struct APIKeys: Sendable {
    /// The holder of a valid key.
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

    /// The key that was created because there was none. It can't be read again.
    package let new: String?
    /// The numbers of former setup keys that the current one has replaced.
    package let replaced: [Int]
    /// Whether the given setup key was revoked by a call. It isn't valid then, and the stored keys apply.
    package let isAdminKeyRevoked: Bool
    private let writer: Writer
    private let clock: any WallClock
    private let random: RandomSource
    private let reads: KeyReads?
    // The keys by their hash, nil for a revoked key: a key stays revoked even if its creation completes after its
    // revocation. Accessed from any thread, only in `withLock`.
    private let keys: Locked<[Data: Key?]>
    /// The number of revocations by this server.
    private let revocations = Locked(0)
    private let reloads = Locked(ReadOrder())

    /// The interval at which the times of last use are stored, in seconds.
    private static let useInterval: TimeInterval = 60

    /// The minimum length of a setup key, in characters.
    static let minLength = 32

    /// Reads the keys, and creates one if there is none.
    ///
    /// - Parameters:
    ///   - adminKey: The setup key, which is stored with all scopes. The former setup key is revoked. A key that a call
    ///     has revoked changes nothing (``isAdminKeyRevoked``). Nil keeps the stored keys.
    ///   - reads: Admits reads of keys that other servers have created. Nil for none.
    /// - Throws: ``ServerSetupError`` if the setup key could be guessed, or can't be sent in a header.
    package init(
        writer: Writer,
        adminKey: String?,
        clock: any WallClock,
        random: RandomSource,
        reads: KeyReads? = nil
    ) async throws {
        self.writer = writer
        self.clock = clock
        self.random = random
        self.reads = reads
        try adminKey.map { try Self.check($0) }
        let created = Self.secret(random)
        let (stored, isNew, replaced, isRevoked) = try await writer.write { transaction in
            transaction.lockKeys()
            let isNew = try adminKey == nil && !transaction.reading.hasAPIKeys()
            var (replaced, isRevoked): ([Int], Bool) = ([], false)
            if let hash = (adminKey ?? (isNew ? created : nil)).map({ Self.hash($0) }) {
                isRevoked = try transaction.isRevokedByCall(hash: hash)
                if !isRevoked { replaced = try transaction.setUp(hash: hash) }
            }
            return (try transaction.reading.apiKeys(), isNew, replaced, isRevoked)
        }
        (self.replaced, isAdminKeyRevoked) = (replaced, isRevoked)
        new = isNew ? created : nil
        keys = Locked(
            stored.reduce(into: [:]) { keys, key in keys[key.hash] = .some(key.revokedAt == nil ? Key(key) : nil) }
        )
    }

    /// Returns the holder of a key, or nil if the key is wrong, revoked or expired. Only hashes are compared, so the
    /// duration reveals nothing about a key.
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

    /// Reads the keys again if this one isn't known: another server may have created it a moment ago.
    package func find(_ key: String) async {
        let hash = Self.hash(key)
        guard let reads, keys.withLock({ $0[hash] == nil }), reads.admit() else { return }
        try? await reload(from: reads.storage)
    }

    /// Creates a key.
    ///
    /// - Parameter creator: The holder of the requesting key. It has all scopes of the new key.
    package func create(_ key: NewAPIKey, by creator: Holder) async throws -> (secret: String, key: APIKey) {
        let secret = Self.secret(random)
        let created = try await writer.write { transaction in
            try transaction.insert(key, hash: Self.hash(secret), by: .key(creator.id))
        }
        keys.withLock { keys in
            if keys[created.hash] == nil { keys[created.hash] = .some(Key(created)) }
        }
        return (secret, created)
    }

    /// Revokes a key. When this returns, the key no longer works.
    ///
    /// - Parameter creator: The holder of the requesting key.
    /// - Returns: Whether there was such a key that wasn't revoked.
    /// - Throws: ``LastKey``, ``InsufficientScope``.
    package func revoke(_ id: APIKeyID, by creator: Holder) async throws -> Bool {
        guard let hash = try await writer.write({ transaction in try transaction.revoke(id, by: creator) }) else {
            return false
        }
        keys.withLock { keys in
            keys[hash] = .some(nil)
            revocations.withLock { $0 += 1 }
        }
        return true
    }

    /// Reads the keys again, since another server may have created or revoked some.
    ///
    /// Of several concurrent reloads, the keys of an earlier one don't replace those of a later one.
    func reload(from storage: Storage) async throws {
        var isRead = false
        while !isRead {
            let start = revocations.withLock { $0 }
            let number = reloads.withLock { $0.begin() }
            let stored = try await storage.read { reading in try reading.apiKeys() }
            keys.withLock { keys in
                // A key that was revoked here meanwhile may have been read before.
                guard revocations.withLock({ $0 }) == start else { return }
                isRead = true
                guard reloads.withLock({ $0.end(number) }) else { return }
                for key in stored {
                    guard key.revokedAt == nil else {
                        keys[key.hash] = .some(nil)
                        continue
                    }
                    var new = Key(key)
                    if let known = keys[key.hash] ?? nil, !known.isUseStored {
                        (new.usedAt, new.isUseStored) = (known.usedAt, false)
                    }
                    keys[key.hash] = .some(new)
                }
            }
        }
    }

    /// Returns a page of the keys, oldest first.
    package func list(_ page: Page<APIKeyID>, in storage: Storage) async throws -> [APIKey] {
        var list = try await storage.read { reading in try reading.apiKeys(page) }
        keys.withLock { keys in
            for index in list.indices {
                if let usedAt = (keys[list[index].hash] ?? nil)?.usedAt { list[index].lastUsedAt = usedAt }
            }
        }
        return list
    }

    /// Checks that a setup key can't be guessed, and can be sent in a header.
    package static func check(_ key: String) throws(ServerSetupError) {
        let advice = "Generate one with: openssl rand -hex 32"
        guard key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ServerSetupError("The setup key contains a character that can't be sent in a header. \(advice)")
        }
        guard key.utf8.count >= minLength else {
            throw ServerSetupError(
                """
                The setup key has \(key.utf8.count) characters. It needs at least \(minLength), so that it can't be \
                guessed. \(advice)
                """
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
    /// Stores the times of last use, every minute and at shutdown.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await clock.sleep(until: clock.now.addingTimeInterval(Self.useInterval))) != nil {
                // After a failure, the next attempt is a minute later.
                try? await storeUses()
            }
        }
        // The times of last use are lost on a full disk, which doesn't make the shutdown fail.
        try? await storeUses()
    }

    private func storeUses() async throws {
        let uses = keys.withLock { keys in
            keys.values.compactMap { key in key.flatMap { $0.isUseStored ? nil : ($0.holder.id, $0.usedAt) } }
        }
        guard !uses.isEmpty else { return }
        try await writer.write { transaction in
            for (id, usedAt) in uses.sorted(by: { $0.0 < $1.0 }) { try transaction.noteUse(ofKey: id, at: usedAt) }
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
