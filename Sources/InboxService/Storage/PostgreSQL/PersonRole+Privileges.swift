#if PostgreSQL
    import Postgres

    /// The role's privileges: it reads the tables and views that it needs.
    extension PersonRole {
        /// The tables and views that the role may read. It has no other privilege.
        static let tables =
            PostgresSchema.personTables.map(\.name) + sharedTables + PostgresSchema.namedPartitions.map(\.name)
            + PostgresSchema.views.map(\.name)

        func mayReadAll(_ connection: PostgresConnection) throws -> Bool {
            try connection.execute(
                """
                SELECT 1 FROM unnest($2) AS granted (tableName)
                WHERE NOT has_table_privilege($1, tableName, 'SELECT') LIMIT 1
                """,
                [name, Self.tables]
            ).isEmpty
        }

        /// Returns the tables that the role may read past the policies and views, and those that it may change, by a
        /// privilege of its own or of everyone: `message` first, partitions last.
        ///
        /// Others may have granted that, such as by `GRANT SELECT ON ALL TABLES` after a restore. A partition that no
        /// statement names has no policy, and a policy allows the rows of the person who is set to be changed.
        func furtherTables(_ connection: PostgresConnection) throws -> [String] {
            try furtherPrivileges(connection).map(\.table)
        }

        /// Describes tables on which the role has further privileges, the first ones by name.
        func description(ofFurther tables: [String]) -> String {
            "the role \(name) may read everyone's rows, or change rows, in: \(Self.list(tables))"
        }

        private static let changes = "INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER"

        /// Returns the tables on which the role has privileges that it doesn't need, and whether it needs to read them.
        ///
        /// A later version's server that has migrated the database may have given its role more. Where one has, tables
        /// that this version doesn't know are left out.
        private func furtherPrivileges(
            _ connection: PostgresConnection
        ) throws -> [(table: String, isReadable: Bool)] {
            try connection.execute(
                """
                WITH needed AS MATERIALIZED (SELECT to_regclass(name)::oid AS oid FROM unnest($2) AS t (name)),
                    later AS MATERIALIZED (SELECT FROM migration WHERE name <> ALL ($3) LIMIT 1)
                SELECT quote_ident(c.relname), n.oid IS NOT NULL
                FROM pg_class c LEFT JOIN needed n ON n.oid = c.oid
                WHERE c.relnamespace = \(PostgresNamespace.current) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
                    AND (
                        has_table_privilege($1, c.oid, '\(Self.changes)')
                        OR has_any_column_privilege($1, c.oid, 'INSERT, UPDATE, REFERENCES')
                        OR n.oid IS NULL AND has_any_column_privilege($1, c.oid, 'SELECT')
                    )
                    AND (n.oid IS NOT NULL OR c.relname = 'message' OR NOT EXISTS (SELECT FROM later))
                    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
                ORDER BY c.relname <> 'message', c.relispartition, c.relname
                """,
                [name, Self.tables, PostgresSchema.migrations.map(\.name)]
            ).map { (table: try $0[0], isReadable: try $0[1]) }
        }

        /// Revokes what others have granted to the role. Reads of a person run in it, in read-only transactions.
        private func revokeFurtherPrivileges(_ connection: PostgresConnection) throws {
            let role = PostgresConnection.quoted(name)
            let further = try furtherPrivileges(connection)
            for (privileges, isReadable) in [("ALL", false), (Self.changes, true)] {
                let tables = further.filter { $0.isReadable == isReadable }.map(\.table)
                if tables.isEmpty { continue }
                try connection.execute("REVOKE \(privileges) ON \(tables.joined(separator: ", ")) FROM \(role)")
            }
        }

        /// Grants what the role needs, unless it has it already, and revokes everything else.
        func grant(_ connection: PostgresConnection) throws {
            let role = PostgresConnection.quoted(name)
            let schema: (name: String, isGranted: Bool) = try {
                let row = try connection.execute(
                    """
                    SELECT current_schema()::text, has_schema_privilege($1, current_schema(), 'USAGE')
                    """,
                    [name]
                )[0]
                return (try row[0], try row[1])
            }()
            if !schema.isGranted {
                try connection.execute("GRANT USAGE ON SCHEMA \(PostgresConnection.quoted(schema.name)) TO \(role)")
            }
            if try !mayReadAll(connection) {
                try connection.execute("GRANT SELECT ON \(Self.tables.joined(separator: ", ")) TO \(role)")
            }
            try revokeFurtherPrivileges(connection)
        }
    }
#endif
