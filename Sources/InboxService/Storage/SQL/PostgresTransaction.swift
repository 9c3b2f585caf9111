#if PostgreSQL
    import Postgres

    /// A transaction on a connection to PostgreSQL, with the domain's texts and arguments.
    ///
    /// A statement is sent in one of three ways:
    ///
    /// - ``execute(_:)`` sends it now, with all that is queued, in one round trip. It returns the result.
    /// - ``enqueueRead(_:)`` leaves it to the next round trip, and keeps the result for ``result(of:)``.
    /// - ``enqueue(_:)`` leaves it to the next round trip, or to the commit. The result is dropped.
    ///
    /// The error of any of them is thrown by the round trip that sends it, and ends the transaction or its savepoint.
    /// In a round trip, those of ``enqueue(_:)`` come first, then those of ``enqueueRead(_:)``, then the others, each
    /// in their order. One of ``enqueueRead(_:)`` that is followed by no further round trip, and whose result isn't
    /// needed, isn't sent. Each is prepared once for the connection, unless it is rare, or goes through a pooler.
    ///
    /// ``cursor(_:_:isBounded:isRare:)`` is for results of which not all rows may be in memory at once.
    ///
    /// It is used by one thread at a time, in the closure that receives it.
    final class PostgresTransaction {
        /// A statement of the domain.
        struct Statement {
            let sql: SQLText
            let arguments: SQLArguments
            /// The person whose row of ``SQLText/ofPerson`` it is about: the statement names the partition, if
            /// statements may. Nil if it names the table, or the partition of the person whose rows alone are read.
            let person: Int?
            /// Whether the text won't come again, so that it isn't prepared.
            let isRare: Bool

            init(_ sql: SQLText, _ arguments: SQLArguments, ofPerson person: Int? = nil, isRare: Bool = false) {
                (self.sql, self.arguments, self.person, self.isRare) = (sql, arguments, person, isRare)
            }

            /// Whether it changes rows. A `SELECT` reads or locks them.
            fileprivate var isChange: Bool { !sql.sqlite.utf8.starts(with: "SELECT".utf8) }
        }

        /// A statement that was queued to be read, and its result once it was sent.
        final class QueuedResult {
            fileprivate let statement: PostgresStatement
            fileprivate var result: PostgresResult?

            fileprivate init(of statement: PostgresStatement) {
                self.statement = statement
            }
        }

        let connection: PostgresConnection
        /// The partition of the person whose rows alone are read. Nil if several people's are, or if statements name
        /// the table.
        private let partition: PersonPartition?
        /// Whether only one person's rows are read, in the ``PersonRole``.
        let isPersonal: Bool
        /// Whether statements of one person may name the partition. Otherwise they name the table, which is slower.
        let namesPartitions: Bool
        /// The number of rows that were changed by statements whose results were read, and of other changing
        /// statements.
        private(set) var changeCount = 0
        private var cursorCount = 0
        /// The statements of ``enqueueRead(_:)`` that weren't sent yet.
        private var unread: [QueuedResult] = []

        /// - Parameters:
        ///   - partition: That of the person whose rows alone are read.
        ///   - isPersonal: Whether only one person's rows are read, in the ``PersonRole``.
        init(
            _ connection: PostgresConnection,
            of partition: PersonPartition? = nil,
            isPersonal: Bool = false,
            namesPartitions: Bool = false
        ) {
            (self.connection, self.partition) = (connection, partition)
            (self.isPersonal, self.namesPartitions) = (isPersonal, namesPartitions)
        }

        private func text(_ sql: SQLText, of person: Int? = nil) -> String {
            let own = person.flatMap { namesPartitions ? PersonPartition(of: $0) : nil }
            return sql.postgres(partition: (own ?? partition)?.number, isPersonal: isPersonal)
        }

        private func postgres(_ statement: Statement) -> PostgresStatement {
            PostgresStatement(
                text(statement.sql, of: statement.person),
                statement.arguments.values,
                isPrepared: !statement.isRare
            )
        }

        /// Sends the queued statements and further ones, in one round trip.
        ///
        /// - Returns: The results of the further ones in their order.
        func execute(_ statements: [Statement]) throws -> [PostgresResult] {
            let results = try send(statements.map(postgres))
            for (statement, result) in zip(statements, results) where statement.isChange {
                changeCount += result.affectedRows
            }
            return results
        }

        /// Sends the queued statements and another one, and returns its result.
        func execute(_ sql: SQLText, _ arguments: SQLArguments, isRare: Bool = false) throws -> PostgresResult {
            guard let result = try execute([Statement(sql, arguments, isRare: isRare)]).last else {
                throw RecordNotFoundError()
            }
            return result
        }

        /// Queues a statement of which the result is needed later.
        func enqueueRead(_ statement: Statement) -> QueuedResult {
            let queued = QueuedResult(of: postgres(statement))
            unread.append(queued)
            return queued
        }

        /// Returns the result of a statement that was queued here. It is sent now if nothing was sent since.
        func result(of queued: QueuedResult) throws -> PostgresResult {
            if queued.result == nil { _ = try send([]) }
            guard let result = queued.result else { throw RecordNotFoundError() }
            return result
        }

        /// Queues a statement whose result isn't needed: it changes rows, or locks them.
        func enqueue(_ statement: Statement) {
            connection.enqueue(postgres(statement))
            if statement.isChange { changeCount += 1 }
        }

        /// Sends the queued statements and further ones, and returns the results of these.
        private func send(_ statements: [PostgresStatement]) throws -> [PostgresResult] {
            let sent = unread
            unread = []
            let found = try connection.pipeline(sent.map(\.statement) + statements)
            for (queued, result) in zip(sent, found) { queued.result = result }
            return Array(found.dropFirst(sent.count))
        }

        /// Returns the rows of a statement one by one.
        ///
        /// - Parameter isBounded: Whether they are read at once. Otherwise they are fetched in parts.
        func cursor(
            _ sql: SQLText,
            _ arguments: SQLArguments,
            isBounded: Bool,
            isRare: Bool
        ) throws -> PostgresCursor {
            if isBounded { return PostgresCursor(rows: try execute(sql, arguments, isRare: isRare)) }
            cursorCount += 1
            let name = "rows\(cursorCount)"
            let declaration = "DECLARE \(name) NO SCROLL CURSOR FOR " + text(sql)
            connection.enqueue(PostgresStatement(declaration, arguments.values, isPrepared: false))
            return try PostgresCursor(name: name, on: connection)
        }

        /// Reads within a budget: the connection cancels the statement that is still running at its end, or when the
        /// budget is stopped.
        ///
        /// - Parameter whenSlow: Called once, on the reading thread, if a statement runs when the read has taken longer
        ///   than a legitimate one usually does.
        /// - Throws: ``BudgetError`` if the budget is used up, or the error of `body`.
        func within<Value>(
            _ budget: RequestBudget,
            whenSlow: @escaping @Sendable () -> Void,
            _ body: () throws -> Value
        ) throws -> Value {
            let start = ContinuousClock.now
            let deadline = try budget.deadline(startingAt: start)
            let former = connection.deadline
            connection.deadline = former.map { min($0, deadline) } ?? deadline
            // Asked now and then while a statement runs. A timer would be a task for each read.
            var isSlow = false
            connection.shouldCancel = {
                let now = ContinuousClock.now
                if !isSlow, now - start > RequestBudget.slowThreshold {
                    isSlow = true
                    whenSlow()
                }
                return budget.stopReason(deadline: deadline, now: now) != nil
            }
            defer {
                connection.deadline = former
                connection.shouldCancel = nil
                budget.spend(ContinuousClock.now - start)
            }
            do {
                return try body()
            } catch let error as PostgresError where error.kind == .timedOut {
                throw budget.stopReason(deadline: deadline, now: .now).map { BudgetError($0) } ?? error
            }
        }
    }

    /// The rows of a statement, one by one. Those of a large result are fetched in parts.
    final class PostgresCursor {
        private var rows: PostgresResult
        private var index = 0
        /// Nil if there are no further parts.
        private var part: (name: String, connection: PostgresConnection)?

        /// The number of rows of the next part. A row may have a message's whole content.
        private var size = 8
        /// The size of a part in bytes from which on the next one has fewer rows, and up to which it has more.
        private static let (largePart, smallPart) = (1 << 20, 1 << 18)

        fileprivate init(rows: PostgresResult) {
            self.rows = rows
        }

        fileprivate init(name: String, on connection: PostgresConnection) throws {
            rows = try connection.execute("FETCH \(size) FROM \(name)")
            if rows.count == size { part = (name, connection) }
        }

        private func fetchPart(_ name: String, _ connection: PostgresConnection) throws {
            switch rows.size {
            case Self.largePart...: size = max(size / 8, 1)
            case ...Self.smallPart: size = min(size * 2, 64)
            default: break
            }
            (rows, index) = (try connection.execute("FETCH \(size) FROM \(name)"), 0)
            if rows.count < size { part = nil }
        }

        func next() throws -> PostgresRow? {
            if index == rows.count, let (name, connection) = part { try fetchPart(name, connection) }
            guard index < rows.count else { return nil }
            defer { index += 1 }
            return rows[index]
        }
    }
#endif
