import Foundation
import Groundwork
import JMAP
public import MailComposing

/// A collection of mail that a person can access with one sign-in (RFC 8620, section 1.6.2): their own, or one that
/// others share with them.
public struct MailAccount: Hashable, Identifiable, Sendable {
    /// The server's id, for ``Mail/open(server:credentials:account:directory:scope:configuration:)``.
    public let id: String
    /// The server's name for the account, such as an address. It may be empty.
    public let name: String
    /// Whether the account is the person's own, and not shared with them.
    public let isPersonal: Bool
    /// Whether the account is read-only.
    public let isReadOnly: Bool
    /// Whether the account is opened if none is named.
    public let isPrimary: Bool
}

extension MailAccount {
    /// Returns the accounts with mail in a session: the primary one, then the person's own, then the others, each by
    /// name.
    static func list(_ session: Session, primary: String?) -> [MailAccount] {
        session.accounts.filter { $0.value.accountCapabilities[MailCapability.mail] != nil }
            .map { id, account in
                MailAccount(
                    id: id,
                    name: account.name,
                    isPersonal: account.isPersonal,
                    isReadOnly: account.isReadOnly,
                    isPrimary: id == primary
                )
            }
            .sorted { left, right in
                if left.isPrimary != right.isPrimary { return left.isPrimary }
                if left.isPersonal != right.isPersonal { return left.isPersonal }
                return (left.name, left.id) < (right.name, right.id)
            }
    }

    /// The JSON that is stored for when the server can't be reached.
    var json: JSON {
        [
            "id": .string(id), "name": .string(name), "isPersonal": .bool(isPersonal), "isReadOnly": .bool(isReadOnly),
            "isPrimary": .bool(isPrimary),
        ]
    }

    init?(_ json: JSON) {
        guard let id = json["id"]?.stringValue else { return nil }
        self.id = id
        name = json["name"]?.stringValue ?? ""
        isPersonal = json["isPersonal"]?.boolValue ?? true
        isReadOnly = json["isReadOnly"]?.boolValue ?? false
        isPrimary = json["isPrimary"]?.boolValue ?? false
    }
}

/// A name and address with which the person may send (RFC 8621, section 6).
public struct MailIdentity: Hashable, Identifiable, Sendable {
    /// The server's id.
    public let id: String
    /// The sender's name.
    public internal(set) var name: String
    /// The address; empty if the server doesn't provide it.
    public internal(set) var email: String
    /// The addresses for replies to its mails that have none of their own; empty for the sender's.
    public let replyTo: [EmailAddress]
    /// The recipients of a blind copy of each of its mails. The app adds them to a new draft, so that the person sees
    /// them.
    public internal(set) var bcc: [EmailAddress] = []
    /// The signature below a mail's text; empty for none. The app puts it into a new draft.
    public internal(set) var textSignature = ""
    /// The signature below a mail's HTML, which isn't cleaned; empty for none. The app puts it into a new draft.
    public internal(set) var htmlSignature = ""

    init(id: String, name: String, email: String, replyTo: [EmailAddress] = []) {
        (self.id, self.name, self.email, self.replyTo) = (id, name, email, replyTo)
    }
}
