import Foundation
import Groundwork

/// A domain of an address: a host name of any script, or an address in brackets (RFC 5321, section 4.1.3).
///
/// Names are read as UTS #46 says (nontransitional, with STD3 rules), as far as this goes without its tables: letters
/// and digits of all widths and cases are equal, ideographic and full-width full stops separate labels, and spaces,
/// controls, private and unassigned characters aren't allowed. Rules about the order of right-to-left characters aren't
/// checked.
package enum DomainName {
    /// The maximum length of a name in ASCII, in bytes (RFC 1035, section 2.3.4).
    package static let maxLength = 255
    /// The maximum length of a label in ASCII, in bytes.
    package static let maxLabelLength = 63

    /// Returns the name in ASCII and lower case, or nil if it isn't a domain.
    package static func ascii(_ name: String) -> String? { try? checked(name).get() }

    /// Returns the name in ASCII and lower case, or why it isn't a domain.
    static func checked(_ name: String) -> Result<String, Failure> {
        // A character of a label takes a byte of its ASCII form at least. (A letter can have several scalars.)
        guard name.utf8.count <= maxLength * 16 else { return .failure(.init(.domainTooLong)) }
        guard !name.isEmpty else { return .failure(.init(.missingDomain)) }
        if name.hasPrefix("[") { return literal(name) }
        if let character = name.unicodeScalars.first(where: { !isAllowed($0) }) {
            return .failure(.init(.domainCharacter(Character(character))))
        }
        let mapped = mapped(name)
        var labels: [String] = []
        // Not by characters: one can be a full stop and an accent on it.
        for label in mapped.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false) {
            switch checked(label: Substring(label)) {
            case .success(let ascii): labels.append(ascii)
            case .failure(let failure): return .failure(failure)
            }
        }
        let ascii = labels.joined(separator: ".")
        return ascii.utf8.count <= maxLength ? .success(ascii) : .failure(.init(.domainTooLong))
    }

    /// The reason for which a name isn't a domain.
    struct Failure: Error {
        let problem: AddressProblem

        init(_ problem: AddressProblem) { self.problem = problem }
    }

    private static func literal(_ name: String) -> Result<String, Failure> {
        let failure = Result<String, Failure>.failure(.init(.domainLiteral))
        guard name.hasSuffix("]") else { return failure }
        let inner = name.dropFirst().dropLast()
        let isV6 = inner.lowercased().hasPrefix("ipv6:")
        guard let address = IPAddress(String(isV6 ? inner.dropFirst(5) : inner)), address.isV4 != isV6 else {
            return failure
        }
        return .success(isV6 ? "[IPv6:\(address.text)]" : "[\(address.text)]")
    }

    /// Returns the name with all that looks the same written the same.
    private static func mapped(_ name: String) -> String {
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
        // Lowercase letters can have compatibility forms, and these capitals.
        let folded = name.lowercased().precomposedStringWithCompatibilityMapping.lowercased().normalized
        var scalars = String.UnicodeScalarView()
        for scalar in folded.unicodeScalars where !isIgnored(scalar) {
            scalars.append(scalar == "\u{3002}" ? "." : scalar)
        }
        return String(scalars)
    }

    private static func checked(label: Substring) -> Result<String, Failure> {
        let label = label.unicodeScalars
        guard let first = label.first, let last = label.last else { return .failure(.init(.emptyLabel)) }
        // Compatibility forms can have characters in them that aren't allowed, such as the slash of U+2100.
        if let character = label.first(where: { !isAllowed($0) }) {
            return .failure(.init(.domainCharacter(Character(character))))
        }
        guard first != "-", last != "-" else { return .failure(.init(.hyphenAtEnd)) }
        guard !isMark(first) else { return .failure(.init(.domainCharacter(Character(first)))) }
        if label.allSatisfy(\.isASCII) {
            guard label.count <= maxLabelLength else { return .failure(.init(.labelTooLong)) }
            let text = String(label)
            guard text.hasPrefix("xn--") else { return .success(text) }
            return unicode(ofLabel: text) == nil ? .failure(.init(.encodedLabel)) : .success(text)
        }
        let scalars = Array(label)
        if let joiner = misplacedJoiner(in: scalars) {
            return .failure(.init(.domainCharacter(Character(joiner))))
        }
        // Each character takes a byte at least.
        guard scalars.count < maxLabelLength else { return .failure(.init(.labelTooLong)) }
        guard !(scalars.count > 3 && scalars[2] == "-" && scalars[3] == "-") else {
            return .failure(.init(.encodedLabel))
        }
        let ascii = "xn--" + Punycode.encoded(scalars)
        return ascii.utf8.count <= maxLabelLength ? .success(ascii) : .failure(.init(.labelTooLong))
    }

    /// Returns the Unicode form of a label that begins with `xn--`, or nil if it isn't the form that a name is
    /// encoded to.
    static func unicode(ofLabel label: String) -> String? {
        guard label.utf8.count <= maxLabelLength, let scalars = Punycode.decoded(label.utf8.dropFirst(4)),
            scalars.contains(where: { !$0.isASCII })
        else { return nil }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        let text = String(view)
        guard !text.unicodeScalars.contains("."), mapped(text).hasSameBytes(as: text),
            case .success(let again) = checked(label: text[...]), again == label.lowercased()
        else { return nil }
        return text
    }

    // MARK: Characters

    /// Whether a character may be typed in a name.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".": true
            default: false
            }
        }
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator, .spaceSeparator:
            return false
        case .format: return isIgnored(scalar) || scalar == "\u{200C}" || scalar == "\u{200D}"
        default: return scalar != "\u{FFFD}"
        }
    }

    /// Whether a character of a name has no meaning: soft hyphens, word joiners, variation selectors.
    private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x34F, 0x180B...0x180D, 0x200B, 0x2060, 0x2064, 0xFE00...0xFE0F, 0xFEFF: true
        default: false
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Returns an invisible joiner that has no effect where it is (RFC 5892, appendices A.1 and A.2, without the rule
    /// about joining types).
    private static func misplacedJoiner(in scalars: [Unicode.Scalar]) -> Unicode.Scalar? {
        for (index, scalar) in scalars.enumerated() where scalar == "\u{200C}" || scalar == "\u{200D}" {
            let isAfterVirama = index > 0 && scalars[index - 1].properties.canonicalCombiningClass == .virama
            if !isAfterVirama { return scalar }
        }
        return nil
    }
}
