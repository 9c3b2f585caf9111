/// The kind of an audit entry.
package enum AuditKind: String, CaseIterable, Sendable {
    /// An API key was created, by another key or as the server's setup key.
    case keyCreated = "key.made"
    case keyRevoked = "key.revoked"
    /// The server signs people's tokens with a new key.
    case signingKeyRotated = "signingKey.rotated"
    /// A webhook signs with a new secret.
    case webhookSecretRotated = "webhookSecret.rotated"
    /// All tokens of a person were revoked.
    case tokensRevoked = "tokens.ended"
    case personErased = "person.erased"
    case personExported = "person.exported"
    case messagesImported = "messages.imported"
    /// The database was replaced by a backup.
    case databaseRestored = "database.restored"
    /// The number of people who signed out of the page within an hour.
    case signedOut = "page.signedOut"
    /// The number of requests with an invalid API key within an hour.
    case keyRejected = "key.refused"
    /// The number of people's tokens that were rejected for one reason within an hour.
    case tokenRejected = "token.refused"
}

/// The originator of an action.
package enum AuditActor: Hashable, Sendable {
    /// An API key, by its number.
    case key(Int)
    /// The command-line tool on the server's machine. This includes the options with which the server starts.
    case tool

    var key: Int? { if case .key(let number) = self { number } else { nil } }
}
