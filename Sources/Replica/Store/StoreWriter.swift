package import GRDB

/// A write transaction: the database, and the time that is used as the present within the transaction.
package struct StoreWriter {
    package let db: Database
    /// The time of the transaction, in milliseconds.
    package let now: Int
    /// The documents that the transaction has stored.
    package let storedDocuments = StoredDocuments()

    /// Increments the store's revision and returns it, for the rows that the transaction changes next.
    ///
    /// Observers request the rows with a later revision than the last that they read.
    package func nextRevision() throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: "UPDATE store SET revision = revision + 1 RETURNING revision")) ?? 0
    }

    /// Derives again the records whose sources have changed.
    func derive(_ types: TypeList) throws {
        guard let sql = types.firstToDerive else { return }
        // Most tables of changes are empty: they are looked at by one statement together.
        let select = try db.cachedStatement(sql: sql)
        var start = 0
        while let index = try Int.fetchOne(select, arguments: ["start": start]) {
            try types.all[index].derive?(self)
            start = index + 1
        }
    }

    /// Updates the phase of due outline rows.
    private func advanceOutline(_ type: RecordType) throws {
        let table = "\"\(type.outlineTable)\""
        let select = try db.cachedStatement(sql: "SELECT 1 FROM \(table) WHERE due IS NOT NULL AND due <= ? LIMIT 1")
        guard try Int.fetchOne(select, arguments: [now]) != nil else { return }
        try db.cachedStatement(
            sql: """
                UPDATE \(table) SET phase = \(type.phase.rule()), due = \(type.dueRule.rule())
                    WHERE due IS NOT NULL AND due <= :now
                """
        ).execute(arguments: ["now": now])
    }

    /// Updates the phase of due rows, and removes expired provisional rows.
    func advance(_ types: TypeList) throws {
        for type in types.due {
            try removeExpired(type)
            if type.outline != nil { try advanceOutline(type) }
            let (phase, due) = (type.phase.rule(), type.dueRule.rule())
            // A row whose phase and due time stay the same hasn't changed.
            let condition = "due IS NOT NULL AND due <= :now AND (phase IS NOT (\(phase)) OR due IS NOT (\(due)))"
            let select = try db.cachedStatement(sql: "SELECT 1 FROM \"\(type.table)\" WHERE \(condition) LIMIT 1")
            guard try Int.fetchOne(select, arguments: ["now": now]) != nil else { continue }
            let revision = try nextRevision()
            try db.cachedStatement(
                sql: """
                    UPDATE "\(type.table)" SET phase = \(phase), due = \(due), revision = :revision WHERE \(condition)
                    """
            ).execute(arguments: ["now": now, "revision": revision])
        }
    }
}

/// A hook for tests, called at each moment of a write. An error that it throws ends the write there, as the end of the
/// process or a full disk would.
package typealias WriteHook = @Sendable (WriteMoment) throws -> Void

/// The moments of a write. A process may end between two of them.
package enum WriteMoment: Hashable, Sendable, CaseIterable {
    /// Nothing has been written.
    case begins
    /// Everything is written and nothing is committed. An error here rolls the write back.
    case commits
    /// The write is durable, and no observer is notified yet.
    case isCommitted
}
