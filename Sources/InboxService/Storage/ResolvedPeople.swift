/// The numbers and sequences of people that a transaction has read. No other transaction changes them meanwhile.
struct ResolvedPeople: Sendable {
    /// The people's numbers, by the bytes of their names.
    var numbers: [[UInt8]: Int] = [:]
    /// The last sequences, by the people's numbers. In PostgreSQL, these people are locked.
    var sequences: [Int: Int] = [:]
    /// The names of those who weren't found when the transaction began.
    var missing: Set<[UInt8]> = []
}

#if PostgreSQL
    extension ResolvedPeople {
        /// Reads and locks people, with one statement. Those who don't exist are left out.
        ///
        /// - Parameter names: The people's names.
        init(locking names: [String], in db: SQLConnection) throws {
            guard !names.isEmpty else { return }
            let names = ResolvedPeople.distinct(names)
            for row in try db.rows(Self.locked, [names]) {
                let (name, number): (String, Int) = (row[0], row[1])
                numbers[Array(name.utf8)] = number
                sequences[number] = row[2]
            }
            missing = Set(names.map { Array($0.utf8) }).subtracting(numbers.keys)
        }

        /// Returns each name once, as the database compares them: to Swift, two spellings of a character are equal.
        static func distinct(_ names: [String]) -> [String] {
            var seen: Set<[UInt8]> = []
            return names.filter { seen.insert(Array($0.utf8)).inserted }
        }

        /// `OFFSET 0` keeps the lookup apart: each name is looked for in its partition. In a join, PostgreSQL may read
        /// all partitions as a whole.
        private static let locked: SQLText = """
            SELECT r.name, locked.id, locked.sequence
            FROM (SELECT name FROM unnest(?) AS r (name) ORDER BY name COLLATE "C") AS r
            CROSS JOIN LATERAL (SELECT n.person FROM personName n WHERE n.name = r.name OFFSET 0) AS n
            CROSS JOIN LATERAL (
                SELECT p.id, p.sequence FROM person p WHERE p.id = n.person FOR NO KEY UPDATE
            ) AS locked
            """
    }
#endif
