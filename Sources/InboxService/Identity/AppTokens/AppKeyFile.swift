import Foundation
import Groundwork
import JWTKit

/// A file with public keys of the app's backend, given with `--jwt-key`.
///
/// - A PEM public key: RSA for RS256, P-256 for ES256, P-384 for ES384, Ed25519 for EdDSA. The key's id is the file's
///   name without its extension.
/// - A JSON Web Key Set, or one JSON Web Key (RFC 7517): each key has a `kid`, which is its id. An RSA key with the
///   `alg` PS256 is used for PS256.
///
/// A secret is never read from this file: if a public key could be used as a secret, anyone could sign tokens.
struct AppKeyFile {
    let file: URL
    let bytes: [UInt8]

    static let option = "--jwt-key"

    /// Reads the keys.
    ///
    /// - Throws: ``ServerSetupError`` if the file contains anything but supported keys.
    func keys() async throws -> [AppKey] {
        switch KeyFileKind(of: bytes) {
        case .pem: return [try await AppKey(id: name, material: try material(pem: text))]
        case .jsonObject: return try await keys(json: text)
        case let kind: throw failure(kind.adviceForKeys)
        }
    }

    private var name: String { file.deletingPathExtension().lastPathComponent }

    private var text: String {
        String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func failure(_ text: String) -> ServerSetupError {
        ServerSetupError("\(file.path), given with \(Self.option), \(text)")
    }

    private static let kinds =
        "use RS256 or PS256 (RSA of 2048 bits or more), ES256 (P-256), ES384 (P-384) or EdDSA (Ed25519)."

    // MARK: - PEM

    private func material(pem: String) throws -> AppKey.Material {
        guard !pem.contains("PRIVATE KEY-----") else {
            throw failure(
                """
                contains a private key, which the server must not have. Extract the public key with: openssl pkey -in \
                FILE -pubout
                """
            )
        }
        let lines = pem.split(whereSeparator: \.isNewline)
        guard lines.first == "-----BEGIN PUBLIC KEY-----", lines.last == "-----END PUBLIC KEY-----",
            let der = Data(base64Encoded: lines.dropFirst().dropLast().joined())
        else {
            throw failure("isn't a single PEM public key (-----BEGIN PUBLIC KEY-----). Use one file per key.")
        }
        if let key = try? EdDSA.PublicKey(pem: pem) { return .edDSA(key) }
        if let key = try? ES256PublicKey(pem: pem) { return .es256(key) }
        if let key = try? ES384PublicKey(pem: pem) { return .es384(key) }
        if let key = try? Insecure.RSA.PublicKey(pem: pem) { return .rs256(key) }
        guard !PublicKeyEncoding.isRSA(der) else {
            throw failure("contains an RSA key that is too short: 2048 bits or more are required (RFC 7518 §3.3).")
        }
        throw failure("contains a key of an unsupported type: " + Self.kinds)
    }

    // MARK: - JSON Web Keys

    private func keys(json text: String) async throws -> [AppKey] {
        guard let json = try? JSON(parsing: text.utf8) else { throw failure("isn't valid JSON.") }
        guard let list = json["keys"] ?? (json["kty"] == nil ? nil : .array([json])), let keys = list.arrayValue else {
            throw failure("is JSON, but not a JSON Web Key Set: it has neither keys nor kty.")
        }
        guard !keys.isEmpty else { throw failure("is a JSON Web Key Set without keys.") }
        var read: [AppKey] = []
        for key in keys { read.append(try await self.key(key)) }
        return read
    }

    private func key(_ json: JSON) async throws -> AppKey {
        guard let id = json["kid"]?.stringValue, !id.isEmpty else { throw failure("has a key without a kid.") }
        guard json["use"] == nil || json["use"] == "sig" else {
            throw failure("has a key that isn't for signing: \(id).")
        }
        let key = try await AppKey(id: id, material: try material(json, id))
        guard json["alg"] == nil || json["alg"] == .string(key.algorithm) else {
            throw failure("has a key with the wrong alg: \(id). It has to be \(key.algorithm).")
        }
        return key
    }

    private func material(_ json: JSON, _ id: String) throws -> AppKey.Material {
        let kind = (json["kty"]?.stringValue ?? "", json["crv"]?.stringValue ?? "")
        guard kind.0 != "oct" else {
            throw failure(
                "contains a secret: \(id). Store it in a separate file and pass that with \(AppSecretFile.option)."
            )
        }
        guard json["d"] == nil else {
            throw failure("contains the private part of a key, which the server must not have: \(id). Remove its d.")
        }
        /// Returns a base64url member, which must have the given number of bytes, if any.
        func member(_ name: String, bytes count: Int? = nil) throws -> String {
            guard let text = json[name]?.stringValue, let bytes = Base64URL.decode(text),
                count == nil || bytes.count == count
            else {
                throw failure("has a key with a missing or invalid \(name): \(id).")
            }
            return text
        }
        switch kind {
        case ("RSA", _):
            let (n, e) = (try member("n"), try member("e"))
            guard let key = try? Insecure.RSA.PublicKey(modulus: n, exponent: e) else {
                throw failure(
                    "has an RSA key that is too short: \(id). 2048 bits or more are required (RFC 7518 §3.3)."
                )
            }
            return json["alg"] == "PS256" ? .ps256(key) : .rs256(key)
        case ("EC", "P-256"):
            let point = (x: try member("x", bytes: 32), y: try member("y", bytes: 32))
            guard let key = try? ES256PublicKey(parameters: point) else {
                throw failure("has a key whose x and y aren't a point on P-256: \(id).")
            }
            return .es256(key)
        case ("EC", "P-384"):
            let point = (x: try member("x", bytes: 48), y: try member("y", bytes: 48))
            guard let key = try? ES384PublicKey(parameters: point) else {
                throw failure("has a key whose x and y aren't a point on P-384: \(id).")
            }
            return .es384(key)
        case ("OKP", "Ed25519"):
            let x = try member("x", bytes: 32)
            guard let key = try? EdDSA.PublicKey(x: x, curve: .ed25519) else {
                throw failure("has a key whose x isn't an Ed25519 key: \(id).")
            }
            return .edDSA(key)
        default:
            throw failure("has a key of an unsupported type: \(id); " + Self.kinds)
        }
    }
}
