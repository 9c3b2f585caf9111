#if PostgreSQL
    import Foundation
    import Postgres

    /// The mark in a database that has lost commits, by which all of its servers know.
    ///
    /// A server finds the loss by its own row, and only if what is lost was confirmed to it. The mark is a setting,
    /// which servers of earlier versions ignore. It stays until `inbox restore` begins a new generation of states.
    enum LostCommits {
        /// The name of the setting.
        static let setting = "lostCommits"

        static let description = """
            The database has lost commits that it had confirmed, as by a failover to a standby that hadn't received \
            them. Stop all servers, run inbox restore --database, and start them again.
            """

        /// Makes the mark, unless it is there, or the database was moved or restored, or the rows of all servers were
        /// deleted, since the server's number was acquired: then the server is left over from before, and what its row
        /// lacks is no loss.
        static func mark(_ connection: PostgresConnection, by number: NodeNumber) throws {
            try connection.execute(
                """
                INSERT INTO setting (name, value)
                SELECT $1, $2 FROM node HAVING count(*) > 0 AND max(fence) IS NOT DISTINCT FROM $3
                ON CONFLICT (name) DO NOTHING
                """,
                [setting, Data(), number.fence]
            )
        }

        /// Queues the removal of the mark.
        static func enqueueRemoval(_ connection: PostgresConnection) {
            connection.enqueue("DELETE FROM setting WHERE name = $1", [setting])
        }

        static func isMarked(_ connection: PostgresConnection) throws -> Bool {
            try !connection.execute("SELECT FROM setting WHERE name = $1", [setting]).isEmpty
        }

        /// Verifies that a database doesn't have the mark.
        ///
        /// - Throws: ``ServerSetupError``; `PostgresError`.
        static func refuse(in connection: PostgresConnection) throws {
            if try isMarked(connection) { throw ServerSetupError(description) }
        }
    }
#endif
