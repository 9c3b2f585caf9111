/// The header that has a browser save a download instead of showing it (RFC 6266).
enum ContentDisposition {
    /// The header's value for a file of that name: in full as RFC 8187 writes it, and in ASCII for those who don't read
    /// that.
    ///
    /// Whatever the name has, the value is visible ASCII. In the second form, what could be taken for a path, an escape
    /// or the end of the name becomes `_` (RFC 6266 appendix D).
    static func attachment(named name: String) -> String {
        var plain = ""
        for scalar in name.unicodeScalars {
            plain.unicodeScalars.append(Self.isPlain(scalar) ? scalar : "_")
        }
        var encoded = ""
        for byte in name.utf8 {
            if Self.isAttributeCharacter(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        (0x20...0x7E).contains(scalar.value) && !"\"\\/%".unicodeScalars.contains(scalar)
    }

    /// Whether a byte needs no escape (`attr-char`, RFC 8187 §3.2.1).
    private static func isAttributeCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$&+-.^_`|~".utf8.contains(byte)
        }
    }
}
