public import Foundation
import Groundwork

#if PostgreSQL
    import Postgres
#endif

/// A database of PostgreSQL that its own tools have restored, before a server starts on it.
///
/// Devices and servers know states that are later than the backup. Without a new generation, the same sequences would
/// be given to other changes, and a device that was ahead would be answered that there is nothing new.
public enum RestoredDatabase {
    /// Begins a new generation of states. Each device's state becomes invalid once: the device reconciles its records
    /// with the server, and keeps its unsent changes.
    ///
    /// To do it twice does no harm. Heartbeats of servers that are in the backup are watched for 3 seconds.
    ///
    /// - Parameters:
    ///   - address: A `postgres:` address.
    ///   - now: The time of the call. Generations are counted by it.
    /// - Throws: ``MaintenanceError`` if a server uses the database, if it isn't a server's, or if it can't be reached
    ///   or written. ``ServerSetupError`` if PostgreSQL doesn't suffice.
    public static func beginGeneration(of address: URL, now: Date = Date()) throws {
        #if PostgreSQL
            do {
                let database = try PostgresMoveDatabase(address.absoluteString)
                defer { database.close() }
                try database.beginGeneration(at: now)
            } catch let error as PostgresError {
                throw MaintenanceError("The database can't be written: \(error.sentence) \(error.openingAdvice)")
            }
        #else
            throw MaintenanceError(
                "This build doesn't support PostgreSQL. Build it with libpq-dev installed: make build."
            )
        #endif
    }
}

#if PostgreSQL
    extension PostgresMoveDatabase {
        fileprivate func beginGeneration(at now: Date) throws {
            try connection.transaction { connection in
                guard try connection.execute("SELECT to_regclass('counter') IS NOT NULL")[0][0] else {
                    throw MaintenanceError("\(name) isn't an inbox server's database.")
                }
                if let text = try UnfinishedMove.problem(of: name, in: db) { throw MaintenanceError(text) }
                for row in try connection.execute(
                    "SELECT name, value FROM counter WHERE name IN ('broadcast', 'surface') ORDER BY name FOR UPDATE"
                ) {
                    let value = PersonState.nextGeneration(after: try row[1], at: now)
                    connection.enqueue("UPDATE counter SET value = $1 WHERE name = $2", [value, try row[0] as String])
                }
                LostCommits.enqueueRemoval(connection)
                // Nothing was applied again.
                try WriteTransaction(db: db, now: now, lastMessageID: 0, random: .system)
                    .audit(.databaseRestored, by: .tool, detail: RestoreReport().detail)
            }
        }
    }
#endif
