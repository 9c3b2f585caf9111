package import GRDB

/// A write transaction: the database, and the one time that counts as now within it.
package struct StoreWriter {
    package let db: Database
    /// In milliseconds.
    package let now: Int

    /// The number of this transaction, for rows that it changes. Observers ask for the rows after the last that they
    /// saw.
    ///
    /// Counted on by the first who asks.
    package func nextRevision() throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: "UPDATE store SET revision = revision + 1 RETURNING revision")) ?? 0
    }

    /// Derives records again whose sources have changed.
    func derive(_ types: [RecordType]) throws {
        for type in types { try type.derive?(self) }
    }

    /// Gives light rows the phase that they have now.
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

    /// Gives rows whose phase changes with time the one that they have now, and removes provisional ones whose time is
    /// up.
    func advance(_ types: [RecordType]) throws {
        for type in types where type.due != nil {
            try removeOutdated(type)
            if type.outline != nil { try advanceOutline(type) }
            let (phase, due) = (type.phase.rule(), type.dueRule.rule())
            // What stays due as it is hasn't changed.
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
