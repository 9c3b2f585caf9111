import Groundwork

/// A name and address in a mail (RFC 8621, section 4.1.2.3).
public struct EmailAddress: Hashable, Sendable {
    /// The name as the sender wrote it; nil if there is none.
    public var name: String?
    /// The address, such as `anna@example.com`. It isn't validated: it may be empty, or no address at all.
    public var email: String

    /// Creates an address.
    public init(name: String? = nil, email: String) {
        self.name = name
        self.email = email
    }

    /// The text to show: the name, or the address if there is no name.
    public var displayName: String { name.flatMap { $0.isEmpty ? nil : $0 } ?? email }

    /// Whether two addresses are equal, without regard to case and name.
    public func isSame(as other: EmailAddress) -> Bool { email.lowercased() == other.email.lowercased() }
}

extension EmailAddress {
    init?(_ json: JSON) {
        guard let email = json["email"]?.stringValue else { return nil }
        self.init(name: json["name"]?.stringValue, email: email)
    }

    /// Returns the addresses of a property such as `from`; none if it is null or of another type.
    static func list(_ json: JSON?) -> [EmailAddress] { json?.arrayValue?.compactMap(EmailAddress.init) ?? [] }

    var json: JSON { ["name": name.map(JSON.string) ?? .null, "email": .string(email)] }
}
