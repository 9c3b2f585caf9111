import Foundation
import Groundwork

/// The tokens that the app's own backend signs for its people (JWT, RFC 7519), and the keys for them.
package final class AppTokens: Sendable {
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
    package init(_ settings: AppTokenSettings) async throws {
        self.settings = settings
        rules = TokenRules(settings)
        keys = Locked(try await Self.keys(in: Self.read(settings)))
    }

    /// Changes with the keys: what was verified in an earlier one has to be verified again.
    var generation: Int { keys.withLock { $0.generation } }

    /// Whose token it is.
    ///
    /// The key is the one that the token's `kid` names; where there is but one key, a token may do without. What the
    /// token says of its algorithm has to be what the key is for. The claims are looked at once the signature was found
    /// right.
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

    /// What the files hold: those with keys first, then those with secrets.
    private struct Content: Sendable {
        var keys: [AppKeyFile] = []
        var secrets: [AppSecretFile] = []

        var bytes: [[UInt8]] { keys.map(\.bytes) + secrets.map(\.bytes) }
    }

    /// Blocks its thread.
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
                    "The files given with \(AppKeyFile.option) and \(AppSecretFile.option) have two keys of the id \(key.id). Rename a file, or change a kid."
                )
            }
        }
        return keys
    }
}

extension AppTokens {
    /// For the log.
    package var name: String { "the set of the app's keys" }

    /// Reads the files, on a thread of its own.
    ///
    /// - Returns: Whether something is different now.
    /// - Throws: ``ServerSetupError``; then what held before goes on holding.
    package func reload() async throws -> Bool {
        let content = try await onNewThread { [settings] in try Self.read(settings) }
        guard keys.withLock({ $0.content }) != content.bytes else { return false }
        let read = try await Self.keys(in: content)
        // (The reloader alone comes here, one call after the other.)
        keys.withLock { keys in
            let generation = keys.generation + 1
            keys = read
            keys.generation = generation
        }
        return true
    }
}

extension TokenRules {
    /// Those of the app's own tokens.
    init(_ settings: AppTokenSettings) {
        self.init(issuer: settings.issuer, audience: settings.audience)
    }
}
