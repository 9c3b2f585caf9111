/// What the audit log has entries of.
package enum AuditKind: String, CaseIterable, Sendable {
    /// An API key was made, by another one or as the server's setup key.
    case keyMade = "key.made"
    case keyRevoked = "key.revoked"
    /// The server signs people's tokens with a new key.
    case signingKeyRotated = "signingKey.rotated"
    /// A webhook signs with a new secret.
    case webhookSecretRotated = "webhookSecret.rotated"
    /// All tokens of a person were ended.
    case tokensEnded = "tokens.ended"
    case personErased = "person.erased"
    case personExported = "person.exported"
    case messagesImported = "messages.imported"
    /// A backup took the place of the database.
    case databaseRestored = "database.restored"
    /// How many people signed out of the page within an hour.
    case signedOut = "page.signedOut"
    /// How many requests came with an API key that doesn't hold, within an hour.
    case keyRefused = "key.refused"
    /// How many people's tokens were refused for one reason within an hour.
    case tokenRefused = "token.refused"

    /// Whether an entry counts what happened within an hour.
    var isCount: Bool {
        switch self {
        case .signedOut, .keyRefused, .tokenRefused: true
        default: false
        }
    }
}

/// Who did something.
package enum AuditActor: Hashable, Sendable {
    /// The number of an API key.
    case key(Int)
    /// The command-line tool, on the server's machine: also by the options with which the server starts.
    case tool

    var key: Int? { if case .key(let number) = self { number } else { nil } }
}
