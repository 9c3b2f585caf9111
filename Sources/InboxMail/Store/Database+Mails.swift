import Foundation
import GRDB
import Groundwork
import MailComposing
import Replica

extension Database {
    /// Returns the names and addresses with which the person may send.
    func identities() throws -> [MailIdentity] {
        try Row.fetchAll(
            cachedStatement(
                sql: "SELECT \(RecordTable.id), name, email, \(RecordTable.json) FROM identity ORDER BY rowid"
            )
        ).map { row in
            let json = try? JSON(parsing: Array(row[3] as Data))
            let replyTo = EmailAddress.list(json?["replyTo"])
            var identity = MailIdentity(id: row[0], name: row[1], email: row[2], replyTo: replyTo)
            identity.bcc = EmailAddress.list(json?["bcc"])
            identity.textSignature = json?["textSignature"]?.stringValue ?? ""
            identity.htmlSignature = json?["htmlSignature"]?.stringValue ?? ""
            return identity
        }
    }

    /// Returns the ids of a thread's mails, oldest first.
    func messageIDs(inThread id: String) throws -> [String] {
        try StoreQuery(inThread: id).fetch(self).map(\.id)
    }

    /// Returns the ids of a thread's mails that lack a keyword.
    func messageIDs(inThread id: String, without keyword: String) throws -> [String] {
        try StoreQuery(inThread: id).fetch(self).filter { !$0.keywords.contains(keyword) }.map(\.id)
    }

    /// Returns the id of the latest received mail of a thread. Without one, it is the latest sent mail, then the latest
    /// in trash or junk, then the latest draft.
    func latestReceived(inThread id: String) throws -> String? {
        let roles = try MailboxRoles(self)
        let sent = try StoreQuery(roles: [.sent]).fetch(self).map(\.id)
        /// The rank of a mail. The lowest rank is the best match.
        func distance(_ mail: MailMessage) -> Int {
            let places = mail.mailboxIDs
            if mail.isDraft { return 3 }
            if !places.isEmpty, places.allSatisfy(roles.uncountedMailboxes.contains) { return 2 }
            return places.contains(where: sent.contains) ? 1 : 0
        }
        return try StoreQuery(inThread: id, .reverse).fetch(self).map { (id: $0.id, distance: distance($0)) }
            .min { $0.distance < $1.distance }?.id
    }

    func mailboxes(ofMessage id: String) throws -> MemberSet {
        MemberSet(try StoreQuery(Query(where: #Predicate { $0.id == id }), .email).fetch(self).first?.mailboxIDs ?? [])
    }
}
