#if PostgreSQL
    /// A step of the schema, which runs once in a database, in a transaction of its own.
    struct PostgresMigration: Sendable {
        /// The servers that can work beside the migrated tables. It is stored with the migration's name, since such a
        /// server doesn't know the migration itself.
        enum Compatibility: Hashable, Sendable {
            /// All of them: added columns have defaults, and nothing that a server reads or writes has changed.
            case additive
            /// The servers that know the named migration, which is an earlier one. So a column goes in two releases: in
            /// the first, servers don't use it any more, and a migration makes it optional; that of the second drops
            /// the column, and names the first.
            case servers(knowing: String)
            /// Only servers that know this one.
            case breaking
        }

        /// The name under which the database remembers it. It never changes.
        let name: String
        /// Statements without parameters, all of which can run in a transaction.
        let sql: String
        let compatibility: Compatibility

        /// The migration that a server has to know to work in the database. Nil for none.
        var needed: String? {
            switch compatibility {
            case .additive: nil
            case .servers(let name): name
            case .breaking: name
            }
        }
    }
#endif
