import Foundation
import Groundwork

/// The tokens that the app's own backend signs for its people (JWT, RFC 7519), and their keys.
package final class AppTokens: Sendable {
    private struct Keys: Sendable {
        var content: [[UInt8]]
        var byID: [String: AppKey]
        /// The number of the key set, which grows with each change.
        var generation = 0
    }

    private let settings: AppTokenSettings
    private let rules: TokenRules
    // Replaced as a whole when the files change. Each verification reads it, on any thread.
    private let keys: Locked<Keys>

    /// Reads the keys.
    ///
    /// - Throws: ``ServerSetupError`` if a file can't be read or has no supported key, or if two keys have the same id.
    package init(_ settings: AppTokenSettings) async throws {
        self.settings = settings
        rules = TokenRules(settings)
        keys = Locked(try await Self.keys(in: Self.read(settings)))
    }

    /// A number that changes with the keys. A token that was verified in an earlier generation is verified again.
    var generation: Int { keys.withLock { $0.generation } }

    /// Returns the contents of a token, including its person.
    ///
    /// The key is the one with the token's `kid`. If there is only one key, the `kid` is optional. The token's `alg`
    /// must be the key's algorithm. The claims are checked after the signature.
    ///
    /// - Throws: ``TokenRejection`` if the token isn't valid.
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

    /// The ids and algorithms of the keys, sorted by id.
    var names: [(id: String, algorithm: String)] {
        keys.withLock { $0.byID.values.map { ($0.id, $0.algorithm) } }.sorted { $0.id < $1.id }
    }

    /// The contents of the files: first those with keys, then those with secrets.
    private struct Content: Sendable {
        var keys: [AppKeyFile] = []
        var secrets: [AppSecretFile] = []

        var bytes: [[UInt8]] { keys.map(\.bytes) + secrets.map(\.bytes) }
    }

    /// Blocks the calling thread.
    private static func read(_ settings: AppTokenSettings) throws -> Content {
        Content(
            keys: try settings.keys.map { file in
                AppKeyFile(file: file, bytes: try SetupFile.read(file, option: AppKeyFile.option))
            },
            secrets: try settings.secrets.map { file in
                AppSecretFile(file: file, bytes: try SetupFile.read(file, option: AppSecretFile.option))
            }
        )
    }

    private static func keys(in content: Content) async throws -> Keys {
        var read: [AppKey] = []
        for file in content.keys { read += try await file.keys() }
        for file in content.secrets { read.append(try await file.key()) }
        var keys = Keys(content: content.bytes, byID: [:])
        for key in read {
            guard keys.byID.updateValue(key, forKey: key.id) == nil else {
                throw ServerSetupError(
                    """
                    The files given with \(AppKeyFile.option) and \(AppSecretFile.option) have two keys with the id \
                    \(key.id). Rename a file, or change a kid.
                    """
                )
            }
        }
        return keys
    }
}

extension AppTokens {
    /// The name in the log.
    package var name: String { "the app's key set" }

    /// Reads the files again, on a thread of its own.
    ///
    /// - Returns: Whether the content has changed.
    /// - Throws: ``ServerSetupError``. The former keys then stay in use.
    package func reload() async throws -> Bool {
        let content = try await onNewThread { [settings] in try Self.read(settings) }
        guard keys.withLock({ $0.content }) != content.bytes else { return false }
        let read = try await Self.keys(in: content)
        // (Only the reloader calls this, one call after the other.)
        keys.withLock { keys in
            let generation = keys.generation + 1
            keys = read
            keys.generation = generation
        }
        return true
    }
}

extension TokenRules {
    /// The rules for the app's own tokens.
    init(_ settings: AppTokenSettings) {
        self.init(issuer: settings.issuer, audience: settings.audience)
    }
}
