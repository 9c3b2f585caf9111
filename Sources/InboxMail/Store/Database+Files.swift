import GRDB
import Replica

extension Database {
    /// Whether there are mails whose files aren't listed yet.
    func hasUnlistedFiles() throws -> Bool {
        try Bool.fetchOne(cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM unlistedFiles)")) ?? false
    }

    /// Returns the ids of the mails whose files aren't listed yet, newest first.
    func mailsWithUnlistedFiles(limit: Int) throws -> [String] {
        try String.fetchAll(
            cachedStatement(
                sql: """
                    SELECT email.\(RecordTable.id)
                        FROM unlistedFiles JOIN email ON email.\(RecordTable.id) = unlistedFiles.id
                        ORDER BY email.receivedAt DESC, email.\(RecordTable.id) DESC LIMIT ?
                    """
            ),
            arguments: [limit]
        )
    }

    /// Returns the ids, of those given, of the mails that have files.
    func mailsWithFiles(among ids: [String]) throws -> Set<String> {
        let select = try cachedStatement(
            sql: "SELECT 1 FROM email WHERE \(RecordTable.id) = ? AND hasAttachment"
        )
        return Set(try ids.filter { try Int.fetchOne(select, arguments: [$0]) != nil })
    }
}
