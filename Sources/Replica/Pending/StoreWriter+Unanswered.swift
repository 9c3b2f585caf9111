import GRDB
import Groundwork

extension StoreWriter {
    /// Settles writes that were sent without an answer, for a server that doesn't recognize repeated requests. A write
    /// whose value the fetched record already has is done. If no write is done, the batch stays sealed and is sent
    /// again unchanged. Otherwise the remaining writes are unsealed and sent in a later batch.
    func resolveUnansweredWrites(_ type: RecordType) throws {
        guard let sealed = try sealedWrites(type) else { return }
        var waiting: Set<String> = []
        for entry in sealed.entries where try !hasServerValue(type, entry) { waiting.insert(entry.id) }
        // If none of the batch was applied, it is sent again unchanged.
        guard waiting.count < Set(sealed.entries.map(\.id)).count else { return }
        try answer(type, sealed, refused: [], later: waiting)
    }

    /// Returns whether the server's value of a record is that of an entry. It is true for an entry whose record is
    /// gone: nothing remains to be sent.
    private func hasServerValue(_ type: RecordType, _ entry: PendingEntry) throws -> Bool {
        guard let (column, member) = type.writableColumn(entry.path) else { return true }
        let row = try Row.fetchOne(
            db,
            sql: "SELECT \"\(column.serverName)\" FROM \"\(type.table)\" WHERE id = ?",
            arguments: [entry.id]
        )
        guard let row else { return true }
        if let member { return MemberSet(text: row[0] ?? "").contains(member) == (entry.value == .bool(true)) }
        return row[0] as DatabaseValue == column.databaseValue(entry.value)
    }
}
