#if PostgreSQL
    /// A comparison of two databases, row by row and value by value.
    ///
    /// Both sides are read in the order of their keys, one row at a time, so its memory doesn't grow with them.
    struct RowComparison {
        /// The first differences, each with the table, the key and the columns.
        private(set) var differences: [String] = []
        /// The number of all differences.
        private(set) var count = 0

        /// The number of differences that are named.
        static let limit = 20

        /// Compares the rows of a table.
        ///
        /// - Parameter compared: Called with each row of the source.
        mutating func compare(
            _ table: MovedTable,
            source: any MovedRows,
            target: any MovedRows,
            compared: () throws -> Void
        ) throws {
            var (one, other) = (try source.next(), try target.next())
            while one != nil || other != nil {
                let order = Self.order(one, other, of: table)
                if let one, order <= 0 {
                    try compared()
                    if order < 0 { add("\(table.name(of: one)) is missing in the target") }
                }
                if let other, order > 0 { add("\(table.name(of: other)) is in the target alone") }
                if let one, let other, order == 0, one != other {
                    let names = table.columns.indices.filter { one[$0] != other[$0] }.map { table.columns[$0].name }
                    add("\(table.name(of: one)) differs in \(names.joined(separator: ", "))")
                }
                if order <= 0 { one = try source.next() }
                if order >= 0 { other = try target.next() }
            }
        }

        mutating func add(_ difference: String) {
            count += 1
            if differences.count < Self.limit { differences.append(difference) }
        }

        /// Returns which row comes first: a negative number for the one, 0 if their keys are equal.
        private static func order(_ one: MovedRow?, _ other: MovedRow?, of table: MovedTable) -> Int {
            guard let one else { return 1 }
            guard let other else { return -1 }
            for place in 0..<table.keyCount where one[place] != other[place] {
                return one[place] < other[place] ? -1 : 1
            }
            return 0
        }
    }
#endif
