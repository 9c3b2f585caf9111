#if PostgreSQL
    import Postgres

    /// The findings that follow from the values that were read.
    extension PostgresCheckup {
        /// Compares the migrations with those that this version knows.
        ///
        /// - Parameter applied: The names, each with that of the migration that servers have to know.
        static func schema(_ applied: [String: String?]) -> Finding {
            let known = PostgresSchema.migrations.map(\.name)
            let needed = Set(applied.values.compactMap { $0 }).subtracting(known).sorted()
            guard needed.isEmpty else {
                return Finding(
                    "Schema",
                    "newer than this version: \(needed.joined(separator: ", "))",
                    .trouble,
                    "Use the version of inbox that wrote it, or a later one."
                )
            }
            let missing = known.filter { !applied.keys.contains($0) }
            guard missing.isEmpty else {
                return Finding(
                    "Schema",
                    "older than this version: \(missing.joined(separator: ", ")) missing",
                    .notice,
                    "The server migrates it at startup."
                )
            }
            let unknown = Set(applied.keys).subtracting(known).sorted()
            guard unknown.isEmpty else {
                return Finding(
                    "Schema",
                    "newer than this version, which works with it: \(unknown.joined(separator: ", "))",
                    .notice,
                    "Use the version of inbox that wrote it once all servers have it."
                )
            }
            return Finding("Schema", "current (\(applied.count))")
        }

        /// The finding about the connection's protection.
        ///
        /// - Parameter protection: That of a connection from this machine, with the address that was given.
        static func network(_ protection: PostgresConnection.Protection) -> Finding {
            let value =
                switch protection {
                case .local: "PostgreSQL is on this machine"
                case .verified: "encrypted, with a server that was verified"
                case .encrypted: "encrypted, with any server that answers"
                case .unprotected: "not encrypted"
                }
            return Finding(
                "Network",
                value,
                [.local, .verified].contains(protection) ? .good : .notice,
                "Whoever controls the network may read and change what is sent, and learn the password. Add "
                    + "sslmode=verify-full to the address, and sslrootcert=FILE where the authority is your own."
            )
        }

        /// Compares the connections that are allowed with those that servers need.
        ///
        /// - Parameters:
        ///   - available: The number of connections of the servers' user.
        ///   - most: `max_connections`.
        ///   - used: The number of open connections to all databases.
        ///   - servers: The number of servers that send heartbeats.
        ///   - each: The number of connections of one server.
        static func connections(
            _ available: Int,
            of most: Int,
            used: Int,
            servers: Int,
            each: Int = PostgresStorage.connectionCount
        ) -> Finding {
            let room = available / each
            return Finding(
                "Connections",
                "\(available) of max_connections = \(most), \(used) in use; a server needs \(each): room for \(room)",
                room < max(servers, 1) ? .trouble : room == servers ? .notice : .good,
                "Raise max_connections, and limits of the database and the user. A server that replaces another one "
                    + "needs its connections before that one ends."
            )
        }

        /// Compares the size of the table of locks with the number that sends to many people need.
        ///
        /// - Parameters:
        ///   - limit: `max_locks_per_transaction`.
        ///   - transactions: The number of transactions for which there is room of this size.
        ///   - needed: The number of tables, partitions and indexes, each of which the transaction of a send may lock.
        ///   - servers: The number of servers that send heartbeats, each of which has one that writes.
        static func locks(
            _ limit: Int,
            times transactions: Int,
            for needed: Int,
            servers: Int
        ) -> Finding {
            let room = limit * transactions / max(needed, 1)
            return Finding(
                "Locks",
                "max_locks_per_transaction = \(limit), \(limit * transactions) in all; a send to many people needs up "
                    + "to \(needed): room for \(room) servers that do so at once, with \(servers) running",
                room < 1 ? .trouble : room < servers ? .notice : .good,
                "Set max_locks_per_transaction = 256 in postgresql.conf, and restart PostgreSQL."
            )
        }

        /// The finding about the servers that share the database.
        ///
        /// - Parameters:
        ///   - alive: The numbers of the servers that send heartbeats.
        ///   - silent: The numbers of those that don't any more.
        static func servers(_ alive: [Int], silent: [Int]) -> Finding {
            func list(_ ids: [Int]) -> String { ids.map { "\($0)" }.joined(separator: ", ") }
            let text = alive.isEmpty ? "none runs" : "\(alive.count) running: \(list(alive))"
            // A number stays until the next server takes it, so it is no finding.
            return Finding("Servers", silent.isEmpty ? text : "\(text); killed or cut off: \(list(silent))")
        }

        /// The finding about the queue of notifications.
        ///
        /// - Parameter usage: The used part of the queue of notifications, from 0 to 1.
        static func notifications(_ usage: Double) -> Finding {
            Finding(
                "Queue",
                "\(Int((usage * 100).rounded(.up))) % of the notifications' queue in use",
                usage >= 0.5 ? .trouble : usage >= 0.1 ? .notice : .good,
                "A connection that listens has a transaction open, or its program hangs. Find it in pg_stat_activity, "
                    + "and end it: with a full queue, servers can't announce what they commit."
            )
        }

        /// The finding about the difference of the clocks.
        ///
        /// - Parameter difference: The seconds by which the database's clock is ahead of this machine's.
        static func clock(_ difference: Double) -> Finding {
            Finding(
                "Clock",
                "the database's is \(ClockDifference.text(of: difference)) this machine's",
                abs(difference) > 5 ? .trouble : abs(difference) > 2 ? .notice : .good,
                "Synchronize both by NTP. What ends tokens holds for clocks that differ by up to 5 s."
            )
        }
    }
#endif
