package import Foundation

/// Base 64 as JSON Web Tokens use it (RFC 7515 §2): its own two characters, and no padding.
package enum Base64URL {
    /// - Returns: Nil for text that an encoder wouldn't have written.
    package static func decode(_ text: some StringProtocol) -> Data? {
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "=") })
        else { return nil }
        let plain = String(text).replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain + padding).flatMap { encode($0) == String(text) ? $0 : nil }
    }

    package static func encode(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
