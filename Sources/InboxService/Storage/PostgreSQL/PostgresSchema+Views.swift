#if PostgreSQL
    extension PostgresSchema {
        /// The table of which the ``PersonRole`` sees no row. It reads the ``views`` instead.
        ///
        /// Servers of the version before read it in the role, and run beside those of this one. So the privilege stays
        /// for now, with a policy that shows the rows to transactions without ``PersonRole/viewsSetting``, which those
        /// servers don't have. The next version revokes the privilege, and removes the policy and the setting: it runs
        /// beside servers that know the views.
        static let hiddenTable = PersonTable(name: "message", isHidden: true)

        /// A view of messages that the ``PersonRole`` reads. It shows what its owner, the tables' owner, sees, and by
        /// its own condition only messages to the person who is set, or to everyone.
        ///
        /// It isn't a `security_barrier`, which would keep the order of an index from the statement that reads it: the
        /// role isn't a wall against SQL of an attacker, and a condition of a statement can't add rows to a view.
        struct MessageView: Sendable {
            let name: String
            let sql: String
            /// A part of its definition as PostgreSQL returns it, with single spaces, that limits what it shows.
            let condition: String
        }

        /// All views. Those of one partition are for the statements that name it (``SQLText/deliveryOfPerson``).
        static let views = [received, broadcasts] + partitionedViews

        private static let partitionedViews = (["delivery"] + (0..<partitions).map { partition($0, of: "delivery") })
            .flatMap { table in [inbox(table), newest(table)] }

        /// The migration's statements. A later one that changes the type of a column, or drops it, has to make the
        /// views again.
        static let messageViews =
            views.map { "CREATE VIEW \($0.name) AS \($0.sql);\n" }.joined() + policy(on: hiddenTable)

        private static let person = "nullif(current_setting('\(PersonRole.setting)', true), '')::bigint"
        private static let ofPerson = "(NULLIF(current_setting('\(PersonRole.setting)'::text, true), ''::text))::bigint"

        private static let columns: String = {
            let own = [
                "message", "person", "created", "sequence", "deliverAt", "state", "seenAt", "readAt", "archivedAt",
                "snoozedUntil", "deletedAt", "withheld",
            ]
            let others = SQLText.messageColumns.map { "m.\($0) AS \(SQLText.viewColumn($0))" }
            return (own.map { "d.\($0)" } + others).joined(separator: ", ")
        }()

        /// The messages of deliveries.
        private static let received = MessageView(
            name: "receivedMessage",
            sql: """
                SELECT \(columns) FROM delivery d JOIN message m ON m.id = d.message WHERE d.person = \(person)
                """,
            condition: "WHERE (d.person = \(ofPerson));"
        )

        private static let broadcasts = MessageView(
            name: "broadcastMessage",
            sql: """
                SELECT \(SQLText.messageColumns.joined(separator: ", ")) FROM message WHERE recipients IS NULL
                """,
            condition: "recipients IS NULL);"
        )

        /// All messages that a person may see: those of deliveries, and those to everyone.
        private static func inbox(_ table: String) -> MessageView {
            MessageView(
                name: viewName("inboxMessage", table),
                sql: """
                    SELECT \(columns)
                    FROM message m LEFT JOIN \(table) d ON d.message = m.id AND d.person = \(person)
                    WHERE d.person IS NOT NULL OR m.recipients IS NULL
                    """,
                condition: "(d.person = \(ofPerson))))) WHERE ((d.person IS NOT NULL) OR (m.recipients IS NULL));"
            )
        }

        /// The newest deliveries. The limit is inside, so that the planner knows how few messages are read for it.
        private static func newest(_ table: String) -> MessageView {
            MessageView(
                name: viewName("newestMessage", table),
                sql: """
                    SELECT \(columns) FROM (
                        SELECT * FROM \(table) WHERE person = \(person) AND state = 1 AND deletedAt IS NULL
                        ORDER BY deliverAt DESC, message DESC LIMIT \(SQLText.newestLimit)
                    ) d JOIN message m ON m.id = d.message
                    """,
                condition: "person = \(ofPerson))"
            )
        }

        private static func viewName(_ name: String, _ table: String) -> String {
            name + table.dropFirst("delivery".count)
        }
    }
#endif
