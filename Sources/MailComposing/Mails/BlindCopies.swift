/// The header fields of a mail that name the recipients of blind copies (RFC 5322, sections 3.6.3 and 3.6.6).
package enum BlindCopies {
    private static let names: Set<String> = ["bcc", "resent-bcc"]

    /// Returns the bytes of a mail without these fields. Its body stays as it is.
    package static func removed(from mail: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(mail.count)
        var rest = mail[...]
        var isHidden = false
        while let first = rest.first {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
            let line = rest[..<end]
            // An empty line ends the header.
            if line.allSatisfy({ $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }) { break }
            // Other lines continue the field before them.
            if first != UInt8(ascii: " "), first != UInt8(ascii: "\t") { isHidden = names.contains(name(of: line)) }
            if !isHidden { kept += line }
            rest = rest[end...]
        }
        return kept + rest
    }

    /// Returns the name of a field, in small letters.
    private static func name(of line: ArraySlice<UInt8>) -> String {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        return String(decoding: name.filter { $0 > UInt8(ascii: " ") }, as: UTF8.self).lowercased()
    }
}
