import Crypto
import Foundation
import Groundwork

/// The secret that a webhook shares with its receiver, who verifies by it that a payload is authentic and unchanged.
///
/// It follows Standard Webhooks 1.0.0 (github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md,
/// "Signature scheme"): 24 to 64 random bytes, written as `whsec_` and base64. A signature is `v1,` and the base64 of
/// the HMAC-SHA256 of the id, the timestamp and the body, joined by full stops.
package struct WebhookSecret: Hashable, Sendable {
    let bytes: Data

    init(bytes: Data) {
        self.bytes = bytes
    }

    init(random: RandomSource) {
        bytes = Data(random.bytes(32))
    }

    /// The form in which the receiver gets the secret.
    package var text: String { "whsec_" + bytes.base64EncodedString() }

    /// Returns the signature of a payload.
    ///
    /// - Parameters:
    ///   - id: The id of the payload, without full stops.
    ///   - timestamp: The time in seconds since 1970.
    package func signature(id: String, timestamp: Int, body: String) -> String {
        let content = Array("\(id).\(timestamp).\(body)".utf8)
        let code = HMAC<SHA256>.authenticationCode(for: content, using: SymmetricKey(data: bytes))
        return "v1," + Data(code).base64EncodedString()
    }
}
