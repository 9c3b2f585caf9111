import GRDB
import MailComposing
import Replica

extension DraftRequests.Context {
    /// Reads where drafts are and who sends; nil before the mailboxes are on this device.
    ///
    /// - Parameters:
    ///   - identity: The id of the identity to use; nil for the default one.
    ///   - sender: The app's name and address for an identity that has none.
    ///   - user: The name with which the person signs in.
    init?(
        _ db: Database,
        account: String,
        identity: String?,
        sender: EmailAddress?,
        user: String
    ) throws {
        func mailbox(_ role: Mailbox.Role) throws -> String? { try StoreQuery(roles: [role]).fetch(db).first?.id }
        guard let drafts = try mailbox(.drafts) ?? mailbox(.inbox) ?? StoreQuery(Query(), .mailbox).fetch(db).first?.id
        else { return nil }
        let identities = try db.identities(sender: sender, user: user)
        let chosen = identities.first { $0.id == identity } ?? identities.first
        self.init(
            account: account,
            draftsMailbox: drafts,
            sentMailbox: try mailbox(.sent),
            trashMailbox: try mailbox(.trash),
            identity: chosen,
            domain: (chosen.flatMap { EmailAddress(email: $0.email).asciiDomain })?.nonEmpty ?? "localhost"
        )
    }
}

extension Database {
    /// Returns the names and addresses with which the person may send. What the server doesn't provide comes from the
    /// app.
    func identities(sender: EmailAddress?, user: String) throws -> [MailIdentity] {
        let fallback = sender ?? (user.contains("@") ? EmailAddress(email: user) : nil)
        return try identities().map { identity in
            guard identity.email.isEmpty, let fallback else { return identity }
            let name = identity.name.nonEmpty ?? fallback.name ?? ""
            return MailIdentity(id: identity.id, name: name, email: fallback.email)
        }
    }
}
