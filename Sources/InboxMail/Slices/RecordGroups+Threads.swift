import Replica

extension RecordGroups {
    /// Mails are grouped by thread (RFC 8621, section 3).
    static let threads = RecordGroups(
        column: "threadId",
        type: "Thread",
        members: "emailIds",
        collapse: "collapseThreads",
        resolve: ServerFilter.resolve
    )
}
