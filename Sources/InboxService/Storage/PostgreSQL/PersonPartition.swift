#if PostgreSQL
    import Postgres

    /// The partition in which the rows of one person are, as PostgreSQL finds it by the hash of the person's number.
    ///
    /// A statement that names it, `delivery_17`, is planned in a fraction of the time of one that names the table.
    ///
    /// The hash is part of PostgreSQL's storage format: partitions that were made by one version are read by the next.
    struct PersonPartition: Hashable, Sendable {
        /// From 0 to ``PostgresSchema/partitions`` - 1.
        let number: Int

        /// - Parameter person: The person's number.
        init(of person: Int) {
            // `compute_partition_hash_value` (src/backend/partitioning/partbounds.c): the hash of each column,
            // combined. This is `hash_combine64` (src/include/common/hashfn.h) with 0, for one column.
            let rowHash = Self.hash(person) &+ 0x49A0_F4DD_15E5_A8E3
            number = Int(rowHash % UInt64(PostgresSchema.partitions))
        }

        /// `HASH_PARTITION_SEED` (src/include/catalog/partition.h).
        private static let seed: UInt64 = 0x7A5B_2236_7996_DCFD

        /// `hashint8extended` (src/backend/access/hash/hashfunc.c), with the seed of partitions.
        private static func hash(_ value: Int) -> UInt64 {
            let bits = UInt64(bitPattern: Int64(value))
            let (low, high) = (UInt32(truncatingIfNeeded: bits), UInt32(truncatingIfNeeded: bits >> 32))
            // Numbers of 32 bits have the hash of an `integer`.
            var mix = seeded
            mix.a &+= low ^ (value >= 0 ? high : ~high)
            mix.finish()
            return UInt64(mix.b) << 32 | UInt64(mix.c)
        }

        /// The state of `hash_uint32_extended` (src/common/hashfn.c) before the value is added.
        private static let seeded: Lookup3 = {
            // The length of the value in bytes, and a constant of PostgreSQL.
            let start: UInt32 = 0x9E37_79B9 &+ 4 &+ 3_923_095
            var mix = Lookup3(a: start &+ UInt32(seed >> 32), b: start &+ UInt32(truncatingIfNeeded: seed), c: start)
            mix.mix()
            return mix
        }()
    }

    extension PersonPartition {
        /// Numbers of people for each partition, and those at the ends of ranges.
        private static let samples: [Int] = {
            let ends = [Int.min, -1, 0, 1 << 32 - 1, 1 << 32, 1 << 32 + 1, .max]
            let people = (1...4_096).reduce(into: [:]) { $0[PersonPartition(of: $1)] = $1 }
            return ends + people.values
        }()

        /// Returns why statements can't name the partitions of a prepared database. Nil if they can: PostgreSQL has a
        /// person's rows in the partitions that are computed here, under their names, and each partition of which one
        /// person's rows are read has the policy of one person and no other.
        ///
        /// - Throws: `PostgresError`.
        static func problem(in connection: PostgresConnection) throws -> String? {
            let others = try ["delivery", "person"].flatMap { try differing(in: $0, connection) }
            if !others.isEmpty {
                return "not the partitions of the people whose rows they should have: \(PersonRole.list(others))"
            }
            let open = try PersonRole.openTables(connection, among: PostgresSchema.namedPartitions)
            return open.isEmpty ? nil : PersonRole.description(ofOpen: open)
        }

        /// Returns the names of a table's partitions that aren't there, or aren't those of their people.
        private static func differing(in table: String, _ connection: PostgresConnection) throws -> [String] {
            let numbers = samples.map { PersonPartition(of: $0).number }
            return try connection.execute(
                """
                SELECT DISTINCT name FROM unnest($1, $2, $3) AS sample (person, number, name)
                WHERE NOT EXISTS (
                    SELECT FROM pg_class c
                    JOIN pg_inherits i ON i.inhrelid = c.oid AND i.inhparent = '\(table)'::regclass
                    WHERE c.oid = to_regclass(name)
                        AND satisfies_hash_partition('\(table)'::regclass, $4::integer, number::integer, person)
                        AND pg_get_expr(c.relpartbound, c.oid)
                            = format('FOR VALUES WITH (modulus %s, remainder %s)', $4, number)
                ) ORDER BY name
                """,
                [samples, numbers, numbers.map { PostgresSchema.partition($0, of: table) }, PostgresSchema.partitions]
            ).map { try $0[0] as String }
        }

        /// Describes the consequence of a ``problem(in:)``.
        static func description(of problem: String) -> String {
            "statements of one person name the table, which is slower: \(problem)"
        }
    }

    /// The steps of lookup3, which is in the public domain (Bob Jenkins, burtleburtle.net/bob/c/lookup3.c, 2006).
    private struct Lookup3 {
        var a, b, c: UInt32

        private static func rotated(_ value: UInt32, by bits: UInt32) -> UInt32 {
            value << bits | value >> (32 - bits)
        }

        /// `mix`: each bit of the state affects all of it. It is reversible.
        mutating func mix() {
            (a, c) = ((a &- c) ^ Self.rotated(c, by: 4), c &+ b)
            (b, a) = ((b &- a) ^ Self.rotated(a, by: 6), a &+ c)
            (c, b) = ((c &- b) ^ Self.rotated(b, by: 8), b &+ a)
            (a, c) = ((a &- c) ^ Self.rotated(c, by: 16), c &+ b)
            (b, a) = ((b &- a) ^ Self.rotated(a, by: 19), a &+ c)
            (c, b) = ((c &- b) ^ Self.rotated(b, by: 4), b &+ a)
        }

        /// `final`: each bit of the state affects `b` and `c`.
        mutating func finish() {
            c = (c ^ b) &- Self.rotated(b, by: 14)
            a = (a ^ c) &- Self.rotated(c, by: 11)
            b = (b ^ a) &- Self.rotated(a, by: 25)
            c = (c ^ b) &- Self.rotated(b, by: 16)
            a = (a ^ c) &- Self.rotated(c, by: 4)
            b = (b ^ a) &- Self.rotated(a, by: 14)
            c = (c ^ b) &- Self.rotated(b, by: 24)
        }
    }
#endif
