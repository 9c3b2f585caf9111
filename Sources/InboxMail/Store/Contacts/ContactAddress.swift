import Groundwork
import MailComposing

/// An address of a mail, checked and cleaned for the contacts.
struct ContactAddress: Hashable {
    /// The address in the form in which addresses are compared.
    let key: String
    let email: String
    /// The name in one line; nil if there is none.
    let name: String?

    /// The maximum length of a name, in bytes.
    static let maxNameLength = 128

    /// - Parameter isInAddressBook: Whether the person has stored the address, which may then be that of a list or an
    ///   automated sender.
    /// - Returns: Nil if no mail can be sent to the address, or if it is that of a list or an automated sender.
    init?(_ address: EmailAddress, isInAddressBook: Bool = false) {
        // Longer ones aren't read at all: no address is longer, in any script.
        guard address.email.utf8.count <= 4 * EmailAddress.maxLength, address.problem == nil else { return nil }
        guard isInAddressBook || !AutomatedAddress.isAutomated(address) else { return nil }
        key = address.key
        email = address.email
        name = address.name.flatMap { Self.name($0) }
    }

    /// Returns a name as ``shown(_:)``; nil too if it reads as an address, which could be another one.
    private static func name(_ text: String) -> String? {
        guard let name = shown(text) else { return nil }
        let inner = name.trimmed { "<>()[] ".contains($0) }
        return inner.contains("@") && EmailAddress(email: inner).problem == nil ? nil : name
    }

    /// Returns a name without characters that aren't seen or change the order of others; nil if nothing is left, or if
    /// it is an encoded word that the server couldn't decode.
    static func shown(_ text: String) -> String? {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(8 * maxNameLength) where !isUnwanted(scalar) { scalars.append(scalar) }
        let line = PlainCharacters.line(String(scalars), maxLength: maxNameLength)
        let name = line.trimmed { $0.isWhitespace || $0 == "\"" || $0 == "'" }
        guard name.contains(where: { $0.isLetter || $0.isNumber || $0.isSymbol }), !name.contains("=?") else {
            return nil
        }
        return name.normalized
    }

    /// Whether a scalar is invisible, or changes the direction of the text around it. Joiners are parts of words.
    private static func isUnwanted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
        case .privateUse, .unassigned, .surrogate: true
        default: scalar == "\u{FFFD}"
        }
    }
}

extension String {
    fileprivate func trimmed(_ isTrimmed: (Character) -> Bool) -> String {
        guard let first = firstIndex(where: { !isTrimmed($0) }), let last = lastIndex(where: { !isTrimmed($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}
