import Foundation
import JWTKit

/// A key with which the app's backend signs tokens. It has one algorithm, regardless of a token's `alg` (RFC 8725
/// §3.1).
struct AppKey: Sendable {
    /// The keys that JWTKit verifies signatures with.
    enum Material: Sendable {
        case rs256(Insecure.RSA.PublicKey)
        case ps256(Insecure.RSA.PublicKey)
        case es256(ES256PublicKey)
        case es384(ES384PublicKey)
        case edDSA(EdDSA.PublicKey)
        case hs256(HMACKey)
    }

    /// The id by which tokens refer to the key: their `kid`.
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

    /// The algorithm, as in a token's `alg` (RFC 7518 §3.1, RFC 8037 §3.1).
    var algorithm: String { verifier.name }

    /// Returns whether the signature is valid for this key. ES256 and ES384 signatures are the concatenation of r and s
    /// (RFC 7518 §3.4), not the DER encoding of X.509.
    func isValid(_ signature: Data, of signed: Data) -> Bool {
        (try? verifier.verify(signature, signs: signed)) ?? false
    }
}
