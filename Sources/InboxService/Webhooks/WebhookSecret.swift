import Crypto
import Foundation
import Groundwork

/// The secret that a webhook's receiver shares: by it the receiver knows that a payload comes from here, unchanged.
///
/// As Standard Webhooks 1.0.0 has it (github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md,
/// "Signature scheme"): 24 to 64 random bytes, shown as `whsec_` and base64; a signature is `v1,` and the base64 of the
/// HMAC-SHA256 of the id, the timestamp and the body, joined by full stops.
package struct WebhookSecret: Hashable, Sendable {
    let bytes: Data

    init(bytes: Data) {
        self.bytes = bytes
    }

    init(random: RandomSource) {
        bytes = Data(random.bytes(32))
    }

    /// What the receiver is given.
    package var text: String { "whsec_" + bytes.base64EncodedString() }

    /// - Parameters:
    ///   - id: Without a full stop.
    ///   - timestamp: In seconds since 1970.
    func signature(id: String, timestamp: Int, body: String) -> String {
        let content = Array("\(id).\(timestamp).\(body)".utf8)
        let code = HMAC<SHA256>.authenticationCode(for: content, using: SymmetricKey(data: bytes))
        return "v1," + Data(code).base64EncodedString()
    }
}
