#if PostgreSQL
    extension PostgresSchema {
        /// The columns of which the database keeps no samples for its planner: samples are copies, and would outlive an
        /// erasure. Searches by them use a unique index, or a person's rows.
        private static let unsampled: [(table: String, columns: [String])] = [
            ("person", ["name", "account"]), ("personName", ["name"]), ("personAccount", ["account"]),
            ("attributes", ["value"]), ("event", ["uid", "action", "data"]), ("batch", ["epoch", "outcome"]),
            ("blob", ["hash", "content"]), ("imported", ["externalId"]), ("outbox", ["event", "body", "reason"]),
            ("message", ["content"]), ("audit", ["personName", "detail"]), ("tokenEnd", ["personName"]),
            ("endedToken", ["token", "personName"]), ("idempotency", ["key", "response"]),
        ]

        /// A partition doesn't inherit the setting.
        static let statistics = unsampled.flatMap { table, columns in
            let isDivided = nameTables.contains(table) || personTables.contains { $0.name == table }
            let tables = isDivided ? (0..<partitions).map { partition($0, of: table) } : [table]
            let changes = columns.map { "ALTER COLUMN \($0) SET STATISTICS 0" }.joined(separator: ", ")
            return (isDivided ? [table] + tables : tables).map { "ALTER TABLE \($0) \(changes);\n" }
        }.joined()

        /// A group's key is often of one person. Setting a type, the same here, removes the samples that are there:
        /// without new ones, `ANALYZE` would leave them. PostgreSQL refuses that where something else depends on the
        /// column, such as a view of the operator's or a publication. Then they stay.
        static let samplesOfGroupKeys = """
            DO $$
            BEGIN
                ALTER TABLE message ALTER COLUMN groupKey TYPE text COLLATE "C";
            EXCEPTION WHEN feature_not_supported THEN NULL;
            END $$;
            ALTER TABLE message ALTER COLUMN groupKey SET STATISTICS 0;

            """

        /// Columns of secrets, of addresses that may have one, and of hashes of what a person's request was. They would
        /// outlive a rotation, or the row. Searches use other columns, and no index has one of these, which setting the
        /// type would build again.
        private static let secrets: [(table: String, columns: [(name: String, type: String)])] = [
            ("setting", [("value", "bytea")]), ("formerTokenKey", [("secret", "bytea")]),
            ("webhook", [("url", "text COLLATE \"C\""), ("secret", "bytea"), ("earlierSecret", "bytea")]),
            ("idempotency", [("bodyHash", "bytea")]),
        ]

        /// The samples that are there are removed as by ``samplesOfGroupKeys``, for each column by itself.
        static let samplesOfSecrets = secrets.flatMap { table, columns in
            columns.map { column in
                """
                DO $$
                BEGIN
                    ALTER TABLE \(table) ALTER COLUMN \(column.name) TYPE \(column.type);
                EXCEPTION WHEN feature_not_supported THEN NULL;
                END $$;
                ALTER TABLE \(table) ALTER COLUMN \(column.name) SET STATISTICS 0;

                """
            }
        }.joined()
    }
#endif
