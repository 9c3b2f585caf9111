import Foundation
import Groundwork

/// The tokens that the app's own backend signs for its people (JWT, RFC 7519), and the keys for them.
final class AppTokens: Sendable {
    private struct Keys: Sendable {
        var content: [[UInt8]]
        var byID: [String: AppKey]
        /// Which set of keys it is: greater after each change.
        var generation = 0
    }

    private let settings: AppTokenSettings
    // Replaced as a whole when the files change; every look at a token reads it, on whichever thread.
    private let keys: Locked<Keys>

    /// - Throws: ``ServerSetupError`` for a file that can't be read or holds no such key, and for two keys of one id.
    init(_ settings: AppTokenSettings) throws {
        self.settings = settings
        keys = Locked(try Self.read(settings))
    }

    /// Changes with the keys: what was verified in an earlier one has to be verified again.
    var generation: Int { keys.withLock { $0.generation } }

    /// Tells whose token it is; nil where it doesn't hold, for whatever reason.
    ///
    /// The key is the one that the token's `kid` names; where there is but one key, a token may do without. What the token says of
    /// its algorithm has to be what the key is for.
    func verify(_ token: SignedToken, at now: Date) -> Tokens.Verified? {
        let byID = keys.withLock { $0.byID }
        let key = token.keyID.map { byID[$0] } ?? (byID.count == 1 ? byID.values.first : nil)
        guard let key, token.algorithm == key.algorithm, key.isValid(token.signature, of: token.signed) else {
            return nil
        }
        guard let person = token.claims["sub"]?.stringValue, let expiresAt = token.date("exp"), isMeant(token) else {
            return nil
        }
        let latest = now.addingTimeInterval(Tokens.skew)
        for name in ["nbf", "iat"] where token.claims[name] != nil {
            guard let date = token.date(name), date <= latest else { return nil }
        }
        return Tokens.Verified(person: person, issuedAt: token.date("iat"), expiresAt: expiresAt)
    }

    private func isMeant(_ token: SignedToken) -> Bool {
        if let issuer = settings.issuer, token.claims["iss"]?.stringValue != issuer { return false }
        guard let audience = settings.audience else { return true }
        let said = token.claims["aud"]
        return said?.stringValue == audience || said?.arrayValue?.contains(.string(audience)) ?? false
    }

    private static func read(_ settings: AppTokenSettings) throws -> Keys {
        var keys = Keys(content: [], byID: [:])
        for file in settings.keys {
            let bytes = try SetupFile.read(file, option: "--jwt-key")
            keys.content.append(bytes)
            for key in try AppKeyFile(file: file, bytes: bytes).keys() {
                guard keys.byID.updateValue(key, forKey: key.id) == nil else {
                    throw ServerSetupError(
                        "The files given with --jwt-key have two keys of the id \(key.id). Rename a file, or change a kid."
                    )
                }
            }
        }
        return keys
    }
}

extension AppTokens: ReloadedFiles {
    var name: String { "the set of the app's keys" }

    func reload() throws -> Bool {
        var read = try Self.read(settings)
        return keys.withLock { keys in
            guard keys.content != read.content else { return false }
            read.generation = keys.generation + 1
            keys = read
            return true
        }
    }
}
