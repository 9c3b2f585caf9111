import Foundation
import GRDB

/// How text is ordered: the algorithms of the collation registry (RFC 4790) that the server offers.
package enum Collation: String, CaseIterable, Sendable {
    /// Letters of ASCII without regard to their case (RFC 4790 §9.2).
    case asciiCasemap = "i;ascii-casemap"
    /// By bytes (RFC 4790 §9.3).
    case octet = "i;octet"
    /// Without regard to case, in any script, and to how a character is composed (RFC 5051).
    case unicodeCasemap = "i;unicode-casemap"

    /// Where a client names none: RFC 8620 §5.5 wants one that knows Unicode, and mentions this one.
    static let standard = unicodeCasemap

    /// The expression by whose bytes a text is ordered.
    func sql(_ text: String) -> String {
        switch self {
        case .asciiCasemap: "upper(\(text))"
        case .octet: text
        case .unicodeCasemap: "unicodeCasemap(\(text))"
        }
    }

    /// What ``sql(_:)`` calls; every connection needs it.
    static let function = DatabaseFunction("unicodeCasemap", argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0]).map(unicodeCasemapped)
    }

    /// The text in the form in which RFC 5051 §2 compares it: each character in title case, then decomposed.
    static func unicodeCasemapped(_ text: String) -> String {
        var mapped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            // The RFC takes the simple mappings of UnicodeData.txt, each to one character; a longer one comes from
            // SpecialCasing.txt.
            let title = scalar.properties.titlecaseMapping.unicodeScalars
            mapped.append(title.count == 1 ? title.first ?? scalar : scalar)
        }
        return String(mapped).decomposedStringWithCompatibilityMapping
    }
}
