import Crypto
import Foundation
import Groundwork

/// A file with keys of the app's backend, as `--jwt-key` names it.
///
/// - A PEM public key. Its id is the file's name without what follows the last dot.
/// - A JSON Web Key Set, or one JSON Web Key (RFC 7517): each key has a `kid`, which is its id.
/// - Anything else is the secret itself, its bytes less one line break at the end; its id comes from the file's name.
struct AppKeyFile {
    let file: URL
    let bytes: [UInt8]

    /// What HS256 needs (RFC 7518 §3.2), in bytes.
    private static let minSecret = 32

    /// - Throws: ``ServerSetupError`` for whatever isn't a key that the server takes.
    func keys() throws -> [AppKey] {
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if text.hasPrefix("-----BEGIN") { return [AppKey(id: name, material: try material(pem: text))] }
        if text.hasPrefix("{") { return try keys(json: text) }
        var secret = bytes[...]
        if secret.last == UInt8(ascii: "\n") { secret.removeLast() }
        return [AppKey(id: name, material: try material(secret: Data(secret)))]
    }

    private var name: String { file.deletingPathExtension().lastPathComponent }

    private func failure(_ text: String) -> ServerSetupError {
        ServerSetupError("\(file.path), given with --jwt-key, \(text)")
    }

    // MARK: - PEM

    /// What the DER of an Ed25519 public key begins with (RFC 8410 §4); the key's 32 bytes follow.
    private static let ed25519Prefix: [UInt8] = [
        0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]

    private func material(pem: String) throws -> AppKey.Material {
        guard !pem.contains("PRIVATE KEY-----") else {
            throw failure(
                "holds a private key, which the server must not have. Make its public key with: openssl pkey -in FILE -pubout"
            )
        }
        let lines = pem.split(whereSeparator: \.isNewline)
        guard lines.first == "-----BEGIN PUBLIC KEY-----", lines.last == "-----END PUBLIC KEY-----",
            let der = Data(base64Encoded: lines.dropFirst().dropLast().joined())
        else {
            throw failure("isn't one PEM public key (-----BEGIN PUBLIC KEY-----). Give each key a file of its own.")
        }
        if der.starts(with: Self.ed25519Prefix),
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: der.dropFirst(Self.ed25519Prefix.count))
        {
            return .edDSA(key)
        }
        if let key = try? P256.Signing.PublicKey(derRepresentation: der) { return .es256(key) }
        throw failure("holds a key of a kind that isn't taken: use ES256 (P-256), EdDSA (Ed25519) or HS256.")
    }

    // MARK: - A secret

    private func material(secret: Data) throws -> AppKey.Material {
        guard secret.count >= Self.minSecret else {
            throw failure(
                "has a secret of \(secret.count) bytes; HS256 needs \(Self.minSecret). Make one with: openssl rand -hex 32"
            )
        }
        return .hs256(SymmetricKey(data: secret))
    }

    // MARK: - JSON Web Keys

    private func keys(json text: String) throws -> [AppKey] {
        guard let json = try? JSON(parsing: text.utf8) else { throw failure("isn't valid JSON.") }
        guard let list = json["keys"] ?? (json["kty"] == nil ? nil : .array([json])), let keys = list.arrayValue else {
            throw failure("is JSON, but no JSON Web Key Set: it has neither keys nor kty.")
        }
        guard !keys.isEmpty else { throw failure("is a JSON Web Key Set without keys.") }
        return try keys.map(key)
    }

    private func key(_ json: JSON) throws -> AppKey {
        guard let id = json["kid"]?.stringValue, !id.isEmpty else { throw failure("has a key without a kid.") }
        guard json["use"] == nil || json["use"] == "sig" else {
            throw failure("has a key that isn't for signing: \(id).")
        }
        let key = AppKey(id: id, material: try material(json, id))
        guard json["alg"] == nil || json["alg"] == .string(key.algorithm) else {
            throw failure("has a key whose alg doesn't fit it: \(id). It has to be \(key.algorithm).")
        }
        return key
    }

    private func material(_ json: JSON, _ id: String) throws -> AppKey.Material {
        func bytes(_ name: String) throws -> Data {
            guard let value = json[name]?.stringValue.flatMap(Base64URL.decode) else {
                throw failure("has a key without a proper \(name): \(id).")
            }
            return value
        }
        let kind = (json["kty"]?.stringValue ?? "", json["crv"]?.stringValue ?? "")
        if kind.0 != "oct", json["d"] != nil {
            throw failure("has the private part of a key, which the server must not have: \(id). Leave its d out.")
        }
        switch kind {
        case ("oct", _): return try material(secret: try bytes("k"))
        case ("EC", "P-256"):
            let point = Data([4]) + (try bytes("x")) + (try bytes("y"))
            guard let key = try? P256.Signing.PublicKey(x963Representation: point) else {
                throw failure("has a key whose x and y are no point of P-256: \(id).")
            }
            return .es256(key)
        case ("OKP", "Ed25519"):
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: try bytes("x")) else {
                throw failure("has a key whose x is no Ed25519 key: \(id).")
            }
            return .edDSA(key)
        default:
            throw failure("has a key of a kind that isn't taken: \(id). Use ES256 (P-256), EdDSA (Ed25519) or HS256.")
        }
    }
}
