import GRDB

#if PostgreSQL
    import Postgres
#endif

/// A connection to the database in a transaction, and the statements that run on it.
///
/// The operations of the domain use nothing else of the database. Statements are prepared once for each connection,
/// unless they are marked as rare.
enum SQLConnection {
    case sqlite(Database)
    #if PostgreSQL
        case postgres(PostgresTransaction)

        /// Whether only one person's rows are read, in the role of a person.
        var isPersonal: Bool {
            if case .postgres(let transaction) = self { transaction.isPersonal } else { false }
        }
    #endif

    /// Returns the first row, or nil if there is none.
    func row(_ sql: SQLText, _ arguments: SQLArguments = [], isRare: Bool = false) throws -> SQLRow? {
        switch self {
        case .sqlite(let db):
            return try Row.fetchOne(db.statement(sql, isRare: isRare), arguments: arguments.sqlite)
                .map { SQLRow($0) }
        #if PostgreSQL
            case .postgres(let transaction):
                return try transaction.execute(sql, arguments, isRare: isRare).first.map { SQLRow($0) }
        #endif
        }
    }

    /// Queues a statement whose first row is needed after the result of the next one: PostgreSQL receives both in one
    /// round trip.
    func queuedRow(_ sql: SQLText, _ arguments: SQLArguments = []) throws -> QueuedRow {
        switch self {
        case .sqlite: return .read(try row(sql, arguments))
        #if PostgreSQL
            case .postgres(let transaction):
                return .queued(transaction.enqueueRead(.init(sql, arguments)), transaction)
        #endif
        }
    }

    /// Returns all rows.
    func rows(_ sql: SQLText, _ arguments: SQLArguments = [], isRare: Bool = false) throws -> [SQLRow] {
        switch self {
        case .sqlite(let db):
            return try Row.fetchAll(db.statement(sql, isRare: isRare), arguments: arguments.sqlite)
                .map { SQLRow($0) }
        #if PostgreSQL
            case .postgres(let transaction):
                return try transaction.execute(sql, arguments, isRare: isRare).map { SQLRow($0) }
        #endif
        }
    }

    /// Returns the first column of the first row, or nil if there is no row or it is null.
    func value<Value: SQLDecodable>(
        _ sql: SQLText,
        _ arguments: SQLArguments = [],
        isRare: Bool = false
    ) throws -> Value? {
        switch self {
        case .sqlite(let db):
            return try Value.fetchOne(db.statement(sql, isRare: isRare), arguments: arguments.sqlite)
        #if PostgreSQL
            case .postgres(let transaction):
                return try transaction.execute(sql, arguments, isRare: isRare).first.flatMap { try $0[0] }
        #endif
        }
    }

    /// Returns the first column of all rows.
    func values<Value: SQLDecodable>(
        _ sql: SQLText,
        _ arguments: SQLArguments = [],
        isRare: Bool = false
    ) throws -> [Value] {
        switch self {
        case .sqlite(let db):
            return try Value.fetchAll(db.statement(sql, isRare: isRare), arguments: arguments.sqlite)
        #if PostgreSQL
            case .postgres(let transaction):
                return try transaction.execute(sql, arguments, isRare: isRare).map { try $0[0] }
        #endif
        }
    }

    /// Returns the rows one by one.
    ///
    /// - Parameter isBounded: Whether the statement itself has a limit, so that PostgreSQL may send all rows at once.
    ///   Otherwise rows are fetched in parts, as they are read.
    func cursor(
        _ sql: SQLText,
        _ arguments: SQLArguments = [],
        isBounded: Bool = false,
        isRare: Bool = false
    ) throws -> SQLCursor {
        switch self {
        case .sqlite(let db):
            return .sqlite(try Row.fetchCursor(db.statement(sql, isRare: isRare), arguments: arguments.sqlite))
        #if PostgreSQL
            case .postgres(let transaction):
                return .postgres(try transaction.cursor(sql, arguments, isBounded: isBounded, isRare: isRare))
        #endif
        }
    }

    /// Runs a statement whose result isn't needed.
    ///
    /// PostgreSQL receives it with the next statement whose result is needed, or with the end of the transaction. Its
    /// error is thrown there, and ends the write.
    func run(_ sql: SQLText, _ arguments: SQLArguments = []) throws {
        switch self {
        case .sqlite(let db): try db.statement(sql, isRare: false).execute(arguments: arguments.sqlite)
        #if PostgreSQL
            case .postgres(let transaction): transaction.enqueue(.init(sql, arguments))
        #endif
        }
    }

