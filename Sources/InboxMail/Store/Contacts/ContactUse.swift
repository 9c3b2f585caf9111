import Groundwork
import MailComposing
import Replica

/// An address in a mail, counted for the contacts.
struct ContactUse: Hashable {
    /// The part of the address in the mail. The numbers are stored.
    enum Kind: Int, CaseIterable {
        /// It is an author of a received mail.
        case received = 0
        /// It is a recipient of one of the account's mails.
        case written = 1
        /// It is an author of one of the account's mails, and so an address of the account.
        case authored = 2

        /// The column with the number of such uses.
        var column: String {
            switch self {
            case .received: "received"
            case .written: "written"
            case .authored: "authored"
            }
        }
    }

    let address: ContactAddress
    let kind: Kind

    /// The maximum number of authors of a mail that are counted, the first ones.
    static let maxAuthors = 10
    /// The maximum number of recipients of a mail that are counted, the first ones.
    static let maxRecipients = 100

    /// The mailboxes and addresses that decide how mails are counted.
    struct Rules {
        let roles: MailboxRoles
        /// The mailboxes with the role `sent`.
        let sent: Set<String>
        /// The account's own addresses, in the form in which addresses are compared.
        let own: Set<String>
    }

    /// Returns the uses of a mail, each address once.
    ///
    /// - Parameter text: The mail's JSON.
    static func uses(keywords: MemberSet, mailboxes: MemberSet, text: [UInt8], _ rules: Rules) -> [ContactUse] {
        let places = mailboxes.names
        guard !keywords.contains(Keyword.draft), !keywords.contains(Keyword.junk),
            places.isEmpty || !places.allSatisfy(rules.roles.uncountedMailboxes.contains)
        else { return [] }
        let details = MailDetails.Source(text: text).value
        var found: Set<String> = []
        func addresses(_ list: some Sequence<EmailAddress>, _ limit: Int) -> [ContactAddress] {
            list.prefix(limit).compactMap { ContactAddress($0) }.filter { found.insert($0.key).inserted }
        }
        let authors = addresses(details.from, maxAuthors)
        let isOwn = places.contains(where: rules.sent.contains) || authors.contains { rules.own.contains($0.key) }
        guard isOwn else { return authors.map { ContactUse(address: $0, kind: .received) } }
        let recipients = addresses([details.to, details.cc, details.bcc].joined(), maxRecipients)
        return authors.map { ContactUse(address: $0, kind: .authored) }
            + recipients.map { ContactUse(address: $0, kind: .written) }
    }
}
