import Crypto
import Foundation

/// A key with which the app's backend signs tokens. It has one algorithm, whatever a token says of itself.
struct AppKey: Sendable {
    enum Material: Sendable {
        case hs256(SymmetricKey)
        case es256(P256.Signing.PublicKey)
        case edDSA(Curve25519.Signing.PublicKey)
    }

    /// What tokens name it by: their `kid`.
    let id: String
    let material: Material

    /// As in a token's `alg` (RFC 7518 §3.1, RFC 8037 §3.1).
    var algorithm: String {
        switch material {
        case .hs256: "HS256"
        case .es256: "ES256"
        case .edDSA: "EdDSA"
        }
    }

    func isValid(_ signature: Data, of signed: Data) -> Bool {
        switch material {
        case .hs256(let key):
            HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: signed, using: key)
        case .es256(let key):
            // The two numbers side by side (RFC 7518 §3.4), not the DER of X.509.
            (try? P256.Signing.ECDSASignature(rawRepresentation: signature))
                .map { key.isValidSignature($0, for: signed) } ?? false
        case .edDSA(let key):
            key.isValidSignature(signature, for: signed)
        }
    }
}
