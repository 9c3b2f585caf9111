package import Foundation

/// The base64url encoding without padding (RFC 7515 §2, RFC 7636 appendix A).
package enum Base64URL {
    /// Decodes base64url.
    ///
    /// - Returns: Nil if the text isn't the canonical encoding of any bytes.
    package static func decode(_ text: some StringProtocol) -> Data? {
        var bytes = Data(capacity: text.utf8.count + 3)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): bytes.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): bytes.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: bytes.append(byte)
            }
        }
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - bytes.count % 4) % 4))
        return Data(base64Encoded: bytes).flatMap { encode($0).utf8.elementsEqual(text.utf8) ? $0 : nil }
    }

    /// Encodes bytes.
    package static func encode(_ data: Data) -> String { data.withUnsafeBytes { encode($0) } }

    /// Encodes bytes in one pass: a page has a code for each of its links.
    package static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
        let letters: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        return String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text in
            var (bits, bitCount, length): (UInt32, UInt32, Int) = (0, 0, 0)
            func write(_ index: UInt32) {
                text[length] = letters.utf8Start[Int(index & 63)]
                length += 1
            }
            for byte in bytes {
                bits = bits << 8 | UInt32(byte)
                bitCount += 8
                while bitCount >= 6 {
                    bitCount -= 6
                    write(bits >> bitCount)
                }
            }
            if bitCount > 0 { write(bits << (6 - bitCount)) }
            return length
        }
    }
}

extension Sequence<UInt8> {
    /// The bytes in hexadecimal, with two lowercase digits each.
    package var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
