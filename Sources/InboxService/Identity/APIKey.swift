import Foundation
import GRDB
package import Groundwork
import InboxModel

/// An API key as it is listed: everything but the key.
package struct APIKey: Sendable {
    package let id: APIKeyID
    let name: String
    let scopes: [Scope]
    let createdAt: Int
    let expiresAt: Int?
    var lastUsedAt: Int?
    let revokedAt: Int?
    /// SHA-256 of the key.
    let hash: Data

    static let columns = "id, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt, hash"

    /// - Parameter row: Has ``columns``.
    init(row: Row) {
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

/// The number of an API key, and its text on the wire: a `k` and the number.
package struct APIKeyID: Hashable, Sendable {
    let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Reads the text; nil where it isn't exactly what ``text`` gives.
    package init?(_ text: String) {
        guard let value = Int(text.dropFirst()), value > 0, text == "k\(value)" else { return nil }
        rawValue = value
    }

    package var text: String { "k\(rawValue)" }
}

extension Scope {
    /// Reads the column: names with spaces between, null for all. A name that is no longer known is left out.
    static func stored(_ text: String?) -> [Scope] {
        guard let text else { return allCases }
        let names = text.split(separator: " ")
        return allCases.filter { names.contains($0.rawValue[...]) }
    }

    /// What ``stored(_:)`` reads.
    static func text(of scopes: [Scope]) -> String {
        scopes.map(\.rawValue).joined(separator: " ")
    }
}

/// What an API key may be used for.
package enum Scope: String, CaseIterable, Sendable {
    /// Send, read, edit and recall messages, and read their figures.
    case messages
    /// Read, change, list, export and erase people.
    case people
    /// Make tokens for people's devices, and end them.
    case tokens
    /// Read and change the settings of surfaces.
    case surfaces
    /// Read and change webhooks, and what they couldn't deliver.
    case webhooks
    /// Read the server's own figures, without a person in them.
    case metrics
    /// Make, list and revoke API keys, and rotate the key that signs people's tokens.
    case keys
    /// Read the audit log.
    case audit
}
