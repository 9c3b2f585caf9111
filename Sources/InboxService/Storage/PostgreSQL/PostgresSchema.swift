#if PostgreSQL
    /// The tables on PostgreSQL: those that SQLite's migrations result in (``Schema``), with the same names and columns
    /// except where this type and its extensions state otherwise.
    ///
    /// - Ids, times in milliseconds since 1970, sequences and counts are `bigint`; states, kinds and sets of bits
    ///   `smallint`; flags `boolean`; JSON is `text`, which the database never parses.
    /// - Each text column has the collation "C", so that texts compare by their bytes as in SQLite, whatever the
    ///   database's own collation is, and an upgrade of the system's collations damages no index.
    /// - No table has a foreign key. Its check would lock the referenced row for each insert, and many people's writes
    ///   refer to the same broadcast, API key or webhook at once.
    /// - Totals that many people's writes update are divided into slots, one for each server, and summed when they are
    ///   read.
    enum PostgresSchema {
        /// The number of partitions of each table of people's rows: 64, or what ``PartitionSetting`` says.
        ///
        /// It is part of the database and never changes.
        static let partitions = PartitionSetting.current

        /// A table of rows that each belong to one person. It is partitioned by the hash of the person's number, with
        /// which its primary key begins.
        struct PersonTable: Sendable {
            let name: String
            /// The column of the person's number.
            var person = "person"
            /// The storage parameters of each partition.
            var storage = ""
        }

        /// All tables of people's rows.
        static let personTables = peopleTables + detailTables + inboxTables + eventTables + webhookTables

        private static let peopleTables = [
            // Each message updates its person's sequence, which no index contains: with space in the page, the new row
            // needs no entry in an index.
            PersonTable(name: "person", person: "id", storage: "fillfactor = 80, \(often)")
        ]
        private static let detailTables = [
            PersonTable(name: "attributes"), PersonTable(name: "blob"), PersonTable(name: "imported"),
        ]
        private static let inboxTables = [
            PersonTable(name: "delivery", storage: often), PersonTable(name: "batch", storage: often),
        ]
        private static let eventTables = [
            PersonTable(name: "event"), PersonTable(name: "reach", storage: often),
        ]
        private static let webhookTables = [PersonTable(name: "outbox", storage: often)]

        /// Tables whose unique texts can't be checked in a table that is partitioned by person. They are partitioned by
        /// the hash of their text.
        static let nameTables = ["personName", "personAccount"]

        /// Storage parameters of tables whose rows are updated or deleted all the time: dead rows are removed at a
        /// fiftieth of the table instead of a fifth.
        private static let often = "autovacuum_vacuum_scale_factor = 0.02"

        /// The migrations in the order of execution. A released migration is never changed.
        ///
        /// The partitions are made in several of them, since a transaction holds a lock for each table and index that
        /// it makes: all together would fill the lock table of a server that allows few connections.
        static let migrations = [
            PostgresMigration(
                name: "schema",
                sql: [functions, counters, keys, sessions, erasures, surfaces, messages, figures, audit].joined(),
                compatibility: .breaking
            ),
            PostgresMigration(
                name: "people",
                sql: people + nameTables.map { name in partitions(of: name) }.joined() + partitioned(peopleTables),
                compatibility: .breaking
            ),
            PostgresMigration(
                name: "personDetails",
                sql: personDetails + partitioned(detailTables),
                compatibility: .breaking
            ),
            PostgresMigration(name: "inbox", sql: deliveries + partitioned(inboxTables), compatibility: .breaking),
            PostgresMigration(name: "events", sql: events + partitioned(eventTables), compatibility: .breaking),
            PostgresMigration(
                name: "webhooks",
                sql: webhooks + partitioned(webhookTables) + outboxTriggers,
                compatibility: .breaking
            ),
            PostgresMigration(name: "nodes", sql: nodes, compatibility: .breaking),
            PostgresMigration(name: "erasedRows", sql: erasedRows, compatibility: .additive),
            PostgresMigration(name: "messageText", sql: messageText, compatibility: .additive),
            PostgresMigration(name: "statistics", sql: statistics, compatibility: .additive),
            PostgresMigration(name: "groupsInOrder", sql: groupsInOrder, compatibility: .additive),
            PostgresMigration(name: "partitionPolicies", sql: partitionPolicies, compatibility: .additive),
            PostgresMigration(name: "nodeClaims", sql: nodeClaims, compatibility: .additive),
            PostgresMigration(name: "confirmedGroups", sql: confirmedGroups, compatibility: .additive),
            PostgresMigration(name: "personPolicies", sql: personPolicies, compatibility: .additive),
            PostgresMigration(name: "nodeFence", sql: nodeFence, compatibility: .additive),
            PostgresMigration(name: "groupsWithTriggers", sql: groupsWithTriggers, compatibility: .additive),
            PostgresMigration(name: "samplesOfGroupKeys", sql: samplesOfGroupKeys, compatibility: .additive),
            PostgresMigration(name: "samplesOfSecrets", sql: samplesOfSecrets, compatibility: .additive),
            PostgresMigration(name: "messageViews", sql: messageViews, compatibility: .additive),
            PostgresMigration(name: "recipientsByPerson", sql: recipientsByPerson, compatibility: .additive),
        ]

        /// Returns the statements that make the partitions and the policies of tables.
        private static func partitioned(_ tables: [PersonTable]) -> String {
            tables.map { table in partitions(of: table.name, with: table.storage) + policy(on: table) }.joined()
        }

        /// The name of a table's partition, as a statement has it.
        static func partition(_ number: Int, of table: String) -> String {
            table + SQLText.partitionSuffix(number)
        }

        /// The partitions that reads of one person name (``SQLText/deliveryOfPerson``, ``SQLText/ofPerson``). A table's
        /// policy doesn't apply to a partition that is named, so each has the same policy.
        static let namedPartitions = deliveryPartitions + personPartitions

        static let deliveryPartitions = (0..<partitions).map { number in
            PersonTable(name: partition(number, of: "delivery"))
        }
        private static let personPartitions = (0..<partitions).map { number in
            PersonTable(name: partition(number, of: "person"), person: "id")
        }

        private static let partitionPolicies = deliveryPartitions.map { policy(on: $0) }.joined()
        private static let personPolicies = personPartitions.map { policy(on: $0) }.joined()

        private static func partitions(of table: String, with storage: String = "") -> String {
            (0..<partitions).map { number in
                "CREATE TABLE \(partition(number, of: table)) PARTITION OF \(table) "
                    + "FOR VALUES WITH (MODULUS \(partitions), REMAINDER \(number))"
                    + (storage.isEmpty ? ";\n" : " WITH (\(storage));\n")
            }.joined()
        }

        /// The settings of the server as a whole. All counters exist from the start, so that a sequence is an `UPDATE`.
        private static let counters = """
            CREATE TABLE setting (
                name text COLLATE "C" PRIMARY KEY,
                value bytea NOT NULL
            );

            CREATE TABLE counter (
                name text COLLATE "C" PRIMARY KEY,
                value bigint NOT NULL
            ) WITH (fillfactor = 10);
            INSERT INTO counter (name, value)
            VALUES ('broadcast', 0), ('surface', 0), ('forgottenSurface', 0), ('erasedPerson', 0);

            """
    }
#endif
