import Replica

extension RecordType {
    /// The types of mail for a scope.
    static func mail(_ scope: MailScope) -> [RecordType] {
        mail.map { type in
            guard scope == .slices, type.table == email.table, case .everything(let sort) = type.window else {
                return type
            }
            var type = type
            // The server's totals of a mailbox can't be compared with a part of its mails.
            type.audit = nil
            type.window = .slices(sort: sort, groups: .threads)
            return type
        }
    }
}

extension RecordGroups {
    /// Mails are grouped by thread (RFC 8621, section 3).
    static let threads = RecordGroups(
        column: "threadId",
        type: "Thread",
        members: "emailIds",
        collapse: "collapseThreads",
        resolve: { filter, db in ServerFilter.resolve(filter, inbox: try MailboxRoles(db).inbox) }
    )
}
