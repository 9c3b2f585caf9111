#if PostgreSQL
    import Crypto
    import Foundation
    import GRDB
    import Groundwork

    /// A database from which or into which a move goes, as the move sees it.
    protocol MoveDatabase: AnyObject {
        /// The database as an operator knows it, without a password.
        var name: String { get }
        /// The statements that are few and the same for both databases.
        var db: SQLConnection { get }

        /// Returns the number of rows of a table.
        func count(_ table: MovedTable) throws -> Int

        /// Returns the rows of a table behind a key, in the order of the key. One table is read at a time.
        ///
        /// - Parameter key: Nil for all rows.
        func rows(of table: MovedTable, after key: [MovedValue]?) throws -> any MovedRows

        /// Notes in a source that it was moved, if servers of it may be running unseen.
        ///
        /// - Parameter target: The name of the other database.
        func noteMoved(to target: String) throws
    }

    /// A database into which a move goes.
    protocol MoveTarget: MoveDatabase {
        /// Whether rows of the table are written. Otherwise they are columns of another table there.
        func stores(_ table: MovedTable) -> Bool

        /// Whether it stores a number unchanged. Otherwise the number is derived from moved rows.
        func keeps(_ number: MovedNumber) -> Bool

        /// Verifies that a row can be stored unchanged.
        ///
        /// - Throws: ``MaintenanceError`` that names the row and the column.
        func check(_ row: MovedRow, of table: MovedTable) throws

        /// Creates the tables, if it has none.
        ///
        /// - Parameter mark: Makes the mark in the open transaction that creates the first table. It isn't called if
        ///   there are tables.
        /// - Throws: ``MaintenanceError`` if it has rows that aren't of an unfinished move.
        func prepare(_ mark: () throws -> Void) throws

        /// Inserts rows in an open transaction.
        ///
        /// - Parameter body: Appends the rows.
        func insert(into table: MovedTable, _ body: (_ append: (MovedRow) throws -> Void) throws -> Void) throws

        /// Runs a transaction.
        func transaction(_ body: () throws -> Void) throws

        /// Runs reads of one snapshot.
        func reading(_ body: () throws -> Void) throws

        /// Updates the statistics of the query planner, once after many rows were inserted.
        func updateStatistics() throws

        /// Verifies the conditions that involve several rows or tables.
        ///
        /// - Throws: ``MaintenanceError`` that names the condition that isn't met.
        func checkAll() throws

        /// Makes the database a server's, in an open transaction that removes the mark.
        func finish() throws
    }

    extension MoveDatabase {
        /// Returns the fingerprint by which a resumed move recognizes its source: a hash of its version, its settings
        /// with the key that signs tokens, its counters, and the numbers of rows and of changes.
        ///
        /// It detects most changes at once. The comparison at the end detects all of them.
        ///
        /// - Parameter counts: The numbers of rows by table.
        func fingerprint(_ counts: [String: Int]) throws -> String {
            var hash = SHA256()
            func add(_ text: String) { hash.update(data: Data((text + "\n").utf8)) }
            for name in Schema.migrator.migrations + PostgresSchema.migrations.map(\.name) { add(name) }
            for (table, count) in counts.sorted(by: { $0.key < $1.key }) { add("\(table) \(count)") }
            for table in MovedTable.all where ["setting", "counter"].contains(table.name) {
                let rows = try rows(of: table, after: nil)
                while let row = try rows.next() {
                    for value in row {
                        switch value {
                        case .text(let bytes), .bytes(let bytes): add(bytes.hexadecimal)
                        default: add(value.description)
                        }
                    }
                }
            }
            for sql: SQLText in [
                "SELECT coalesce(CAST(sum(sequence) AS bigint), 0) FROM person",
                "SELECT coalesce(max(id), 0) FROM message", "SELECT coalesce(max(id), 0) FROM audit",
            ] {
                add("\(try db.value(sql, isRare: true) ?? 0)")
            }
            return hash.finalize().hexadecimal
        }
    }
#endif
