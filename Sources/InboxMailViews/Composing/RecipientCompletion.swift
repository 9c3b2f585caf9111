public import InboxMail

/// A completion of a typed recipient: a person, or a group of people.
public struct RecipientCompletion: Hashable, Sendable {
    /// The name to show, in one line: that of the group, or of the person, whose address it is if there is no name.
    public let name: String
    /// The line below the name: the person's address, or the names of the group's first members. Empty if the name is
    /// the address.
    public let detail: String
    /// The recipients that it stands for: one person, or the members of a group.
    public let addresses: [EmailAddress]

    /// The maximum number of members in the ``detail`` of a group.
    private static let shownMembers = 5

    /// Creates the completion for a person.
    public init(_ person: EmailAddress) {
        addresses = [person]
        let name = person.name ?? ""
        (self.name, detail) = name.isEmpty ? (person.displayEmail, "") : (name, person.displayEmail)
    }

    /// Creates the completion for a group.
    ///
    /// - Parameters:
    ///   - group: The name of the group.
    ///   - members: The members, in the order in which they become recipients.
    public init(group: String, members: [EmailAddress]) {
        (name, addresses) = (group, members)
        let shown = members.prefix(Self.shownMembers).map { member in
            member.name.flatMap { $0.isEmpty ? nil : $0 } ?? member.displayEmail
        }
        detail = (shown + (members.count > shown.count ? ["…"] : [])).joined(separator: ", ")
    }

    init(_ completion: MailCompletion) {
        switch completion {
        case .contact(let contact): self.init(contact.address)
        case .group(let group): self.init(group: group.name, members: group.members)
        }
    }
}
