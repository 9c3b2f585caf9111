import Foundation
import JWTKit

/// A key with which the app's backend signs tokens. It has one algorithm, whatever a token says of itself (RFC 8725
/// §3.1).
struct AppKey: Sendable {
    /// What jwt-kit makes a verifier of.
    enum Material: Sendable {
        case rs256(Insecure.RSA.PublicKey)
        case ps256(Insecure.RSA.PublicKey)
        case es256(ES256PublicKey)
        case es384(ES384PublicKey)
        case edDSA(EdDSA.PublicKey)
        case hs256(HMACKey)
    }

    /// What tokens name it by: their `kid`.
    let id: String
    private let verifier: any JWTAlgorithm

    init(id: String, material: Material) async throws {
        let keys = JWTKeyCollection()
        switch material {
        case .rs256(let key): await keys.add(rsa: key, digestAlgorithm: .sha256)
        case .ps256(let key): await keys.add(pss: key, digestAlgorithm: .sha256)
        case .es256(let key): await keys.add(ecdsa: key)
        case .es384(let key): await keys.add(ecdsa: key)
        case .edDSA(let key): await keys.add(eddsa: key)
        case .hs256(let key): await keys.add(hmac: key, digestAlgorithm: .sha256)
        }
        self.id = id
        verifier = try await keys.getKey()
    }

    /// As in a token's `alg` (RFC 7518 §3.1, RFC 8037 §3.1).
    var algorithm: String { verifier.name }

    /// Whether the signature was made with the key. ES256 and ES384 have their two numbers side by side (RFC 7518
    /// §3.4), not the DER of X.509.
    func isValid(_ signature: Data, of signed: Data) -> Bool {
        (try? verifier.verify(signature, signs: signed)) ?? false
    }
}
