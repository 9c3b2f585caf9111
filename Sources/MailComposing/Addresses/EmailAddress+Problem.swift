extension EmailAddress {
    /// The maximum length of an address, in bytes: a path has two angle brackets more (RFC 5321, section 4.5.3.1.3).
    ///
    /// The part before the `@` has no limit of its own. 64 bytes are what every server has to accept (section
    /// 4.5.3.1.1), and the addresses for replies of some services are longer.
    package static let maxLength = 254

    /// The reason for which a mail can't be sent to this address; nil if nothing is wrong with its form.
    ///
    /// It follows RFC 5321 and RFC 6531: a local part of any script, quoted or not; a host name of any script, or an
    /// IP address in brackets. Whether the mailbox exists only its server knows.
    public var problem: AddressProblem? {
        if email.unicodeScalars.contains(where: Self.isControl) { return .controlCharacter }
        guard email.contains(where: { !$0.isWhitespace }) else { return .empty }
        guard let domain else { return .missingAt }
        if let problem = Self.problem(ofLocalPart: localPart) { return problem }
        switch DomainName.checked(String(domain)) {
        case .failure(let failure): return failure.problem
        case .success(let ascii):
            let marks = Self.needsQuotationMarks(localPart) ? 2 : 0
            return localPart.utf8.count + marks + 1 + ascii.utf8.count > Self.maxLength ? .tooLong : nil
        }
    }

    private static func problem(ofLocalPart local: Substring) -> AddressProblem? {
        guard !local.isEmpty else { return .missingLocalPart }
        if local.utf8.first == UInt8(ascii: "\""), local.utf8.count > 1 {
            return problem(ofQuoted: Array(local.unicodeScalars))
        }
        if let scalar = local.unicodeScalars.first(where: { !isAtomText($0) && $0 != "." }) {
            return scalar == "@" ? .severalAts : .localPartCharacter(Character(scalar))
        }
        return local.utf8.allSatisfy { $0 == UInt8(ascii: ".") } ? .misplacedDot : nil
    }

    /// Whether a local part may be sent in quotation marks only, since a full stop begins or ends it or follows another
    /// one (RFC 5321, section 4.1.2).
    static func needsQuotationMarks(_ local: Substring) -> Bool {
        let dot = UInt8(ascii: ".")
        var (last, isMisplaced) = (dot, false)
        for byte in local.utf8 {
            isMisplaced = isMisplaced || (byte == dot && last == dot)
            last = byte
        }
        guard isMisplaced || last == dot, local.utf8.first != UInt8(ascii: "\"") else { return false }
        return problem(ofLocalPart: local) == nil
    }

    private static func problem(ofQuoted local: [Unicode.Scalar]) -> AddressProblem? {
        var index = 1
        while index < local.count - 1 {
            if local[index] == "\"" { return .notReadable }
            index += local[index] == "\\" ? 2 : 1
        }
        return index == local.count - 1 && local[index] == "\"" ? nil : .notReadable
    }

    /// Whether a scalar may be in a local part without quotation marks (RFC 5322, section 3.2.3; RFC 6532, section
    /// 3.2), other than the full stop.
    static func isAtomText(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .unassigned:
                return scalar == "\u{200C}" || scalar == "\u{200D}"
            default: return scalar != "\u{FFFD}"
            }
        }
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "!", "#", "$", "%", "&", "'", "*", "+", "-", "/", "=", "?", "^", "_", "`",
            "{", "|", "}", "~":
            return true
        default: return false
        }
    }

    /// Whether a scalar ends a line or controls a device.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
