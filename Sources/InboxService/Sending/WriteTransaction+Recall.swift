import GRDB

extension WriteTransaction {
    /// Takes a message back: it is destroyed in each inbox that showed it, never appears where it waited, and its
    /// content is erased. One that has expired only loses its content.
    ///
    /// - Returns: Whether there was such a message that hadn't been recalled.
    package func recall(_ id: MessageID) throws -> Bool {
        let isStored: Int? = try db.value("SELECT 1 FROM message WHERE id = ? AND content <> ''", [id.rawValue])
        guard isStored != nil else { return false }
        try take(id)
        try db.run("UPDATE message SET content = '' WHERE id = ?", [id.rawValue])
        return true
    }
}
