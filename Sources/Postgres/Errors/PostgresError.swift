/// A failure of PostgreSQL, of the connection to it, or of its use.
///
/// It holds no values of parameters or rows, no password, and no part of a connection string that could hold one.
package struct PostgresError: Error, Sendable {
    /// The kinds of errors, by the caller's possible reactions.
    package enum Kind: String, Sendable, CaseIterable {
        /// The database can't be reached, was lost, is shutting down, or doesn't accept writes.
        case unavailable
        /// All connections of a pool are in use, and none became free in time.
        case busy
        /// Another transaction was in the way: a serialization failure, a deadlock, or a change of the schema.
        case conflict
        /// A row with the same unique values exists.
        case uniqueViolation
        /// The statement took longer than its timeout, the lock's or the caller's deadline.
        case timedOut
        /// The disk of the database is full.
        case diskFull
        /// The database rejects the user, the password or the name, or the settings of the connection are invalid.
        case rejected
        /// The database lacks a table, a right or something else that the statement needs: a backup is being restored
        /// into it, something has changed its schema or the user's rights, or the statement is wrong.
        case incomplete
        /// A value can't be stored, or a column has another type than the one that was requested.
        case invalidValue
        /// Any other error: of the statement, of its data, or of its use.
        case other
    }

    package let kind: Kind
    /// The five characters of SQLSTATE (PostgreSQL, appendix A). Nil if the error isn't the database's.
    package let sqlState: String?
    /// The database's primary message or one of this module. Messages of the database about data (class 22) are left
    /// out, because they quote it.
    package let message: String
    /// ``message`` with a mark at its end: libpq ends some of its own with a question.
    package var sentence: String { message.last.map { ".?!".contains($0) } ?? true ? message : message + "." }
    /// The violated constraint.
    package let constraint: String?
    /// The place of the failed statement in its pipeline, from 0.
    package internal(set) var statement: Int?
    /// The text of the failed statement, which never contains values of parameters.
    package internal(set) var sql: String?
    /// Whether the outcome is unknown: the connection was lost after a commit was sent, and before it was confirmed. A
    /// caller has to look for the effect before it writes again.
    package internal(set) var mayHaveCommitted = false
    /// Whether it is of an attempt to connect. Then the SQLSTATE is known only where the server's text isn't.
    package internal(set) var isOfConnecting = false
    /// Whether the server has ended the connection with this error (severity FATAL or PANIC).
    var isFatal = false
    /// Whether the connection has to be opened again: the server closes it, or it is a standby's.
    var endsConnection = false
    /// Whether a prepared statement reads a table that was changed since.
    var outdatesStatements = false

    init(
        _ kind: Kind,
        _ message: String,
        sqlState: String? = nil,
        constraint: String? = nil,
        mayHaveCommitted: Bool = false
    ) {
        self.kind = kind
        self.message = message
        self.sqlState = sqlState
        self.constraint = constraint
        self.mayHaveCommitted = mayHaveCommitted
    }

    /// The advice for an operator, in one sentence.
    package var advice: String {
        switch kind {
        case .unavailable where isOfConnectionLimit: "\(Self.connectionLimitAdvice) The server goes on by itself then."
        case .unavailable: "The server goes on by itself once PostgreSQL can be reached and accepts writes."
        case .conflict: "Run the transaction again."
        case .uniqueViolation: "Read the row that exists."
        case .busy, .timedOut: "The server goes on by itself; if this lasts, pg_stat_activity shows what takes long."
        case .diskFull: "Free space on the disk of the database; writes work again by themselves."
        case .rejected: "Check the address, the user and the password of the database."
        case .incomplete:
            "A table, a right or something else that this needs is missing in the database: let a restore that runs "
                + "end, or run inbox doctor --database."
        case .invalidValue: "Check the value, or the statement's types."
        case .other: "Check the statement and the schema."
        }
    }

    /// Whether the database accepts no further connection, by its own limit or that of the user or the database. A
    /// server that writes in another language has a SQLSTATE.
    package var isOfConnectionLimit: Bool {
        guard sqlState == nil || isOfConnecting else { return false }
        let texts = ["connection slots are reserved", "too many connections for", "too many clients"]
        return sqlState == "53300" || texts.contains { message.contains($0) }
    }

    /// The advice at such a limit.
    package static let connectionLimitAdvice =
        "Raise max_connections, or the limit of the user or the database, or end other connections."

    /// Checks the size of a value: PostgreSQL's limit is 1 GB.
    static func checkSize(_ bytes: Int) throws(PostgresError) {
        guard bytes < 1 << 30 else { throw PostgresError(.invalidValue, "the value is larger than 1 GB") }
    }

    /// The error of a commit that the server confirms, and that may be on no standby.
    static let uncertainCommit = PostgresError(
        .timedOut,
        "the wait for a commit was cancelled",
        mayHaveCommitted: true
    )

    /// Returns the error of a transaction that couldn't begin, because the server doesn't accept it.
    ///
    /// A standby refuses transactions that write, and serializable ones, with SQLSTATE 0A000, which many other
    /// statements have that are at fault themselves.
    var ofBeginning: PostgresError {
        guard sqlState == "0A000" else { return self }
        var error = PostgresError(.unavailable, message, sqlState: sqlState)
        error.endsConnection = true
        return error
    }

    /// Returns the error with the statement that failed.
    func naming(_ index: Int, _ sql: String) -> PostgresError {
        var error = self
        error.statement = index
        error.sql = sql
        return error
    }
}

extension PostgresError: CustomStringConvertible {
    package var description: String {
        var text = message
        if let sqlState { text += " (SQLSTATE \(sqlState))" }
        if let constraint { text += ", constraint \(constraint)" }
        if let sql {
            let line = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            text += ", in statement \(statement ?? 0): \(line.prefix(120))"
        }
        if mayHaveCommitted { text += "; the transaction may have been committed" }
        return text + ": " + advice
    }
}
