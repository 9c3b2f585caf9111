import Replica

extension RecordGroups {
    /// Mails belong together by their threads (RFC 8621 §3).
    static let threads = RecordGroups(
        column: "threadId",
        type: "Thread",
        members: "emailIds",
        collapse: "collapseThreads",
        resolve: ServerFilter.resolve
    )
}
