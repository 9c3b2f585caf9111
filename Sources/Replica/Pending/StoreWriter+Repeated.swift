import GRDB
import Groundwork

extension StoreWriter {
    /// Settles writes that were sent before without an answer, for a server that doesn't recognize repeated requests. A
    /// write whose value the records show since is done. The others stay sealed and are sent again.
    func settleRepeated(_ type: RecordType) throws {
        guard let sealed = try sealedWrites(type) else { return }
        var waiting: Set<String> = []
        for entry in sealed.entries where try !isServerValue(type, entry) { waiting.insert(entry.id) }
        // Where nothing of it was taken, it goes out again as it was.
        guard waiting.count < Set(sealed.entries.map(\.id)).count else { return }
        try answer(type, sealed, refused: [], later: waiting)
    }

    /// Whether the server has a record's value as an entry wants it. One of a record that is gone has nothing left to
    /// wait for.
    private func isServerValue(_ type: RecordType, _ entry: PendingEntry) throws -> Bool {
        guard let (column, member) = type.writablePlace(entry.path) else { return true }
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
