public import Foundation
import GRDB
import Groundwork

#if PostgreSQL
    import Postgres
#endif

/// Moves a server's whole database from a SQLite file to PostgreSQL, and back.
///
/// People's numbers and accounts, the ids of messages, states, tokens, API keys, the outcomes of batches and everything
/// else stay, so that devices and the app's backend notice nothing.
///
/// - The source's rows are only read. Its server is stopped, and that of the target isn't started yet. At the end, a
///   source of PostgreSQL has a mark, with which no server goes on that wasn't seen, as it was paused or cut off.
/// - The target is a new file, or an empty database. Until the end it has a mark, with which no server starts on it.
/// - A run that was killed, or has failed, is run again with the same arguments: it continues after the last part that
///   was moved.
/// - At the end, all rows of both databases are compared, value by value.
public enum DatabaseMove {
    /// Moves a database. It blocks the calling thread until it has finished.
    ///
    /// - Parameters:
    ///   - source: A file's URL, or a `postgres:` address.
    ///   - target: The same, of the other kind.
    ///   - progress: Receives the progress after each moved part and each compared row.
    /// - Throws: ``MaintenanceError`` if a server uses one of the databases, the target has something else, a row can't
    ///   be stored there, or a database can't be reached or written; ``MoveDifferences``; ``ServerSetupError`` if
    ///   PostgreSQL doesn't suffice.
    @discardableResult
    public static func run(
        from source: URL,
        to target: URL,
        progress: @escaping (MoveProgress) -> Void = { _ in }
    ) throws -> MoveReport {
        #if PostgreSQL
            return try run(from: source, to: target, part: .init(), reached: { _ in }, progress: progress)
        #else
            throw MaintenanceError(
                "This build doesn't support PostgreSQL. Build it with libpq-dev installed: make build."
            )
        #endif
    }

    /// Returns whether one of two databases is a SQLite file, and the other one is PostgreSQL's.
    public static func isPossible(from source: URL, to target: URL) -> Bool {
        Storage.isPostgreSQL(source) != Storage.isPostgreSQL(target)
    }

    #if PostgreSQL
        /// Moves a database in parts of a size.
        ///
        /// - Parameter reached: Called at the points at which tests end a run.
        static func run(
            from source: URL,
            to target: URL,
            part: MoveRun.Part,
            reached: @escaping (MoveRun.Step) throws -> Void,
            progress: @escaping (MoveProgress) -> Void = { _ in }
        ) throws -> MoveReport {
            func move(from source: any MoveDatabase, to target: any MoveTarget) throws -> MoveReport {
                try MoveRun(source: source, target: target, part: part, reached: reached).run(progress)
            }
            guard isPossible(from: source, to: target) else {
                throw MaintenanceError(
                    "One of the two has to be a SQLite file, the other one PostgreSQL. inbox backup copies a file."
                )
            }
            do {
                if Storage.isPostgreSQL(target) {
                    return try SQLiteMoveDatabase.read(source) { source in
                        let target = try PostgresMoveDatabase(target.absoluteString)
                        defer { target.close() }
                        return try move(from: source, to: target)
                    }
                }
                let source = try PostgresMoveDatabase(source.absoluteString)
                defer { source.close() }
                return try source.read { source in
                    try SQLiteMoveDatabase.write(target) { target in try move(from: source, to: target) }
                }
            } catch let error as PostgresError {
                throw MaintenanceError(error, of: Storage.isPostgreSQL(target) ? "--to" : "--from")
            }
        }
    #endif
}

/// The progress of a move.
public struct MoveProgress: Hashable, Sendable {
    /// A phase of the move.
    public enum Phase: Hashable, Sendable {
        case moving
        case comparing
    }

    /// The current phase.
    public internal(set) var phase: Phase
    /// The number of rows that are done in this phase, including those of earlier runs.
    public internal(set) var done: Int
    /// The number of all rows in this phase.
    public internal(set) var total: Int
}

/// The result of a move.
public struct MoveReport: Sendable {
    /// The databases, without a password.
    public let source: String
    /// The databases, without a password.
    public let target: String
    /// The numbers of moved rows by table.
    public internal(set) var tables: [(name: String, rows: Int)] = []
    /// Whether an earlier run had begun the move.
    public internal(set) var isContinued = false

    /// The number of all moved rows.
    public var rows: Int { tables.reduce(0) { $0 + $1.rows } }
}

/// Rows that differ after a move. The target isn't used then: something has written to one of the databases meanwhile,
/// or one of them is damaged.
public struct MoveDifferences: Error, CustomStringConvertible {
    /// The number of all differences.
    public let count: Int
    /// The first 20 of them, each with the table, the key and the columns, in one line.
    public let differences: [String]

    /// The number of differences and the first one, with advice, in one line.
    public var description: String {
        """
        The two databases differ (\(count)): \(differences.first ?? ""). Something has written to one of them since \
        the move began, or one is damaged. The source is unchanged. Remove the target, and begin again.
        """
    }
}

#if PostgreSQL
    extension MaintenanceError {
        /// The error of PostgreSQL, with advice for the operator of a move.
        ///
        /// - Parameter option: The option of the command line with the address.
        fileprivate init(_ error: PostgresError, of option: String) {
            let text = error.sqlState.map { "\(error.message) (SQLSTATE \($0))." } ?? error.sentence
            let advice = error.setupAdvice(of: option) ?? Self.advice(for: error)
            self.init("PostgreSQL: \(text) \(advice)")
        }

        private static func advice(for error: PostgresError) -> String {
            switch error.kind {
            case .unavailable, .timedOut, .conflict, .busy:
                "Run the same command again when PostgreSQL is there: it goes on where it was."
            case .diskFull: "Free space on its disk, and run the same command again: it goes on where it was."
            default:
                error.sqlState == "53200"
                    ? "Raise max_locks_per_transaction in postgresql.conf, and restart PostgreSQL." : error.advice
            }
        }
    }
#endif
