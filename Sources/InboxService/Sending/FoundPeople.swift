#if PostgreSQL
    import Postgres

    /// The many people who receive one message, as they were looked for. They aren't locked.
    struct FoundPeople: Sendable {
        private let names: [String]
        /// The numbers of those who were found, in the order of the names, in which servers lock them.
        let numbers: [Int]
        /// The names of the others, in their order.
        let unknown: [String]

        /// - Parameter names: Different ones.
        init(_ names: [String], in transaction: PostgresTransaction) throws {
            self.names = names
            let rows = try transaction.execute(Self.text, [names])
            numbers = try rows.compactMap { row in try row[0] as Int? }
            unknown = try rows.compactMap { row in try row[1] as String? }
        }

        /// Whether the people have these names.
        func haveNames(_ names: [String]) -> Bool {
            self.names.elementsEqual(names) { $0.utf8.elementsEqual($1.utf8) }
        }

        /// `OFFSET 0` keeps the lookup apart: each name is looked for in its partition. In a join, PostgreSQL may read
        /// all of them.
        private static let text: SQLText = """
            SELECT n.person, CASE WHEN n.person IS NULL THEN r.name END
            FROM (SELECT name FROM unnest(?) AS r (name) ORDER BY name COLLATE "C") AS r
            LEFT JOIN LATERAL (SELECT n.person FROM personName n WHERE n.name = r.name OFFSET 0) AS n ON true
            """
    }
#endif
