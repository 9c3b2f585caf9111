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
        /// Reads and locks people, in the order of their names. Those who don't exist are left out.
        ///
        /// - Parameter names: The people's names.
        init(locking names: [String], in transaction: PostgresTransaction) throws {
            guard !names.isEmpty else { return }
            let names = ResolvedPeople.distinct(names)
            if transaction.namesPartitions, names.count <= Self.partitionLimit {
                try lockInPartitions(names, in: transaction)
            } else {
                for row in try transaction.execute(Self.locked, [names]) {
                    let (name, number): (String, Int) = (try row[0], try row[1])
                    numbers[Array(name.utf8)] = number
                    sequences[number] = try row[2]
                }
            }
            missing = Set(names.map { Array($0.utf8) }).subtracting(numbers.keys)
        }

        /// The number of people up to which each is found and locked by statements of their own, as many as a group of
        /// writes has. One statement for all takes longer to plan than a few of these run.
        private static let partitionLimit = 64

        /// Reads and locks people by two statements for each, which name the partitions, in two round trips.
        private mutating func lockInPartitions(_ names: [String], in transaction: PostgresTransaction) throws {
            let names = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            let found = try transaction.execute(
                Self.number,
                inPartitions: names.map { ([$0], NamePartition(of: $0).number) }
            )
            let people = try zip(names, found).compactMap { name, rows in
                try rows.first.map { row in (name: name, number: try row[0] as Int) }
            }
            guard !people.isEmpty else { return }
            let parts: [(SQLArguments, Int)] = people.map { ([$0.number], PersonPartition(of: $0.number).number) }
            for (person, rows) in zip(people, try transaction.execute(Self.sequence, inPartitions: parts)) {
                // Nothing if the person was erased meanwhile.
                guard let row = rows.first else { continue }
                numbers[Array(person.name.utf8)] = person.number
                sequences[person.number] = try row[0]
            }
        }

        private static let number: SQLText = "SELECT person FROM \(SQLText.ofPersonName) WHERE name = ?"
        private static let sequence: SQLText = "SELECT sequence FROM \(SQLText.ofPerson) WHERE id = ? FOR NO KEY UPDATE"

        /// Returns each name once, as the database compares them: to Swift, two spellings of a character are equal.
        static func distinct(_ names: [String]) -> [String] {
            var seen: Set<[UInt8]> = []
            return names.filter { seen.insert(Array($0.utf8)).inserted }
        }

        /// One statement for all. `OFFSET 0` keeps the lookup apart: each name is looked for in its partition. In a
        /// join, PostgreSQL may read all partitions as a whole.
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
