import Groundwork

/// A person with a valid token.
package struct SignedIn: Sendable {
    package let person: Person
    package let token: Tokens.Verified
    /// The token's text as received.
    package let text: Substring

    package init(person: Person, token: Tokens.Verified, text: Substring) {
        (self.person, self.token, self.text) = (person, token, text)
    }
}

/// Ends people's sessions: revokes their tokens, and ends the streams that were opened with them.
package struct Sessions: Sendable {
    let writer: Writer
    let people: People
    let tokens: Tokens
    let watchers: Watchers
    let counts: AuditCounts

    package init(writer: Writer, people: People, tokens: Tokens, watchers: Watchers, counts: AuditCounts) {
        self.writer = writer
        self.people = people
        self.tokens = tokens
        self.watchers = watchers
        self.counts = counts
    }

    /// Revokes all tokens of a person that were issued until now, whether the person is known or not. When this
    /// returns, none of them works, and their streams send nothing more.
    ///
    /// - Parameter actor: The requester, for the audit log.
    package func revokeAllTokens(of name: String, by actor: AuditActor) async throws {
        let person = try await writer.write(.person(name)) { transaction in
            try transaction.audit(.tokensRevoked, by: actor, person: name)
            return try transaction.revokeTokens(of: name)
        }
        people.evictTokens(of: name)
        if let person { watchers.endStreams(of: person) }
    }

    /// Revokes a person's current token. When this returns, neither the token nor its streams work.
    package func signOut(_ signedIn: SignedIn) async throws {
        try await writer.write(.of(signedIn.person)) { transaction in
            // An erased person has no tokens left to revoke.
            do {
                try transaction.lock(signedIn.person)
            } catch is RecordNotFoundError {
                return
            }
            if try transaction.exists(signedIn.person) { try transaction.revoke(signedIn.token, of: signedIn.person) }
        }
        people.evictTokens(of: signedIn.token.person)
        watchers.endStreams(of: signedIn.person.id, token: signedIn.token.id)
        counts.record(.signedOut)
    }

    /// Makes the server sign people's tokens with a new key.
    ///
    /// - Parameters:
    ///   - revokingTokens: Whether all tokens of the former keys are revoked at once, and their streams ended.
    ///   - actor: The requester, for the audit log.
    /// - Throws: ``TooManySigningKeysError``.
    package func rotateSigningKey(revokingTokens: Bool, by actor: AuditActor) async throws -> SigningKeyRotation {
        let rotation = try await tokens.signingKeys.rotate(revokingTokens: revokingTokens, by: actor)
        // The open streams have leases that depend on the former key.
        await watchers.renewLeases()
        return rotation
    }
}
