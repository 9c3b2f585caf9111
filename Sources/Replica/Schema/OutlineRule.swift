/// The outline of a type: a light row for each record that the server has and this device doesn't hold, so that the
/// whole collection is counted and can be written to.
///
/// For a server of ours, by two methods of the type: `counts` and `outline`.
package struct OutlineRule: Sendable {
    /// The names of the columns that a light row has, besides the id: all that the rules of phase, counts and retention
    /// speak of.
    package let columns: [String]
    /// The column that orders the newest records, such as the time of delivery.
    package let order: String
    /// The write that reaches records without naming them; nil where the type has none.
    package let bulk: BulkRule?
    /// The columns of further indexes of the light rows, each with its condition, for queries that many rows don't
    /// pass.
    package let indexes: [String]

    package init(columns: [String], order: String, bulk: BulkRule? = nil, indexes: [String] = []) {
        self.columns = columns
        self.order = order
        self.bulk = bulk
        self.indexes = indexes
    }
}

/// A write that reaches many records without naming them, such as "mark all read". It is one pending write, whatever
/// the number of records.
package struct BulkRule: Sendable {
    /// The argument of `set` that carries it, and the path of its pending entry.
    package let argument: String
    /// The member of the answer that says what became of it: an object with `after`, null where nothing is left to do.
    package let result: String
    /// The writable date columns that it sets in each record that it reaches, where they are null. The first is null in
    /// each such record. None of them is spoken of by the rules of phase and due.
    package let columns: [String]
    /// Which records it reaches, as a rule over a row; a record whose first column isn't null is never reached.
    package let condition: String
    /// The column to one value of which it may be limited.
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
    /// The table of its light rows.
    package var outlineTable: String { table + "Outline" }

    /// The columns of a light row, besides the id.
    var outlineColumns: [RecordColumn] {
        guard let outline else { return [] }
        return outline.columns.compactMap(column)
    }

    /// The tables that have a row of a record: its own, and that of the light rows.
    var rowTables: [String] { outline == nil ? [table] : [table, outlineTable] }
}
