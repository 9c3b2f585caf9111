#if PostgreSQL
    extension PostgresSchema {
        /// The views of messages that the ``PersonRole`` reads: `message` itself it may not. Each shows what its owner,
        /// the tables' owner, sees, and by its own condition only messages to the person who is set, or to everyone.
        /// Without a person it shows none.
        ///
        /// They aren't `security_barrier` views, which would keep the order of an index from the statement that reads
        /// them: the role isn't a wall against SQL of an attacker, and a condition of a statement can't add rows to a
        /// view.
        static let views: [(name: String, sql: String)] =
            [broadcastMessages] + (["delivery"] + deliveryPartitions.map(\.name)).map { table in inboxMessages(table) }

        /// The migration's statements. A later one that changes the type of a column, or drops it, has to make the
        /// views again.
        static let messageViews = views.map { "CREATE VIEW \($0.name) AS \($0.sql);\n" }.joined()

        /// The messages to everyone.
        private static let broadcastMessages = (
            name: "broadcastMessage",
            sql: """
            SELECT \(SQLText.messageColumns.joined(separator: ", ")) FROM message
            WHERE recipients IS NULL AND \(setPerson) IS NOT NULL
            """
        )

        /// Returns the view of all messages that a person may see: those of deliveries, and those to everyone. A
        /// statement that requires a `person` sees the deliveries alone: the planner makes a plain join of that.
        ///
        /// - Parameter table: `delivery`, or a partition, for the statements that name it
        ///   (``SQLText/deliveryOfPerson``).
        private static func inboxMessages(_ table: String) -> (name: String, sql: String) {
            let own = [
                "message", "person", "created", "sequence", "deliverAt", "state", "seenAt", "readAt", "archivedAt",
                "snoozedUntil", "deletedAt", "edited", "withheld",
            ]
            let others = SQLText.messageColumns.map { "m.\($0) AS \(SQLText.viewColumn($0))" }
            return (
                name: "inboxMessage\(table.dropFirst("delivery".count))",
                sql: """
                SELECT \((own.map { "d.\($0)" } + others).joined(separator: ", "))
                FROM message m LEFT JOIN \(table) d ON d.message = m.id AND d.person = \(setPerson)
                WHERE d.person IS NOT NULL OR m.recipients IS NULL AND \(setPerson) IS NOT NULL
                """
            )
        }
    }
#endif
