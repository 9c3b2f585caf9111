#if PostgreSQL
    import Foundation
    import Postgres

    /// The number of partitions of each table of people's rows, as a process is told: 64, or the number in the
    /// environment variable `INBOX_PARTITIONS`.
    ///
    /// A new database has this number for good. Fewer partitions are for a PostgreSQL with many small databases, as that
    /// of the tests: each takes files, and time when a statement is planned.
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
        /// - Throws: ``ServerSetupError``; `PostgresError`.
        static func require(in connection: PostgresConnection) throws {
            let wanted = try value(of: environment)
            let found: Int? = try connection.execute(
                "SELECT count(*) FROM pg_inherits WHERE inhparent = to_regclass('person')"
            ).first.map { try $0[0] }
            guard let found, found > 0, found != wanted else { return }
            throw ServerSetupError(
                """
                The tables of the database have \(found) partitions, but this server is set to \(wanted). They never \
                change: \(found == standard ? "unset \(variable)" : "set \(variable) to \(found)"), and start again.
                """
            )
        }
    }
#endif
