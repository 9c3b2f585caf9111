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
    #if PostgreSQL
        /// The names of those among the missing who may have another number by now: they were looked for by the number
        /// from before alone.
        var outdated: [String] = []
        /// The many people who receive one message, as far as they were looked for. They aren't locked.
        var found: FoundPeople?
    #endif
}

#if PostgreSQL
    extension ResolvedPeople {
        /// Reads and locks people, in the order of their names. Those who don't exist are left out, and those whose
        /// numbers are ``outdated``.
        ///
        /// - Parameters:
        ///   - names: The people's names.
        ///   - lookup: The lookup of the request's key, which is sent with it. Where the request isn't the first one
        ///     with its key, it is answered without the people: none is waited for, and all are ``missing``.
        ///   - cache: The people that were found before.
        ///   - expects: Whether a write for people with expected sequences waits for no answer: the database compares
        ///     them when it locks the rows, and ``isUnexpected(_:)`` is true of the error of the transaction if one was
        ///     another.
        init(
            locking names: [String],
            ifFirst lookup: KeyLookup? = nil,
            in transaction: PostgresTransaction,
            knowing cache: Locked<PersonNumbers>? = nil,
            expects: Bool = false
        ) throws {
            guard !names.isEmpty else { return }
            let names = ResolvedPeople.distinct(names)
            guard transaction.namesPartitions, let cache, let known = cache.withLock({ $0.entries(of: names) }) else {
                try lock(names, ifFirst: lookup, in: transaction, knowing: cache)
                return
            }
            if expects, known.allSatisfy(\.entry.isExpected) {
                expect(known, in: transaction)
                return
            }
            let found = try transaction.execute(
                known.map { person, entry in
                    PostgresTransaction.Statement(
                        Self.lockedInPartition,
                        [entry.number, person],
                        ofPerson: entry.number
                    )
                }
            )
            for ((name, entry), rows) in zip(known, found) {
                guard let row = rows.first else {
                    // Who was erased may be there again, with another number.
                    missing.insert(Array(name.utf8))
                    outdated.append(name)
                    continue
                }
                let sequence: Int = try row[0]
                add(entry.number, named: name, sequence: sequence)
                cache.withLock { $0.add(entry.number, of: name, sequence: sequence) }
            }
        }

        /// Finds people by their names, and locks them in the order of these. Those who don't exist are ``missing``.
        ///
        /// - Parameters:
        ///   - names: Different ones.
        ///   - lookup: That of ``init(locking:ifFirst:in:knowing:expects:)``.
        ///   - cache: Receives those who are found.
        ///   - queue: Queues reads that follow in the same round trip.
        mutating func lock(
            _ names: [String],
            ifFirst lookup: KeyLookup? = nil,
            in transaction: PostgresTransaction,
            knowing cache: Locked<PersonNumbers>?,
            then queue: () throws -> Void = {}
        ) throws {
            missing.formUnion(names.map { Array($0.utf8) })
            var arguments: SQLArguments = [names]
            if let lookup { arguments += lookup.conditionArguments }
            let read = transaction.enqueueRead(.init(lookup == nil ? Self.locked : Self.lockedIfFirst, arguments))
            try queue()
            for row in try transaction.result(of: read) {
                let (name, number, sequence): (String, Int, Int) = (try row[0], try row[1], try row[2])
                add(number, named: name, sequence: sequence)
                cache?.withLock { $0.add(number, of: name, sequence: sequence) }
            }
        }

        /// Queues the statements that lock people and compare their sequences.
        private mutating func expect(
            _ people: [(name: String, entry: PersonNumbers.Entry)],
            in transaction: PostgresTransaction
        ) {
            for (name, entry) in people {
                guard let sequence = entry.sequence else { continue }
                transaction.enqueue(.init(Self.expected, [entry.number, name, sequence], ofPerson: entry.number))
                add(entry.number, named: name, sequence: sequence)
            }
        }

        /// Whether an error is that of a sequence that wasn't the expected one. Nothing took effect.
        static func isUnexpected(_ error: PostgresError) -> Bool { error.sqlState == "22012" }

        /// Locks a person, and divides by zero if the sequence is another one, or if there is no such person: an error
        /// that needs no function in the database, and that no other statement of a write has.
        private static let expected: SQLText = """
            SELECT 1 / (coalesce((\(lockedInPartition)), -1) = ?)::integer
            """

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
        private static let locked = lock(ofPeople: "unnest(?1) AS r (name)")
        private static let lockedIfFirst = lock(ofPeople: "unnest(?1) AS r (name) WHERE \(KeyLookup.condition)")

        private static func lock(ofPeople names: SQLText) -> SQLText {
            """
            SELECT r.name, locked.id, locked.sequence
            FROM (SELECT name FROM \(names) ORDER BY name COLLATE "C") AS r
            CROSS JOIN LATERAL (SELECT n.person FROM personName n WHERE n.name = r.name OFFSET 0) AS n
            CROSS JOIN LATERAL (
                SELECT p.id, p.sequence FROM person p WHERE p.id = n.person FOR NO KEY UPDATE
            ) AS locked
            """
        }
    }
#endif
