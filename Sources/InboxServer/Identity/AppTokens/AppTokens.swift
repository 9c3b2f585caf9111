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
    private let rules: TokenRules
    // Replaced as a whole when the files change; every look at a token reads it, on whichever thread.
    private let keys: Locked<Keys>

    /// - Throws: ``ServerSetupError`` for a file that can't be read or holds no such key, and for two keys of one id.
    init(_ settings: AppTokenSettings) throws {
        self.settings = settings
        rules = TokenRules(settings)
        keys = Locked(try Self.read(settings))
    }

    /// Changes with the keys: what was verified in an earlier one has to be verified again.
    var generation: Int { keys.withLock { $0.generation } }

    /// Whose token it is.
    ///
    /// The key is the one that the token's `kid` names; where there is but one key, a token may do without. What the token says of
    /// its algorithm has to be what the key is for. The claims are looked at once the signature was found right.
    ///
    /// - Throws: ``TokenRejection``.
    func verify(_ token: SignedToken, at now: Date) throws(TokenRejection) -> Tokens.Verified {
        let byID = keys.withLock { $0.byID }
        let key = try Self.key(for: token, among: byID)
        guard token.algorithm == key.algorithm else {
            throw .wrongAlgorithm(token.algorithm, expected: key.algorithm)
        }
        guard key.isValid(token.signature, of: token.signed) else { throw .badSignature }
        return try rules.check(token, at: now)
    }

    private static func key(for token: SignedToken, among keys: [String: AppKey]) throws(TokenRejection) -> AppKey {
        if let id = token.keyID {
            guard let key = keys[id] else { throw .unknownKey(id) }
            return key
        }
        guard keys.count == 1, let key = keys.values.first else { throw .noKeyNamed(keys: keys.count) }
        return key
    }

    /// The ids of the keys, and what each is for, in the order of the ids.
    var names: [(id: String, algorithm: String)] {
        keys.withLock { $0.byID.values.map { ($0.id, $0.algorithm) } }.sorted { $0.id < $1.id }
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

extension TokenRules {
    /// Those of the app's own tokens.
    init(_ settings: AppTokenSettings) {
        self.init(issuer: settings.issuer, audience: settings.audience)
    }
}
