import Foundation
import Groundwork

/// The rules for the claims of a token whose signature is valid.
struct TokenRules: Sendable {
    /// The required `iss`. Nil accepts any.
    var issuer: String?
    /// The required value among the `aud`. Nil accepts any.
    var audience: String?
    /// Whether an `iat` in the future is rejected. The server's own tokens may have one: after an erasure they are
    /// dated to the next second, and they stay valid if the clock is set back.
    var checksIssueTime = true

    /// The tolerated difference between clocks, in seconds.
    static let skew: TimeInterval = 60

    /// Checks the claims.
    ///
    /// The issuer and the audience are checked first: for a token for another audience, no other problem is reported.
    ///
    /// - Throws: ``TokenRejection`` for the first problem.
    func check(_ token: SignedToken, at now: Date) throws(TokenRejection) -> Tokens.Verified {
        try checkIssuerAndAudience(of: token)
        guard let sub = token.claims["sub"] else { throw .noPerson }
        guard let person = sub.stringValue, PersonName.isValid(person) else { throw .invalidPerson }
        guard let expiresAt = try token.date(.expiry) else { throw .noExpiry }
        let issuedAt = try token.date(.issuedAt)
        let verified = Tokens.Verified(person: person, issuedAt: issuedAt, expiresAt: expiresAt)
        try Self.checkExpiry(of: verified, at: now)
        let latest = now.addingTimeInterval(Self.skew)
        if let notBefore = try token.date(.notBefore), notBefore > latest { throw .notYetValid(.notBefore, notBefore) }
        if checksIssueTime, let issuedAt, issuedAt > latest { throw .notYetValid(.issuedAt, issuedAt) }
        return verified
    }

    /// Checks that a token hasn't expired.
    ///
    /// - Throws: ``TokenRejection/expired(_:)``.
    static func checkExpiry(of token: Tokens.Verified, at now: Date) throws(TokenRejection) {
        guard token.expiresAt.addingTimeInterval(skew) > now else { throw .expired(token.expiresAt) }
    }

    private func checkIssuerAndAudience(of token: SignedToken) throws(TokenRejection) {
        if let issuer, token.claims["iss"]?.stringValue != issuer { throw .wrongIssuer }
        guard let audience else { return }
        let claimed = token.claims["aud"]
        guard claimed?.stringValue == audience || claimed?.arrayValue?.contains(.string(audience)) ?? false else {
            throw .wrongAudience
        }
    }
}
