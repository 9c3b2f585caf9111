import Foundation
import GRDB
import Groundwork

/// Without this key nobody could make keys any more.
struct LastKey: Error {}

extension WriteTransaction {
    func insert(_ key: NewAPIKey, hash: Data) throws -> APIKey {
        let row = try db.row(
            """
            INSERT INTO apiKey (name, hash, createdAt, scopes, expiresAt) VALUES (?, ?, ?, ?, ?)
            RETURNING \(APIKey.columns)
            """,
            [key.name, hash, now.milliseconds, Scope.text(of: key.scopes), key.expiresAt?.milliseconds]
        )
        guard let row else { throw RecordNotFound() }
        return APIKey(row: row)
    }

    /// Revokes a key, of which name and dates stay.
    ///
    /// - Returns: Its hash; nil where there is none that hasn't been revoked.
    /// - Throws: ``LastKey`` where no other key could make keys for good.
    func revoke(_ id: APIKeyID) throws -> Data? {
        let rows = try Row.fetchAll(db, sql: "SELECT \(APIKey.columns) FROM apiKey WHERE revokedAt IS NULL")
        let keys = rows.map(APIKey.init(row:))
        guard let key = keys.first(where: { $0.id == id }) else { return nil }
        let lasting = keys.filter { $0.expiresAt == nil && $0.scopes.contains(.keys) }
        guard lasting.contains(where: { $0.id != id }) || lasting.isEmpty else { throw LastKey() }
        try db.run("UPDATE apiKey SET revokedAt = ? WHERE id = ?", [now.milliseconds, id.rawValue])
        return key.hash
    }
}
