/// Removes characters that a mail can't carry: those that would end a header field, and those that I-JSON doesn't allow
/// (RFC 7493, section 2.1).
package enum PlainCharacters {
    /// Returns a text in one line, for a header field. Line breaks and control characters become a space each run, and
    /// none at the ends.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - maxLength: The maximum length in bytes. A longer text is cut between two characters.
    package static func line(_ text: some StringProtocol, maxLength: Int) -> String {
        var scalars = String.UnicodeScalarView()
        var (length, needsSpace) = (0, false)
        for scalar in text.unicodeScalars where !isNoncharacter(scalar) {
            if scalar == " " || EmailAddress.isControl(scalar) {
                needsSpace = true
                continue
            }
            // A space beyond the first of a run is layout of a header field that was folded.
            if needsSpace, !scalars.isEmpty {
                scalars.append(" ")
                length += 1
            }
            needsSpace = false
            scalars.append(scalar)
            length += UTF8.width(scalar)
            // A character is only known with the scalars after it.
            if length > maxLength + maxCharacterLength { break }
        }
        return cut(String(scalars), maxLength: maxLength)
    }

    /// Returns a text of several lines, for a body: with line feeds alone as line breaks, and without null characters.
    package static func lines(_ text: String) -> String {
        if isPlain(text) { return text }
        var scalars = String.UnicodeScalarView()
        var afterReturn = false
        for scalar in text.unicodeScalars {
            defer { afterReturn = scalar == "\r" }
            if scalar == "\r" {
                scalars.append("\n")
            } else if scalar == "\n" {
                if !afterReturn { scalars.append("\n") }
            } else if scalar == "\t" || !isUnwanted(scalar) {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// Returns the beginning of a text that fits a number of bytes, cut between two characters.
    package static func cut(_ text: String, maxLength: Int) -> String {
        guard text.utf8.count > maxLength else { return text }
        guard maxLength > 0 else { return "" }
        let limit = text.utf8.index(text.startIndex, offsetBy: maxLength)
        // The character at the limit may begin before it, and be the first one.
        let end = text.index(before: text.index(after: limit))
        return String(text[..<end])
    }

    private static let maxCharacterLength = 256

    private static func isPlain(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            // U+FDD0 to U+FDEF and the last two of each plane have bytes of these values.
            bytes.allSatisfy { byte in
                switch byte {
                case 0x20..<0x7F, 0x09, 0x0A, 0xC3..<0xEF: true
                default: false
                }
            }
        }
    }

    private static func isUnwanted(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || scalar.value == 0x7F || isNoncharacter(scalar)
    }

    private static func isNoncharacter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
    }
}
