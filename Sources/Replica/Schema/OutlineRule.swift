/// The outline of a type: a row with few columns for each record that the server has and this device doesn't hold, so
/// that the whole collection can be counted and written to.
///
/// It requires a server of this package, with two methods of the type: `counts` and `outline`.
package struct OutlineRule: Sendable {
    /// The names of an outline row's columns, besides the id: all columns that the rules of phase, counts and retention
    /// refer to.
    package let columns: [String]
    /// The column by which records are sorted, such as the delivery time.
    package let order: String
    /// The type's bulk write; nil if it has none.
    package let bulk: BulkRule?
    /// The columns of further indexes on outline rows, each followed by its condition, for queries that match few rows.
    package let indexes: [String]

    package init(columns: [String], order: String, bulk: BulkRule? = nil, indexes: [String] = []) {
        self.columns = columns
        self.order = order
        self.bulk = bulk
        self.indexes = indexes
    }
}

/// A write that reaches many records without naming them, such as "mark all read". It is one pending write, regardless
/// of the number of records.
package struct BulkRule: Sendable {
    /// The argument of `/set` that contains the write, and the path of its pending entry.
    package let argument: String
    /// The member of the response that contains the write's result: an object with `after`, which is null if nothing
    /// remains to be done.
    package let result: String
    /// The writable date columns that the write sets in each record that it reaches, if they are null. The first is
    /// null in each such record. The rules of phase and due refer to none of them.
    package let columns: [String]
    /// The condition of the records that the write reaches. It excludes records whose first column isn't null.
    package let condition: String
    /// The column to one of whose values the write can be limited.
    package let scope: String

    package init(argument: String, result: String, columns: [String], condition: String, scope: String) {
        self.argument = argument
        self.result = result
        self.columns = columns
        self.condition = condition
        self.scope = scope
    }
}

extension RecordType {
    /// The name of the table of outline rows.
    package var outlineTable: String { table + "Outline" }

    /// The columns of an outline row, besides the id.
    var outlineColumns: [RecordColumn] {
        guard let outline else { return [] }
        return outline.columns.compactMap(column)
    }

    /// The tables that can contain a row for a record: the type's own, and that of its outline rows.
    var rowTables: [String] { outline == nil ? [table] : [table, outlineTable] }
}
