import Foundation
package import Groundwork
import InboxModel

/// An API key in lists, without the key itself.
package struct APIKey: Sendable {
    package let id: APIKeyID
    let name: String
    let scopes: [Scope]
    let createdAt: Int
    let expiresAt: Int?
    var lastUsedAt: Int?
    let revokedAt: Int?
    /// The SHA-256 of the key.
    let hash: Data

    static let columns = "id, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt, hash"

    /// Creates a key.
    ///
    /// - Parameter row: A row with ``columns``.
    init(row: SQLRow) {
        id = APIKeyID(rawValue: row[0])
        name = row[1]
        scopes = Scope.stored(row[2])
        (createdAt, expiresAt, lastUsedAt, revokedAt, hash) = (row[3], row[4], row[5], row[6], row[7])
    }

    package var json: JSON {
        var object = JSONObject([
            ("id", .string(id.text)), ("name", .string(name)), ("scopes", JSON(scopes.map(\.rawValue))),
            ("createdAt", JSON(Date(milliseconds: createdAt))),
        ])
        for (name, date) in [("expiresAt", expiresAt), ("lastUsedAt", lastUsedAt), ("revokedAt", revokedAt)] {
            object[name] = date.map { JSON(Date(milliseconds: $0)) }
        }
        return .object(object)
    }
}

extension ReadTransaction {
    /// Returns a page of the keys, oldest first.
    func apiKeys(_ page: Page<APIKeyID>) throws -> [APIKey] {
        try db.rows(
            "SELECT \(APIKey.columns) FROM apiKey WHERE id > ? ORDER BY id LIMIT ?",
            [page.after?.rawValue ?? 0, page.limit]
        ).map(APIKey.init(row:))
    }

    /// Returns all keys, including revoked ones.
    func apiKeys() throws -> [APIKey] {
        try db.rows("SELECT \(APIKey.columns) FROM apiKey").map(APIKey.init(row:))
    }

    /// Returns whether there ever was a key.
    func hasAPIKeys() throws -> Bool {
        try db.value("SELECT 1 FROM apiKey LIMIT 1") == 1
    }
}

/// The number of an API key. Its text in the API is a `k` and the number.
package struct APIKeyID: Hashable, Sendable {
    let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Parses the text. Returns nil unless it is exactly what ``text`` returns.
    package init?(_ text: String) {
        guard let value = Int(text.dropFirst()), value > 0, text == "k\(value)" else { return nil }
        rawValue = value
    }

    package var text: String { "k\(rawValue)" }
}
