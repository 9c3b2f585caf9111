import GRDB

/// The definition of a record type for queries: its table, how a row is decoded, and the meaning of its key paths.
package struct QueryTable<Record: Sendable>: Sendable {
    package let type: RecordType
    /// The columns from which a record is decoded, followed by its phase.
    let selection: String
    private let phaseColumn: Int32
    private let decode: @Sendable (ColumnReader) -> Record
    package let id: @Sendable (Record) -> String
    private(set) var fields: QueryFields<Record>
    /// The order of queries that have none.
    let order: QueryOrder<Record>

    /// - Parameter names: The names of the record's computed properties, for errors.
    package init(
        _ type: RecordType,
        selection: [String],
        decode: @escaping @Sendable (ColumnReader) -> Record,
        id: @escaping @Sendable (Record) -> String,
        fields: QueryFields<Record>,
        order: [QueryOrder<Record>.Key],
        names: [PartialKeyPath<Record>: String] = [:]
    ) {
        self.type = type
        self.selection = (selection + ["phase"]).joined(separator: ", ")
        phaseColumn = Int32(selection.count)
        self.decode = decode
        self.id = id
        self.fields = fields
        self.fields.names = names
        self.order = QueryOrder(order, id: id)
    }

    /// Returns the expression of a key path.
    package func fields(_ keyPath: PartialKeyPath<Record>) -> QueryExpression<Record>? { fields[keyPath] }

    /// A record and its phase.
    package struct Row: Sendable {
        package let record: Record
        let phase: Int
    }

    /// Reads the rows of a statement until the closure returns false.
    func read(_ statement: Statement, _ arguments: StatementArguments, _ take: (Row) -> Bool) throws {
        let rows = try GRDB.Row.fetchCursor(statement, arguments: arguments)
        let columns = ColumnReader(statement)
        while try rows.next() != nil {
            guard take(Row(record: decode(columns), phase: columns.int(phaseColumn))) else { return }
        }
    }
}
