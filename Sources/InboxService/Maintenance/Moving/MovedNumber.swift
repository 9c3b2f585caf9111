#if PostgreSQL
    /// The greatest number that a table has given to a row: a later row has a greater one, also where the row with it
    /// was erased.
    struct MovedNumber: Hashable, Sendable {
        let table: String
        /// PostgreSQL's sequence.
        let sequence: String
        /// SQLite's statement for it.
        let sqlite: String
        /// Whether SQLite keeps it in `sqlite_sequence`. Otherwise it follows from rows that are moved.
        var isKept = false
        /// PostgreSQL's column with the numbers.
        var column = "id"

        static let all = [
            MovedNumber(
                table: "person",
                sequence: "personnumber",
                sqlite: """
                    SELECT max(coalesce((SELECT max(id) FROM person), 0),
                        coalesce((SELECT value FROM counter WHERE name = 'erasedPerson'), 0))
                    """
            ),
            greatest("apiKey", "id", sequence: "apikey_id_seq"),
            greatest("audit", "id", sequence: "audit_id_seq"),
            greatest("blob", "rowid", sequence: "blobnumber", column: "number"),
            kept("webhook", sequence: "webhook_id_seq"),
            kept("outbox", sequence: "outboxnumber"),
        ]

        private static func greatest(
            _ table: String,
            _ rowid: String,
            sequence: String,
            column: String = "id"
        ) -> MovedNumber {
            MovedNumber(
                table: table,
                sequence: sequence,
                sqlite: "SELECT coalesce(max(\(rowid)), 0) FROM \(table)",
                column: column
            )
        }

        private static func kept(_ table: String, sequence: String) -> MovedNumber {
            MovedNumber(
                table: table,
                sequence: sequence,
                sqlite: "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = '\(table)'",
                isKept: true
            )
        }

        /// Returns the greatest number, or 0 if none was given.
        func read(in db: SQLConnection) throws -> Int {
            let postgres = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM \(sequence)"
            return try db.value(SQLText(sqlite: sqlite, postgres: postgres), isRare: true) ?? 0
        }

        /// Sets the greatest number, after the rows were moved.
        func set(_ number: Int, in db: SQLConnection) throws {
            guard case .sqlite = db else {
                _ =
                    try db.value(
                        "SELECT setval(?::regclass, ?, ?)",
                        [sequence, max(1, number), number > 0],
                        isRare: true
                    ) as Int?
                return
            }
            guard isKept else { return }
            try db.run("DELETE FROM sqlite_sequence WHERE name = ?", [table])
            if number > 0 { try db.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [table, number]) }
        }
    }
#endif
