import GRDB
import MailComposing
import Replica

extension DraftRequests.Context {
    /// Reads where drafts are and who sends; nil before the mailboxes are on this device.
    ///
    /// - Parameters:
    ///   - draft: The draft whose sender is chosen.
    ///   - sender: The app's name and address for an identity that has none.
    ///   - user: The name with which the person signs in.
    init?(
        _ db: Database,
        account: String,
        for draft: DraftText,
        sender: EmailAddress?,
        user: String
    ) throws {
        func mailbox(_ role: Mailbox.Role) throws -> String? { try StoreQuery(roles: [role]).fetch(db).first?.id }
        guard let drafts = try mailbox(.drafts) ?? mailbox(.inbox) ?? StoreQuery(Query(), .mailbox).fetch(db).first?.id
        else { return nil }
        let choice = SenderChoice(
            draft,
            try db.identities(),
            fallback: Database.fallbackSender(sender, user: user),
            areFetched: try db.syncPosition(.identity)?.hasSynced ?? false
        )
        self.init(
            account: account,
            draftsMailbox: drafts,
            sentMailbox: try mailbox(.sent),
            trashMailbox: try mailbox(.trash),
            sender: choice,
            domain: choice.from?.asciiDomain?.nonEmpty ?? "localhost",
            countsSubmissions: try db.setting(Self.countingSetting) != nil
        )
    }

    static let countingSetting = "mail counts submissions"
}

extension StoreWriter {
    /// Stores whether the server changes the state of submissions with one.
    func set(countsSubmissions: Bool) throws {
        try set(setting: DraftRequests.Context.countingSetting, to: countsSubmissions ? "1" : nil)
    }
}

extension Database {
    /// Returns the names and addresses with which the person may send. Values that the server doesn't provide come from
    /// the app.
    func identities(sender: EmailAddress?, user: String) throws -> [MailIdentity] {
        let fallback = Self.fallbackSender(sender, user: user)
        return try identities().map { identity in
            guard identity.email.isEmpty, let fallback else { return identity }
            var complete = identity
            complete.name = identity.name.nonEmpty ?? fallback.name ?? ""
            complete.email = fallback.email
            return complete
        }
    }

    /// Returns the name and address for an identity that has none; nil if they aren't known.
    fileprivate static func fallbackSender(_ sender: EmailAddress?, user: String) -> EmailAddress? {
        sender ?? (user.contains("@") ? EmailAddress(email: user) : nil)
    }
}
