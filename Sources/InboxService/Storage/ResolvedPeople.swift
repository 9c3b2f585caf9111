import Groundwork

#if PostgreSQL
    import Postgres
#endif

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
        /// - Parameters:
        ///   - names: The people's names.
        ///   - cache: The numbers of people that were found before.
        init(
            locking names: [String],
            in transaction: PostgresTransaction,
            knowing cache: Locked<PersonNumbers>? = nil
        ) throws {
            guard !names.isEmpty else { return }
            var names = ResolvedPeople.distinct(names)
            missing = Set(names.map { Array($0.utf8) })
            if transaction.namesPartitions, let cache, let known = cache.withLock({ $0.numbers(of: names) }) {
                let found = try transaction.execute(
                    Self.lockedInPartition,
                    inPartitions: known.map { ([$0.number, $0.name], PersonPartition(of: $0.number).number) }
                )
                for (person, rows) in zip(known, found) {
                    if let row = rows.first { add(person.number, named: person.name, sequence: try row[0]) }
                }
                // Who was erased may be there again, with another number.
                names = missing.map { String(decoding: $0, as: UTF8.self) }
            }
            guard !names.isEmpty else { return }
            for row in try transaction.execute(Self.locked, [names]) {
                let (name, number): (String, Int) = (try row[0], try row[1])
                add(number, named: name, sequence: try row[2])
                cache?.withLock { $0.add(number, of: name) }
            }
        }

        private mutating func add(_ number: Int, named name: String, sequence: Int) {
            let name = Array(name.utf8)
            numbers[name] = number
            sequences[number] = sequence
            missing.remove(name)
        }

        /// One person with a known number. It is planned, and opens tables, in a fraction of the time of the statement
        /// for any.
        private static let lockedInPartition: SQLText =
            "SELECT sequence FROM \(SQLText.ofPerson) WHERE id = ? AND name = ? FOR NO KEY UPDATE"

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
