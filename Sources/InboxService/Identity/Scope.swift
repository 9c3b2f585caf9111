/// The permissions of an API key.
package enum Scope: String, CaseIterable, Sendable {
    /// Send, read, edit and recall messages, and read their analytics.
    case messages
    /// Read, change, list, export and erase people.
    case people
    /// Issue and revoke tokens for people's devices.
    case tokens
    /// Read and change the settings of surfaces.
    case surfaces
    /// Read and change webhooks and their dead letters.
    case webhooks
    /// Read the server's own metrics, which contain nothing about people.
    case metrics
    /// Create, list and revoke API keys, and rotate the key that signs people's tokens.
    case keys
    /// Read the audit log.
    case audit
}

extension Scope {
    /// Parses the column: space-separated names, or null for all scopes. Unknown names are ignored.
    static func stored(_ text: String?) -> [Scope] {
        guard let text else { return allCases }
        let names = text.split(separator: " ")
        return allCases.filter { names.contains($0.rawValue[...]) }
    }

    /// The text of the column, which ``stored(_:)`` parses.
    static func text(of scopes: [Scope]) -> String {
        scopes.map(\.rawValue).joined(separator: " ")
    }
}
