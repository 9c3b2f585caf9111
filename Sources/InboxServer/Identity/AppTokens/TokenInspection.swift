package import Foundation
package import Groundwork

/// What can be said of a person's token without the server's database, by the code with which the server looks at it.
package struct TokenInspection: Sendable {
    /// Whether a server with the given keys would take it.
    package enum Verdict: Hashable, Sendable {
        /// Yes, unless the person was erased since it was issued.
        case taken(person: String, expiresAt: Date)
        case refused(TokenRejection)
        /// There are no keys: the signature wasn't looked at. What is wrong with the claims even so.
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

        /// Whether it looks like one that an inbox server has made itself, whose key nobody else has.
        package var isServers: Bool {
            header["kid"] == nil && claims["iss"] == .string(Tokens.issuer)
        }
    }

    /// - Parameter settings: The keys, read as `inbox serve` reads them; nil for none.
    /// - Throws: ``ServerSetupError`` for keys that the server wouldn't start with.
    package init(of text: String, settings: AppTokenSettings?, now: Date) throws {
        let appTokens = try settings.map { try AppTokens($0) }
        keys = appTokens?.names.map { Key(id: $0.id, algorithm: $0.algorithm) } ?? []
        do {
            let token = try SignedToken(text)
            parts = Parts(header: token.header, claims: token.claims, signatureSize: token.signature.count)
            verdict = Self.verdict(on: token, appTokens, now)
        } catch {
            (parts, verdict) = (nil, .refused(error))
        }
    }

    private static func verdict(on token: SignedToken, _ appTokens: AppTokens?, _ now: Date) -> Verdict {
        do {
            guard let appTokens else {
                _ = try TokenRules().check(token, at: now)
                return .unchecked(nil)
            }
            let verified = try appTokens.verify(token, at: now)
            return .taken(person: verified.person, expiresAt: verified.expiresAt)
        } catch {
            return appTokens == nil ? .unchecked(error) : .refused(error)
        }
    }
}
