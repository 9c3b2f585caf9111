/// The header with which a browser saves a download instead of showing it (RFC 6266).
enum ContentDisposition {
    /// Returns the header's value for a file with the given name: in ASCII for clients that don't support RFC 8187, and
    /// in full as RFC 8187 encodes it.
    ///
    /// The value is visible ASCII, whatever the name contains. In the ASCII form, each character that could be taken
    /// for a part of a path, an escape or the end of the name becomes `_` (RFC 6266, appendix D).
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

    /// Returns whether a byte requires no escape (`attr-char`, RFC 8187, section 3.2.1).
    private static func isAttributeCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$&+-.^_`|~".utf8.contains(byte)
        }
    }
}
