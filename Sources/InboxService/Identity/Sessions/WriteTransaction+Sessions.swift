import Foundation
import Groundwork

extension WriteTransaction {
    /// Revokes all tokens of a person that were issued until now, whether the person is known or not.
    ///
    /// - Returns: The person's number, or nil if the person is unknown.
    func revokeTokens(of name: String) throws -> Int? {
        lockTokens(of: name)
        let start = try newTokenStart(of: name)
        try db.run(
            """
            INSERT INTO tokenEnd (personName, at, start) VALUES (?, ?, ?)
            ON CONFLICT (personName) DO UPDATE SET at = excluded.at, start = excluded.start
            """,
            [name, now.milliseconds, start]
        )
        let person = try reading.number(ofPerson: name)
        announceEndedTokens(of: person, named: name)
        return person
    }

    /// Returns the earliest issue time of a person's valid tokens, in seconds since 1970, after a revocation of those
    /// issued until now, by this server or by another one whose clock is ahead.
    func newTokenStart(of name: String) throws -> Int {
        let difference = if case .sqlite = db { 0 } else { TokenStart.clockDifference }
        return TokenStart.seconds(
            revokingTokensAt: now.addingTimeInterval(TimeInterval(difference)),
            after: try reading.tokenStart(of: name)
        )
    }

    /// Makes other servers wait before they revoke tokens of a person, known or not, or erase or create the person.
    func lockTokens(of name: String) {
        db.lock(name: "tokens of " + name)
    }

    /// Revokes one token of a person.
    func revoke(_ token: Tokens.Verified, of person: Person) throws {
        announceEndedTokens(of: person.id, named: person.name)
        try db.run(
            "INSERT INTO endedToken (token, personName, expiresAt) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [token.id.data, token.person, token.expiresAt.milliseconds]
        )
    }

    /// Deletes the secrets of expired keys.
    func removeFormerSecrets() throws {
        try db.run(
            "UPDATE formerTokenKey SET secret = NULL WHERE secret IS NOT NULL AND endsAt <= ?",
            [now.milliseconds]
        )
    }
}
