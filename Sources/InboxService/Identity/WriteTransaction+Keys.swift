import Foundation
import Groundwork

/// An error that prevents the revocation of the last key that can create keys.
package struct LastKey: Error {}

/// The number of valid keys has reached the limit. A server keeps all keys in memory.
package struct TooManyKeysError: Error {
    package static let limit = 1_000
}

/// The key to revoke has a scope that the requesting key lacks.
package struct InsufficientScope: Error {
    /// The first missing scope.
    package let scope: Scope
}

extension WriteTransaction {
    /// Locks the API keys: the last one that can create others must not be revoked, and there is one setup key.
    func lockKeys() {
        db.lock(name: "apiKeys")
    }

    /// Makes a key the setup key, with all scopes, and revokes the former one. The setup keys are the keys without a
    /// list of scopes. One that was replaced before is valid again.
    ///
    /// - Returns: The numbers of the revoked keys.
    func setUp(hash: Data) throws -> [Int] {
        announceKeys()
        let former: [Int] = try db.values(
            "SELECT id FROM apiKey WHERE scopes IS NULL AND revokedAt IS NULL AND hash <> ?",
            [hash]
        )
        for id in former {
            try db.run("UPDATE apiKey SET revokedAt = ? WHERE id = ?", [now.milliseconds, id])
            try audit(.keyRevoked, by: .tool, detail: Self.detail(id))
        }
        let isCurrent = try db.value("SELECT 1 FROM apiKey WHERE hash = ? AND revokedAt IS NULL", [hash]) == 1
        // Looked up first, so that a start doesn't use up a number: on PostgreSQL, inserting an existing key would.
        let known: Int? = try db.value(
            """
            UPDATE apiKey SET scopes = NULL, expiresAt = NULL, revokedAt = NULL WHERE hash = ? RETURNING id
            """,
            [hash]
        )
        let id: Int? =
            try known
            ?? db.value(
                "INSERT INTO apiKey (name, hash, createdAt) VALUES ('admin', ?, ?) RETURNING id",
                [hash, now.milliseconds]
            )
        if !isCurrent, let id { try audit(.keyCreated, by: .tool, detail: Self.detail(id, Scope.allCases)) }
        return former
    }

    /// Whether a call has revoked a key. A key that another setup key has replaced isn't one.
    func isRevokedByCall(hash: Data) throws -> Bool {
        // Earlier versions left the list of scopes out: the audit log has the key of the call.
        let isRevoked: Bool? = try db.value(
            """
            SELECT k.scopes IS NOT NULL OR coalesce((
                SELECT a.apiKey IS NOT NULL FROM audit a
                WHERE a.kind = ? AND a.detail = '{"key":"k' || k.id || '"}' ORDER BY a.id DESC LIMIT 1
            ), false)
            FROM apiKey k WHERE k.hash = ? AND k.revokedAt IS NOT NULL
            """,
            [AuditKind.keyRevoked.rawValue, hash]
        )
        return isRevoked ?? false
    }

    private static func detail(_ key: Int, _ scopes: [Scope]? = nil) -> JSONObject {
        var detail = JSONObject([("key", .string(APIKeyID(rawValue: key).text))])
        detail["scopes"] = scopes.map { JSON($0.map(\.rawValue)) }
        return detail
    }

    /// Stores a new key.
    ///
    /// - Throws: ``TooManyKeysError``. Revoked and expired keys don't count.
    func insert(_ key: NewAPIKey, hash: Data, by actor: AuditActor) throws -> APIKey {
        lockKeys()
        let count: Int? = try db.value(
            "SELECT count(*) FROM apiKey WHERE revokedAt IS NULL AND coalesce(expiresAt > ?, true)",
            [now.milliseconds]
        )
        guard count ?? 0 < TooManyKeysError.limit else { throw TooManyKeysError() }
        let row = try db.row(
            """
            INSERT INTO apiKey (name, hash, createdAt, scopes, expiresAt) VALUES (?, ?, ?, ?, ?)
            RETURNING \(APIKey.columns)
            """,
            [key.name, hash, now.milliseconds, Scope.text(of: key.scopes), key.expiresAt?.milliseconds]
        )
        guard let row else { throw RecordNotFoundError() }
        let created = APIKey(row: row)
        announceKeys()
        try audit(.keyCreated, by: actor, detail: Self.detail(created.id.rawValue, created.scopes))
        return created
    }

    /// Revokes a key. Its name and dates are kept. A setup key gets the list of its scopes: it can't be set up again.
    ///
    /// - Returns: The hash of the key, or nil if there is no such key or it was revoked before.
    /// - Throws: ``LastKey`` if no other key without an expiry could create keys. ``InsufficientScope``.
    func revoke(_ id: APIKeyID, by holder: APIKeys.Holder) throws -> Data? {
        lockKeys()
        let rows = try db.rows("SELECT \(APIKey.columns) FROM apiKey WHERE revokedAt IS NULL")
        let keys = rows.map(APIKey.init(row:))
        guard let key = keys.first(where: { $0.id == id }) else { return nil }
        if let scope = key.scopes.first(where: { !holder.scopes.contains($0) }) {
            throw InsufficientScope(scope: scope)
        }
        let permanent = keys.filter { $0.expiresAt == nil && $0.scopes.contains(.keys) }
        guard permanent.contains(where: { $0.id != id }) || permanent.isEmpty else { throw LastKey() }
        try db.run(
            "UPDATE apiKey SET revokedAt = ?, scopes = coalesce(scopes, ?) WHERE id = ?",
            [now.milliseconds, Scope.text(of: key.scopes), id.rawValue]
        )
        announceKeys()
        try audit(.keyRevoked, by: .key(holder.id), detail: Self.detail(id.rawValue))
        return key.hash
    }

    /// Stores the time of a key's latest use, in milliseconds since 1970.
    func noteUse(ofKey id: Int, at time: Int?) throws {
        try db.run(
            "UPDATE apiKey SET lastUsedAt = ?1 WHERE id = ?2 AND coalesce(lastUsedAt < ?1, true)",
            [time, id]
        )
    }
}
