import Foundation

/// Text of any script in a header field, in ASCII (RFC 2047).
enum EncodedWords {
    /// The maximum number of bytes of text in a word. A line has 78 characters at most, and the first one begins with
    /// the field's name.
    private static let maxWordLength = 39

    /// Returns a text as encoded words, each in a line of its own; empty for an empty text.
    static func encoded(_ text: String) -> String {
        var words: [[UInt8]] = [[]]
        // A word has whole scalars.
        for scalar in text.unicodeScalars {
            let bytes = Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            if words[words.count - 1].count + bytes.count > maxWordLength { words.append([]) }
            words[words.count - 1] += bytes
        }
        guard words[0] != [] else { return "" }
        return words.map { "=?UTF-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    /// Returns the value of a header field with addresses, with all names as encoded words.
    static func addressList(_ addresses: [(name: String, email: String)]) -> String {
        addresses.map { name, email in name.isEmpty ? email : "\(encoded(name))\r\n <\(email)>" }
            .joined(separator: ",\r\n ")
    }

    /// Whether a server could make something else of one of the names, and all addresses are in ASCII, as
    /// ``addressList(_:)`` needs them.
    ///
    /// Names in other scripts are safe: Cyrus 3.6 encodes them as a whole.
    static func isAtRisk(_ addresses: [(name: String, email: String)]) -> Bool {
        addresses.contains { isASCII($0.name) && $0.name.contains("=?") } && addresses.allSatisfy { isASCII($0.email) }
    }

    /// Whether a server could change a file's name: a name in ASCII is sent unchanged, so that readers decode a part
    /// that looks like an encoded word. Cyrus 3.6 does so too.
    static func isAtRisk(fileName: String) -> Bool { isASCII(fileName) && fileName.contains("=?") }

    /// Returns the value of the header field `Content-Disposition` with a file's name in which nothing looks like an
    /// encoded word (RFC 2231, section 4).
    static func disposition(_ kind: String, fileName: String) -> String {
        let encoded = fileName.utf8.reduce(into: "") { text, byte in
            let code = String(byte, radix: 16, uppercase: true)
            text += isUnencoded(byte) ? String(UnicodeScalar(byte)) : byte < 16 ? "%0\(code)" : "%\(code)"
        }
        return "\(kind);\r\n filename*=UTF-8''\(encoded)"
    }

    /// Whether a byte stands for itself in a parameter's extended value.
    private static func isUnencoded(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$&+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    /// Whether a server could make something else of a text that it encodes itself.
    ///
    /// Cyrus 3.6 sends a text in ASCII unchanged, so that a part that looks like an encoded word becomes one. At the
    /// end of another text it leaves an address unchanged, without encoding its letters.
    static func isAtRisk(_ text: String) -> Bool {
        if isASCII(text) { return text.contains("=?") }
        let last = text.utf8.split(separator: UInt8(ascii: " ")).last
        return last?.contains(UInt8(ascii: "@")) ?? false
    }
}
