import Foundation
import Groundwork
import JMAP

/// One of the collections of mail that a person may reach with one sign-in (RFC 8620 §1.6.2): their own, and such as
/// others share with them. InboxKit's namespace.
public struct MailAccount: Hashable, Identifiable, Sendable {
    /// The server's id, for ``Mail/open(server:credentials:account:directory:scope:configuration:)``.
    public let id: String
    /// What the server calls it, such as an address; may be empty.
    public let name: String
    /// Whether it is the person's own, and not one that is shared with them.
    public let isPersonal: Bool
    /// Whether nothing in it can be changed.
    public let isReadOnly: Bool
    /// Whether it is the one that is opened where none is named.
    public let isPrimary: Bool
}

extension MailAccount {
    /// The accounts with mail in a session, the primary one first, then the person's own, by name.
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

    /// As it is kept for when the server can't be asked.
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
