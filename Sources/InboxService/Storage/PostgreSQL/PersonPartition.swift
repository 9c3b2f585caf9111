#if PostgreSQL
    import Postgres

    /// The partition in which the rows of one person are, as PostgreSQL finds it by the hash of the person's number.
    ///
    /// A statement that names it, `delivery_17`, is planned in a fraction of the time of one that names the table.
    struct PersonPartition: Hashable, Sendable {
        /// From 0 to ``PostgresSchema/partitions`` - 1.
        let number: Int

        /// - Parameter person: The person's number.
        init(of person: Int) {
            number = PartitionHash.partition(of: person)
        }
    }

    extension PersonPartition {
        /// Numbers of people for each partition, and those at the ends of ranges.
        private static let samples: [Int] = {
            let ends = [Int.min, -1, 0, 1 << 32 - 1, 1 << 32, 1 << 32 + 1, .max]
            let people = (1...4_096).reduce(into: [:]) { $0[PersonPartition(of: $1)] = $1 }
            return ends + people.values
        }()

        /// Names, of which each partition has some.
        static let names = (1...640).map { "person-\($0)" }

        /// Returns why statements can't name the partitions of a prepared database. Nil if they can: PostgreSQL has a
        /// person's rows and name in the partitions that are computed here, under their names, and each partition of
        /// which one person's rows are read has the policy of one person and no other.
        ///
        /// - Throws: `PostgresError`.
        static func problem(in connection: PostgresConnection) throws -> String? {
            let numbers = samples.map { PersonPartition(of: $0).number }
            let differing =
                try differing(in: "delivery", samples, numbers, connection)
                + differing(in: "person", samples, numbers, connection)
                + differing(in: "personName", names, names.map { NamePartition(of: $0).number }, connection)
            if !differing.isEmpty {
                return "not the partitions of the people whose rows they should have: \(PersonRole.list(differing))"
            }
            let open = try PersonRole.openTables(connection, among: PostgresSchema.namedPartitions)
            return open.isEmpty ? nil : PersonRole.description(ofOpen: open)
        }

        /// Returns the names of a table's partitions that aren't there, or aren't those of their keys.
        private static func differing(
            in table: String,
            _ keys: any PostgresEncodable,
            _ numbers: [Int],
            _ connection: PostgresConnection
        ) throws -> [String] {
            try connection.execute(
                """
                SELECT DISTINCT name FROM unnest($1, $2, $3) AS sample (key, number, name)
                WHERE NOT EXISTS (
                    SELECT FROM pg_class c
                    JOIN pg_inherits i ON i.inhrelid = c.oid AND i.inhparent = '\(table)'::regclass
                    WHERE c.oid = to_regclass(name)
                        AND satisfies_hash_partition('\(table)'::regclass, $4::integer, number::integer, key)
                        AND pg_get_expr(c.relpartbound, c.oid)
                            = format('FOR VALUES WITH (modulus %s, remainder %s)', $4, number)
                ) ORDER BY name
                """,
                [keys, numbers, numbers.map { PostgresSchema.partition($0, of: table) }, PostgresSchema.partitions]
            ).map { try $0[0] as String }
        }

        /// Describes what follows from a ``problem(in:)``.
        static func description(of problem: String) -> String {
            "statements of one person name the table, which is slower: \(problem)"
        }
    }
#endif
