public import MailComposing

/// A group of people in the address books of the account's server, to which a mail can be addressed.
///
/// Groups without a name, and those of whose members none has an address, are left out.
public struct MailContactGroup: Hashable, Identifiable, Sendable {
    /// The server's id.
    public let id: String
    /// The name, in one line.
    public let name: String
    /// The members' preferred addresses, each once, by name: at most 1,000, and at least one.
    public let members: [EmailAddress]
}

/// A completion of a typed recipient: a person, or a group.
public enum MailCompletion: Hashable, Identifiable, Sendable {
    case contact(MailContact)
    case group(MailContactGroup)

    /// The id of the contact or the group, different for each of them.
    public var id: String {
        switch self {
        case .contact(let contact): "contact \(contact.id)"
        case .group(let group): "group \(group.id)"
        }
    }

    /// The text to show.
    public var displayName: String {
        switch self {
        case .contact(let contact): contact.displayName
        case .group(let group): group.name
        }
    }

    /// The recipients that it stands for.
    public var addresses: [EmailAddress] {
        switch self {
        case .contact(let contact): [contact.address]
        case .group(let group): group.members
        }
    }
}
