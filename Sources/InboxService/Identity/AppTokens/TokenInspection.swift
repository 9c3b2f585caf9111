package import Foundation
package import Groundwork

/// What can be said of a person's token without the server's database, by the code with which the server looks at it.
package struct TokenInspection: Sendable {
    /// Whether a server with the given keys would take it.
    package enum Verdict: Hashable, Sendable {
        /// Yes, unless the person was erased since it was issued.
        case taken(person: String, expiresAt: Date)
        case refused(TokenRejection)
        /// The signature wasn't looked at, since there are no keys, or since it seems to be the server's own. What is
        /// wrong with the claims even so.
        case unchecked(TokenRejection?)
    }

    /// A key against which it was checked.
    package struct Key: Hashable, Sendable {
        package let id: String
        package let algorithm: String
    }

    package let verdict: Verdict
    /// Nil where the text can't be taken apart; else what it says, signed or not.
    package let parts: Parts?
    /// In the order of the ids.
    package let keys: [Key]

    package struct Parts: Sendable {
        package let header: JSONObject
        package let claims: JSONObject
        /// In bytes.
        package let signatureSize: Int

        /// A time of the claims; nil where it isn't there, or isn't a number.
        package func date(_ claim: TokenRejection.TimeClaim) -> Date? {
            SignedToken.date(claims[claim.rawValue])
        }

        /// Whether the token claims to be an inbox server's own, whose key only the server has.
        package let isServers: Bool
    }

    /// - Parameter settings: The keys, read as `inbox serve` reads them; nil for none.
    /// - Throws: ``ServerSetupError`` for keys that the server wouldn't start with.
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
                isServers: Tokens.mayBeOwn(token)
            )
            verdict = Self.verdict(on: token, appTokens, now)
        } catch {
            (parts, verdict) = (nil, .refused(error))
        }
    }

    private static func verdict(on token: SignedToken, _ appTokens: AppTokens?, _ now: Date) -> Verdict {
        do {
            guard let appTokens else { return .unchecked(Self.refusal(of: token, now)) }
            let verified = try appTokens.verify(token, at: now)
            return .taken(person: verified.person, expiresAt: verified.expiresAt)
        } catch {
            // The server looks first whether it has made it itself.
            guard Tokens.mayBeOwn(token) else { return .refused(error) }
            return switch error.reason {
            case .noKeyNamed, .wrongAlgorithm, .badSignature: .unchecked(Self.refusal(of: token, now))
            default: .refused(error)
            }
        }
    }

    /// What is wrong with the claims, whatever the signature.
    private static func refusal(of token: SignedToken, _ now: Date) -> TokenRejection? {
        do throws(TokenRejection) {
            _ = try (Tokens.mayBeOwn(token) ? Tokens.rules : TokenRules()).check(token, at: now)
            return nil
        } catch {
            return error
        }
    }
}
