import Foundation

/// The collation algorithms of the registry (RFC 4790) that the server supports.
package enum Collation: String, CaseIterable, Sendable {
    /// Ignores the case of ASCII letters (RFC 4790 §9.2).
    case asciiCasemap = "i;ascii-casemap"
    /// Compares bytes (RFC 4790 §9.3).
    case octet = "i;octet"
    /// Ignores case in any script, and how a character is composed (RFC 5051).
    case unicodeCasemap = "i;unicode-casemap"

    /// The default. RFC 8620 §5.5 requires one that supports Unicode, and mentions this one.
    static let standard = unicodeCasemap

    /// Returns the bytes that define the order of a text.
    func key(of text: String) -> [UInt8] {
        switch self {
        case .asciiCasemap: text.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        case .octet: Array(text.utf8)
        case .unicodeCasemap: Array(Self.unicodeCasemapped(text).utf8)
        }
    }

    /// Returns the text in the form that RFC 5051 §2 compares: each character in title case, then decomposed.
    static func unicodeCasemapped(_ text: String) -> String {
        var mapped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            // The RFC uses the simple mappings of UnicodeData.txt, each to a single character. Longer mappings are from
            // SpecialCasing.txt.
            let title = scalar.properties.titlecaseMapping.unicodeScalars
            mapped.append(title.count == 1 ? title.first ?? scalar : scalar)
        }
        return String(mapped).decomposedStringWithCompatibilityMapping
    }
}
