import Groundwork

/// A person with a valid token.
package struct SignedIn: Sendable {
    package let person: Person
    package let token: Tokens.Verified
    /// The token as it came.
    package let text: String

    package init(person: Person, token: Tokens.Verified, text: String) {
        (self.person, self.token, self.text) = (person, token, text)
    }
}

/// Ends people's sessions: their tokens, and the streams that were opened with them.
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

    /// Ends all tokens of a person that were issued by now, whether the person is known or not. When this returns, none
    /// of them works, and their streams send nothing more.
    ///
    /// - Parameter actor: The requester, for the audit log.
    package func endAll(of name: String, by actor: AuditActor) async throws {
        let person = try await writer.write { transaction in
            try transaction.audit(.tokensEnded, by: actor, person: name)
            return try transaction.endTokens(of: name)
        }
        people.forgetTokens(of: name)
        if let person { watchers.endStreams(of: person) }
    }

    /// Ends a person's current token. When this returns, it doesn't work, and neither do its streams.
    package func end(_ signedIn: SignedIn) async throws {
        try await writer.write { transaction in
            // Who was erased meanwhile has no token left to end.
            if try transaction.isKnown(signedIn.person) { try transaction.end(signedIn.token) }
        }
        people.forgetTokens(of: signedIn.token.person)
        watchers.endStreams(of: signedIn.person.id, token: signedIn.token.id)
        counts.note(.signedOut)
    }

    /// Has the server sign people's tokens with a new key.
    ///
    /// - Parameters:
    ///   - endingTokens: Whether all tokens that it has signed end at once, and their streams.
    ///   - actor: Who wants it.
    /// - Throws: ``TooManySigningKeys``.
    package func rotateSigningKey(endingTokens: Bool, by actor: AuditActor) async throws -> SigningKeyRotation {
        let rotation = try await tokens.signingKeys.rotate(endingTokens: endingTokens, by: actor)
        // Their leases are those of the key that was in use.
        await watchers.renewLeases()
        return rotation
    }
}
