#if PostgreSQL
    import Foundation
    import Postgres

    /// The number of partitions of each table of people's rows that a process expects: 64, or the number in the
    /// environment variable `INBOX_PARTITIONS`.
    ///
    /// A new database has this number for good. Fewer partitions are for a PostgreSQL with many small databases, as
    /// that of the tests: each takes files, and time when a statement is planned.
    enum PartitionSetting {
        static let variable = "INBOX_PARTITIONS"
        static let standard = 64

        /// The number of this process. It isn't used where ``require(in:)`` throws.
        static let current = (try? value(of: environment)) ?? standard

        private static var environment: String? { ProcessInfo.processInfo.environment[variable] }

        /// Returns the number in a text, 64 if there is none.
        ///
        /// - Throws: ``ServerSetupError`` if it isn't a number from 1 to 64.
        static func value(of text: String?) throws -> Int {
            guard let text, !text.isEmpty else { return standard }
            guard let number = Int(text), (1...standard).contains(number) else {
                throw ServerSetupError("\(variable) isn't a number from 1 to \(standard). Correct it, or unset it.")
            }
            return number
        }

        /// Checks that a database has the number of this process, or no table of people yet.
        ///
        /// The number is the one by which the hash is divided: a partition that something else has removed doesn't
        /// change it (``PersonPartition/problem(in:)``).
        ///
        /// - Throws: ``ServerSetupError``; `PostgresError`.
        static func require(in connection: PostgresConnection) throws {
            let wanted = try value(of: environment)
            // A query of the catalog: `to_regclass` still reports a table as missing after the wait for a lock.
            let numbers = try connection.execute(
                """
                SELECT DISTINCT substring(pg_get_expr(c.relpartbound, c.oid) FROM 'modulus ([0-9]+)')::bigint
                FROM pg_class p JOIN pg_namespace n ON n.oid = p.relnamespace
                JOIN pg_inherits i ON i.inhparent = p.oid JOIN pg_class c ON c.oid = i.inhrelid
                WHERE n.nspname = current_schema() AND p.relname = 'person' ORDER BY 1
                """
            ).compactMap { try $0[0] as Int? }
            guard let found = numbers.first, !numbers.contains(wanted) else { return }
            throw ServerSetupError(
                """
                The tables of the database have \(found) partitions, but this server is set to \(wanted). They never \
                change: \(found == standard ? "unset \(variable)" : "set \(variable) to \(found)"), and start again.
                """
            )
        }
    }
#endif