    /// Locks rows, or a name, until the transaction has ended: other servers that lock the same wait. The next
    /// statement reads the latest values.
    ///
    /// The order is that of `due`, messages, people by name, counters, so that two servers don't wait for each other.
    /// SQLite has one writer, so there is nothing to lock.
    ///
    /// - Parameter sql: A `SELECT` of PostgreSQL. It is queued.
    func lock(_ sql: String, _ arguments: @autoclosure () -> SQLArguments = []) {
        #if PostgreSQL
            if case .postgres(let transaction) = self { transaction.enqueue(.init(SQLText(sql), arguments())) }
        #endif
    }

    /// Locks a name until the transaction has ended, as ``lock(_:_:)`` does.
    func lock(name: @autoclosure () -> String) {
        lock("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", [name()])
    }

    /// Locks a name until the transaction has ended, unless another server has locked it.
    ///
    /// - Returns: Whether it is locked. On SQLite, always.
    func tryLock(name: @autoclosure () -> String) throws -> Bool {
        try queuedTryLock(name: name()).isLocked()
    }

    /// Locks a name as ``tryLock(name:)`` does, in the round trip of the next statement, which runs after it, locked
    /// or not.
    func queuedTryLock(name: @autoclosure () -> String) throws -> QueuedLock {
        if case .sqlite = self { return QueuedLock(row: nil) }
        return QueuedLock(row: try queuedRow("SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0))", [name()]))
    }

    /// Runs a statement, and returns the number of rows that it inserted, changed or deleted.
    func changed(_ sql: SQLText, _ arguments: SQLArguments = []) throws -> Int {
        switch self {
        case .sqlite(let db):
            try db.statement(sql, isRare: false).execute(arguments: arguments.sqlite)
            return db.changesCount
        #if PostgreSQL
            case .postgres(let transaction): return try transaction.execute(sql, arguments).affectedRows
        #endif
        }
    }

    /// Inserts a row, and returns its number.
    ///
    /// - Parameter sql: The text for PostgreSQL returns the number.
    /// - Returns: Nil if PostgreSQL's text returned nothing.
    func inserted(_ sql: SQLText, _ arguments: SQLArguments) throws -> Int? {
        switch self {
        case .sqlite(let db):
            try db.statement(sql, isRare: false).execute(arguments: arguments.sqlite)
            return Int(db.lastInsertedRowID)
        #if PostgreSQL
            case .postgres: return try value(sql, arguments)
        #endif
        }
    }

    /// A number that grows with each change of a row. With PostgreSQL, a statement whose result isn't needed counts
    /// once, however many rows it changes.
    var changeCount: Int {
        switch self {
        case .sqlite(let db): return db.totalChangesCount
        #if PostgreSQL
            case .postgres(let transaction): return transaction.changeCount
        #endif
        }
    }
}

/// The first row of a statement that may not have been sent yet. It is valid in its transaction.
enum QueuedRow {
    case read(SQLRow?)
    #if PostgreSQL
        case queued(PostgresTransaction.QueuedResult, PostgresTransaction)
    #endif

    /// Returns the row, or nil if there is none.
    func row() throws -> SQLRow? {
        switch self {
        case .read(let row): return row
        #if PostgreSQL
            case .queued(let queued, let transaction):
                return try transaction.result(of: queued).first.map { SQLRow($0) }
        #endif
        }
    }
}

/// A lock of a name that may not have been sent yet. It is valid in its transaction.
struct QueuedLock {
    /// Nil on SQLite, which has one writer.
    fileprivate let row: QueuedRow?

    /// Returns whether the name is locked until the transaction has ended.
    func isLocked() throws -> Bool {
        guard let row else { return true }
        let isLocked: Bool? = try row.row().map { $0[0] }
        return isLocked ?? false
    }
}

/// The rows of a statement, one by one.
enum SQLCursor {
    case sqlite(RowCursor)
    #if PostgreSQL
        case postgres(PostgresCursor)
    #endif

    /// Returns the next row, which is valid until the one after it is read. Nil at the end.
    func next() throws -> SQLRow? {
        switch self {
        case .sqlite(let rows): return try rows.next().map { SQLRow($0) }
        #if PostgreSQL
            case .postgres(let rows): return try rows.next().map { SQLRow($0) }
        #endif
        }
    }
}

extension Database {
    fileprivate func statement(_ sql: SQLText, isRare: Bool) throws -> Statement {
        try isRare ? makeStatement(sql: sql.sqlite) : cachedStatement(sql: sql.sqlite)
    }
}
