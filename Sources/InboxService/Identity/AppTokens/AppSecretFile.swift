import Foundation
import JWTKit

/// A file with a secret that the server shares with the app's backend, given with `--jwt-secret`.
///
/// The secret is the file's bytes without one line break at the end. Its id is the file's name without its extension.
/// Content that looks like a key is rejected: public keys aren't secret, and anyone with the secret can issue tokens.
struct AppSecretFile {
    let file: URL
    let bytes: [UInt8]

    static let option = "--jwt-secret"
    /// The minimum size of a secret for HS256 (RFC 7518 §3.2), in bytes.
    private static let minSize = 32

    /// Reads the secret.
    ///
    /// - Throws: ``ServerSetupError`` if the secret is too short or looks like a key.
    func key() async throws -> AppKey {
        if let advice = KeyFileKind(of: bytes).adviceForSecrets { throw failure(advice) }
        var secret = bytes[...]
        if secret.last == UInt8(ascii: "\n") { secret.removeLast() }
        if secret.last == UInt8(ascii: "\r"), secret.count < bytes.count { secret.removeLast() }
        guard secret.count >= Self.minSize else {
            throw failure(
                """
                has a secret of \(secret.count) bytes; HS256 requires at least \(Self.minSize). Generate one with: \
                openssl rand -hex 32
                """
            )
        }
        let id = file.deletingPathExtension().lastPathComponent
        return try await AppKey(id: id, material: .hs256(HMACKey(from: secret)))
    }

    private func failure(_ text: String) -> ServerSetupError {
        ServerSetupError("\(file.path), given with \(Self.option), \(text)")
    }
}
