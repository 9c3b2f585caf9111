package import Groundwork

/// A name and address in a mail (RFC 8621, section 4.1.2.3).
public struct EmailAddress: Hashable, Sendable {
    /// The name as the sender wrote it; nil if there is none.
    public var name: String?
    /// The address, such as `anna@example.com`. It isn't validated: it may be empty, or no address at all
    /// (``problem``).
    public var email: String

    /// Creates an address.
    public init(name: String? = nil, email: String) {
        self.name = name
        self.email = email
    }

    /// The text to show: the name, or the address if there is no name.
    public var displayName: String { name.flatMap { $0.isEmpty ? nil : $0 } ?? email }

    /// Whether two addresses are equal, without regard to case, name, and the form of the domain (`bücher.example`,
    /// `xn--bcher-kva.example`).
    public func isSame(as other: EmailAddress) -> Bool { key == other.key }

    /// The form in which two addresses are compared.
    package var key: String {
        if email.utf8.allSatisfy({ $0 < 0x80 }) { return email.lowercased() }
        return withASCIIDomain.lowercased().normalized
    }
}

extension EmailAddress {
    /// The part before the last `@`; the whole text if there is none. Quotation marks are part of it.
    package var localPart: Substring { email.lastIndex(of: "@").map { email[..<$0] } ?? email[...] }

    /// The part after the last `@`; nil if there is none.
    package var domain: Substring? { email.lastIndex(of: "@").map { email[email.index(after: $0)...] } }

    /// Whether the part before the `@` isn't ASCII, so that every server on the way has to support internationalized
    /// mail (RFC 6531). A domain of any script doesn't need it.
    public var needsInternationalMail: Bool { !localPart.utf8.allSatisfy { $0 < 0x80 } }

    /// The domain in ASCII (RFC 3492, RFC 5891), in lower case; nil if there is none or if it isn't a domain.
    package var asciiDomain: String? { domain.flatMap { DomainName.ascii(String($0)) } }

    /// The address with the domain in ASCII. One without a valid domain is unchanged.
    private var withASCIIDomain: String { asciiDomain.map { "\(localPart)@\($0)" } ?? email }

    /// The address as it is sent: with the domain in ASCII, and with quotation marks where the part before the `@` has
    /// full stops that aren't allowed without them, such as `foo.@example.com`. An address without a valid domain is
    /// unchanged.
    package var wireEmail: String {
        guard Self.needsQuotationMarks(localPart), let asciiDomain else { return withASCIIDomain }
        return "\"\(localPart)\"@\(asciiDomain)"
    }

    /// The address to show: with a domain such as `xn--bcher-kva.example` in its own script, unless its letters could
    /// be mistaken for those of another one.
    public var displayEmail: String { domain.map { "\(localPart)@\(DomainName.shown(String($0)))" } ?? email }
}

extension EmailAddress {
    /// Reads an `EmailAddress` object. Returns nil if it has no address.
    package init?(_ json: JSON) {
        guard let email = json["email"]?.stringValue else { return nil }
        self.init(name: json["name"]?.stringValue, email: email)
    }

    /// Returns the addresses of a property such as `from`; none if it is null or of another type.
    package static func list(_ json: JSON?) -> [EmailAddress] { json?.arrayValue?.compactMap(EmailAddress.init) ?? [] }

    /// The `EmailAddress` object, unchanged. (``wireJSON`` is that of a mail that is sent.)
    package var json: JSON { ["name": name.map(JSON.string) ?? .null, "email": .string(email)] }
}
