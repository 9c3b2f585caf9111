import Groundwork

/// A name and address in a mail (RFC 8621, section 4.1.2.3).
public struct EmailAddress: Hashable, Sendable {
    /// As the sender wrote it; nil where there is none.
    public var name: String?
    /// Such as `anna@example.com`. What a mail says isn't checked: it may be empty, or no address at all.
    public var email: String

    /// Makes an address.
    public init(name: String? = nil, email: String) {
        self.name = name
        self.email = email
    }

    /// What to show: the name, else the address.
    public var displayName: String { name.flatMap { $0.isEmpty ? nil : $0 } ?? email }

    /// Whether both are the same mailbox: by the address, without regard to ASCII case.
    public func isSame(as other: EmailAddress) -> Bool { email.lowercased() == other.email.lowercased() }
}

extension EmailAddress {
    init?(_ json: JSON) {
        guard let email = json["email"]?.stringValue else { return nil }
        self.init(name: json["name"]?.stringValue, email: email)
    }

    /// The addresses of a property such as `from`; none where it is null or of another type.
    static func list(_ json: JSON?) -> [EmailAddress] { json?.arrayValue?.compactMap(EmailAddress.init) ?? [] }

    var json: JSON { ["name": name.map(JSON.string) ?? .null, "email": .string(email)] }
}
