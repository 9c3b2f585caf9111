/// The addresses that were read from a text that a person has typed or pasted into a field.
///
///     let typed = EmailAddress.read("Bob Ärmel <bob@example.org>, \"Doe, Jane\" <jane@example.com>; carol@")
///     typed.addresses          // Bob's and Jane's
///     typed.unreadable.first   // "carol@", where it is, and what is missing
public struct TypedAddresses: Hashable, Sendable {
    /// The addresses in order, each of them valid: their ``EmailAddress/problem`` is nil.
    public internal(set) var addresses: [EmailAddress] = []
    /// The parts that aren't valid addresses, in order. Nothing that was typed is left out silently, except the
    /// names of groups.
    public internal(set) var unreadable: [Unreadable] = []

    /// A part of a text that isn't a valid address.
    public struct Unreadable: Hashable, Sendable {
        /// The part.
        public let text: String
        /// The place of the part in the text.
        public let range: Range<String.Index>
        /// The problem of the part.
        public let problem: AddressProblem
    }
}

extension EmailAddress {
    /// Reads the addresses in a text that a person has typed or pasted.
    ///
    /// They are separated by commas, semicolons or line breaks, those of other scripts too, and can be without a
    /// separator after `>` and between bare addresses. Each is bare (`bob@example.org`), in angle brackets, with a name
    /// before it (with quotation marks or without), or with a name after it in parentheses. Groups
    /// (`Team: anna@example.com, bob@example.org;`, RFC 5322, section 3.4) and lines such as `To: anna@example.com` are
    /// their members; those of a line `Bcc:` are unreadable (``AddressProblem/blindCopy``), unless the field is for
    /// blind copies. `mailto:`, quotation marks and invisible characters around an address are removed, as are the
    /// brackets of `[mailto:bob@example.org]`. Where semicolons separate, a comma can be part of a name.
    ///
    /// Time is linear in the length of the text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isForBlindCopies: Whether the addresses are for a field that the other recipients don't see.
    public static func read(_ text: String, isForBlindCopies: Bool = false) -> TypedAddresses {
        var reader = AddressReader(text, isForBlindCopies: isForBlindCopies)
        return reader.run()
    }

    /// The name and the address as they are typed, in one line: `Bob Ärmel <bob@example.org>`. The name is in quotation
    /// marks where it has to be.
    ///
    /// ``read(_:isForBlindCopies:)`` returns the same address, if it is valid; without control characters and without
    /// spaces around the name.
    public var typedText: String {
        let name = PlainCharacters.line(name ?? "", maxLength: AddressReader.maxNameLength)
        guard !name.isEmpty, name != email else { return email }
        guard AddressDelimiters.needsQuotes(name) else { return "\(name) <\(email)>" }
        let escaped = name.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        return "\"\(escaped)\" <\(email)>"
    }

    /// Returns addresses as they are typed, with commas between them.
    public static func typedText(of addresses: [EmailAddress]) -> String {
        addresses.map(\.typedText).joined(separator: ", ")
    }
}
