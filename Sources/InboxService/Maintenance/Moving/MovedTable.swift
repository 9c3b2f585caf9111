#if PostgreSQL
    /// A column that both databases have, or that one of them computes.
    struct MovedColumn: Hashable, Sendable {
        /// The type: `INTEGER` on SQLite for the first three, and `bigint`, `smallint`, `boolean` on PostgreSQL; `TEXT`
        /// and `text`; `BLOB` and `bytea`.
        enum Kind: Hashable, Sendable {
            case integer, small, flag, text, bytes
        }

        let name: String
        let kind: Kind
        /// The column's name on SQLite.
        var sqlite: String
        /// The expression that PostgreSQL computes it by, of the table `t`. Nil if it is a column there.
        var postgres: String?
        /// Whether it is a column of the table on PostgreSQL, also where it is read by an expression.
        var isOnPostgres = true

        init(_ name: String, _ kind: Kind, sqlite: String? = nil) {
            (self.name, self.kind, self.sqlite) = (name, kind, sqlite ?? name)
        }

        static func integer(_ name: String) -> MovedColumn { MovedColumn(name, .integer) }
        static func small(_ name: String) -> MovedColumn { MovedColumn(name, .small) }
        static func flag(_ name: String) -> MovedColumn { MovedColumn(name, .flag) }
        static func text(_ name: String) -> MovedColumn { MovedColumn(name, .text) }
        static func bytes(_ name: String) -> MovedColumn { MovedColumn(name, .bytes) }

        /// Returns the column with an expression for its value on PostgreSQL, where it is stored in several rows.
        func computed(_ postgres: String, isStored: Bool = true) -> MovedColumn {
            var column = self
            (column.postgres, column.isOnPostgres) = (postgres, isStored)
            return column
        }

        /// The name on PostgreSQL, which folds names to lower case.
        var postgresName: String { name.lowercased() }
    }

    /// A table to move: its name, its columns and the key by which it is ordered, counted and compared.
    ///
    /// Everything about a table that a move does is derived from it, in both directions.
    struct MovedTable: Hashable, Sendable {
        let name: String
        /// The columns, those of the key first.
        let columns: [MovedColumn]
        /// The number of columns in the key. No two rows have the same key, and SQLite has an index of its order.
        let keyCount: Int
        /// The table on SQLite. Another name than ``name`` is that of a table of which these are columns, so that there
        /// is nothing to write.
        var sqlite: String
        /// Whether PostgreSQL has several rows with one key, which are summed.
        var isGrouped = false
        /// The rows of PostgreSQL that are moved, as a condition on the table `t`. Nil for all.
        var condition: String?
        /// The number of rows that are fetched from PostgreSQL at once, so that they take a few megabytes at most.
        var rowsAtOnce = 1_000

        init(_ name: String, key: [MovedColumn], _ columns: [MovedColumn] = [], sqlite: String? = nil) {
            (self.name, keyCount, self.sqlite) = (name, key.count, sqlite ?? name)
            self.columns = key + columns
        }

        /// Returns the table with rows that are up to a message's size, 1 MB.
        var large: MovedTable { fetched(16) }

        /// Returns the table with another number of rows that are fetched at once.
        func fetched(_ count: Int) -> MovedTable {
            var table = self
            table.rowsAtOnce = count
            return table
        }

        /// Returns the table whose rows PostgreSQL has in slots.
        var grouped: MovedTable {
            var table = self
            table.isGrouped = true
            return table
        }

        /// Returns the table with some of PostgreSQL's rows.
        func only(_ condition: String) -> MovedTable {
            var table = self
            table.condition = condition
            return table
        }

        /// Whether the rows are stored on SQLite: otherwise they are columns of another table.
        var isOnSQLite: Bool { sqlite == name }

        var key: ArraySlice<MovedColumn> { columns.prefix(keyCount) }

        /// The columns that PostgreSQL stores, by their places.
        var postgresColumns: [Int] { columns.indices.filter { columns[$0].isOnPostgres } }

        var postgresName: String { name.lowercased() }

        // MARK: SQL

        /// Returns the statement that reads the rows of SQLite in the order of the key.
        ///
        /// - Parameter isContinued: Whether its parameters are a key behind which it begins.
        func sqliteSelect(isContinued: Bool) -> String {
            let names = key.map { "\"\($0.sqlite)\"" }.joined(separator: ", ")
            let places = key.map { _ in "?" }.joined(separator: ", ")
            return "SELECT " + columns.map { "\"\($0.sqlite)\"" }.joined(separator: ", ") + " FROM \"\(sqlite)\""
                + (isContinued ? " WHERE (\(names)) > (\(places))" : "") + " ORDER BY \(names)"
        }

        var sqliteCount: String { "SELECT count(*) FROM \"\(sqlite)\"" }

        var sqliteInsert: String {
            let names = columns.map { "\"\($0.sqlite)\"" }.joined(separator: ", ")
            return "INSERT INTO \"\(name)\" (\(names)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
        }

        /// Returns the statement that reads the rows of PostgreSQL in the order of the key.
        ///
        /// - Parameter isContinued: Whether its parameters are a key behind which it begins.
        func postgresSelect(isContinued: Bool) -> String {
            let values = columns.map { $0.postgres ?? "t.\"\($0.postgresName)\"" }.joined(separator: ", ")
            return "SELECT \(values)" + postgresRows(isContinued: isContinued) + " ORDER BY \(postgresKey)"
        }

        var postgresCount: String {
            "SELECT count(*) FROM (SELECT \(postgresKey)\(postgresRows(isContinued: false))) AS moved"
        }

        private var postgresKey: String { key.map { "t.\"\($0.postgresName)\"" }.joined(separator: ", ") }

        private func postgresRows(isContinued: Bool) -> String {
            let places = (1...keyCount).map { "$\($0)" }.joined(separator: ", ")
            let conditions = [condition, isContinued ? "(\(postgresKey)) > (\(places))" : nil].compactMap { $0 }
            return " FROM \"\(postgresName)\" AS t"
                + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
                + (isGrouped ? " GROUP BY \(postgresKey)" : "")
        }

        // MARK: Rows

        /// Returns the key of a row as an operator finds the row by it.
        func name(of row: MovedRow) -> String {
            let values = zip(key, row).map { "\($0.name) \($1)" }.joined(separator: ", ")
            return "\(name) (\(values))"
        }

        /// Verifies that PostgreSQL can store a row of SQLite, exactly.
        ///
        /// - Throws: ``MaintenanceError`` that names the table, the key and the column of a value that it can't store.
        func checkForPostgres(_ row: MovedRow) throws(MaintenanceError) {
            for (column, value) in zip(columns, row) {
                guard let problem = column.problem(with: value) else { continue }
                throw MaintenanceError(
                    "\(name(of: row)), column \(column.name): \(problem). Change it in the SQLite file with a backup "
                        + "at hand, and run the command again: it goes on where it was."
                )
            }
        }
    }

    extension MovedColumn {
        /// Returns why PostgreSQL can't store a value, or nil if it can.
        fileprivate func problem(with value: MovedValue) -> String? {
            switch (kind, value) {
            case (_, .null), (.integer, .integer), (.bytes, .bytes): return nil
            case (.small, .integer(let number)):
                return Int16(exactly: number) == nil ? "\(number) isn't in the column's range" : nil
            case (.flag, .integer(let number)):
                return (0...1).contains(number) ? nil : "\(number) is neither 0 nor 1"
            case (.text, .text(let bytes)):
                if bytes.contains(0) { return "the text contains U+0000, which PostgreSQL can't store" }
                // Decoding replaces what isn't UTF-8.
                return String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes) ? nil : "the text isn't UTF-8"
            default: return "the value has another type than the column"
            }
        }
    }
#endif
