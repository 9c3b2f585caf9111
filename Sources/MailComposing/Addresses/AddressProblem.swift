/// The reason for which a mail can't be sent to an address.
public enum AddressProblem: Hashable, Sendable {
    /// There is no text.
    case empty
    /// There is no `@`.
    case missingAt
    /// There is more than one `@`.
    case severalAts
    /// There is nothing before the `@`.
    case missingLocalPart
    /// There is nothing after the `@`.
    case missingDomain
    /// The part before the `@` has only full stops.
    case misplacedDot
    /// The part before the `@` has a character that isn't allowed there without quotation marks.
    case localPartCharacter(Character)
    /// The domain has a character that isn't allowed in one.
    case domainCharacter(Character)
    /// The domain begins or ends with a full stop, or has two in a row.
    case emptyLabel
    /// A part of the domain begins or ends with a hyphen.
    case hyphenAtEnd
    /// A part of the domain is longer than 63 bytes, as it is sent.
    case labelTooLong
    /// A part of the domain looks like an encoded name (`xn--`), but isn't one.
    case encodedLabel
    /// The domain is in brackets, but isn't an IP address.
    case domainLiteral
    /// The domain is longer than 255 bytes, as it is sent (RFC 5321, section 4.5.3.1.2).
    case domainTooLong
    /// The address is longer than 254 bytes, as it is sent (RFC 5321, section 4.5.3.1.3).
    case tooLong
    /// The address has a line break or another control character in it.
    case controlCharacter
    /// The address is in a line `Bcc:` of a text for a field that all recipients see.
    case blindCopy
    /// A quotation mark, a parenthesis or an angle bracket isn't closed, or has text where none is allowed.
    case notReadable

    /// A text for the person, in English: the problem, and how to fix it.
    public var message: String {
        switch self {
        case .empty: "There is no address. Enter one, such as anna@example.com."
        case .missingAt: "The address has no @. Enter a complete one, such as anna@example.com."
        case .severalAts: "The address has more than one @. Separate addresses with commas."
        case .missingLocalPart: "There is nothing before the @. Enter the name of the mailbox, such as anna."
        case .missingDomain: "There is nothing after the @. Enter the domain, such as example.com."
        case .misplacedDot:
            "The part before the @ has only dots. Enter the name of the mailbox, such as anna."
        case .localPartCharacter(let character):
            "The part before the @ has the character \(Self.shown(character)). Remove it."
        case .domainCharacter(let character): "The domain has the character \(Self.shown(character)). Remove it."
        case .emptyLabel: "The domain begins or ends with a dot, or has two in a row. Remove the extra dot."
        case .hyphenAtEnd: "A part of the domain begins or ends with a hyphen. Remove the hyphen."
        case .labelTooLong: "A part of the domain is too long. Check the spelling after the @."
        case .encodedLabel: "A part of the domain is encoded incorrectly. Write the domain in its own script."
        case .domainLiteral: "The domain is in brackets, but isn't an IP address. Write it without brackets."
        case .domainTooLong: "The domain is too long. Check the spelling after the @."
        case .tooLong: "The address is longer than 254 characters. Check its spelling."
        case .controlCharacter: "The address has a line break or an invisible character in it. Enter it again."
        case .blindCopy: "This is a blind copy, which all recipients would see here. Enter its addresses as Bcc."
        case .notReadable: "The address can't be read. Check its quotation marks and brackets."
        }
    }

    private static func shown(_ character: Character) -> String {
        let codes = character.unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true).leftPadded(4) }
        return character == " " ? "space" : character.isVisible ? "“\(character)”" : codes.joined(separator: " ")
    }
}

extension String {
    fileprivate func leftPadded(_ length: Int) -> String {
        String(repeating: "0", count: max(0, length - utf8.count)) + self
    }
}

extension Character {
    /// Whether the character is visible by itself: none of its scalars is a space, a combining mark, a control or
    /// unassigned.
    package var isVisible: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
                .spaceSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
                false
            default: true
            }
        }
    }
}
