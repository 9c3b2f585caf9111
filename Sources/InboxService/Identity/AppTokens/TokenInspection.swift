package import Foundation
package import Groundwork

/// The result of checking a person's token without the server's database, with the code that the server uses.
package struct TokenInspection: Sendable {
    /// Whether a server with the given keys would accept the token.
    package enum Verdict: Hashable, Sendable {
        /// The token is accepted, unless the person was erased after it was issued.
        case accepted(person: String, expiresAt: Date)
        case rejected(TokenRejection)
        /// The signature wasn't verified, because there are no keys or because the token seems to be the server's own.
        /// The problem with the claims, if any, is still reported.
        case unverified(TokenRejection?)
    }

    /// A key against which the token was checked.
    package struct Key: Hashable, Sendable {
        package let id: String
        package let algorithm: String
    }

    package let verdict: Verdict
    /// The contents of the token, signed or not. Nil if the text can't be parsed.
    package let parts: Parts?
    /// The keys, sorted by id.
    package let keys: [Key]

    package struct Parts: Sendable {
        package let header: JSONObject
        package let claims: JSONObject
        /// The size of the signature in bytes.
        package let signatureSize: Int

        /// Returns a time in the claims, or nil if it is absent or isn't a number.
        package func date(_ claim: TokenRejection.TimeClaim) -> Date? {
            SignedToken.date(claims[claim.rawValue])
        }

        /// Whether the token claims to be an inbox server's own. Only the server has the key of such a token.
        package let claimsServerIssuer: Bool
    }

    /// Inspects a token.
    ///
    /// - Parameter settings: The keys, which are read as `inbox serve` reads them. Nil for none.
    /// - Throws: ``ServerSetupError`` for keys with which the server wouldn't start.
    package init(of text: String, settings: AppTokenSettings?, now: Date) async throws {
        var appTokens: AppTokens?
        if let settings { appTokens = try await AppTokens(settings) }
        keys = appTokens?.names.map { Key(id: $0.id, algorithm: $0.algorithm) } ?? []
        do {
            let token = try SignedToken(text)
            parts = Parts(
                header: token.header,
                claims: token.claims,
                signatureSize: token.signature.count,
                claimsServerIssuer: Tokens.claimsServerIssuer(token)
            )
            verdict = Self.verdict(on: token, appTokens, now)
        } catch {
            (parts, verdict) = (nil, .rejected(error))
        }
    }

    private static func verdict(on token: SignedToken, _ appTokens: AppTokens?, _ now: Date) -> Verdict {
        do {
            guard let appTokens else { return .unverified(Self.claimsProblem(of: token, now)) }
            let verified = try appTokens.verify(token, at: now)
            return .accepted(person: verified.person, expiresAt: verified.expiresAt)
        } catch {
            // The server first checks whether the token is its own.
            guard Tokens.claimsServerIssuer(token) else { return .rejected(error) }
            return switch error.reason {
            case .noKeyNamed, .wrongAlgorithm, .badSignature: .unverified(Self.claimsProblem(of: token, now))
            default: .rejected(error)
            }
        }
    }

    /// Returns the problem with the claims, regardless of the signature.
    private static func claimsProblem(of token: SignedToken, _ now: Date) -> TokenRejection? {
        do throws(TokenRejection) {
            _ = try (Tokens.claimsServerIssuer(token) ? Tokens.rules : TokenRules()).check(token, at: now)
            return nil
        } catch {
            return error
        }
    }
}
