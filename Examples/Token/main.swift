// Requires the products Crypto and CryptoExtras of https://github.com/apple/swift-crypto.
import Crypto
import CryptoExtras
import Foundation

/// Returns base64 as in tokens: with the URL-safe alphabet and without padding.
func base64URL(_ data: Data) -> String {
    data.base64EncodedString()
        .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}

let pem = try String(contentsOfFile: "private.pem", encoding: .utf8)
let es256 = try? P256.Signing.PrivateKey(pemRepresentation: pem)
let rs256 = try? _RSA.Signing.PrivateKey(pemRepresentation: pem)

let algorithm = es256 != nil ? "ES256" : rs256 != nil ? "RS256" : "EdDSA"
let header = ["alg": algorithm, "typ": "JWT", "kid": "2026-05"]
let now = Int(Date().timeIntervalSince1970)
let claims: [String: Any] = ["sub": CommandLine.arguments[1], "iat": now, "exp": now + 3_600]
let text =
    base64URL(try JSONSerialization.data(withJSONObject: header)) + "."
    + base64URL(try JSONSerialization.data(withJSONObject: claims))

let signature: Data
if let es256 {
    // The raw r and s, 64 bytes, not the DER representation.
    signature = try es256.signature(for: Data(text.utf8)).rawRepresentation
} else if let rs256 {
    let digest = SHA256.hash(data: Data(text.utf8))
    signature = try rs256.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation
} else {
    // The file's last 32 bytes are the key (RFC 8410).
    let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }
    let der = Data(base64Encoded: lines.joined()) ?? Data()
    let key = try Curve25519.Signing.PrivateKey(rawRepresentation: der.suffix(32))
    signature = try key.signature(for: Data(text.utf8))
}
print(text + "." + base64URL(signature))
