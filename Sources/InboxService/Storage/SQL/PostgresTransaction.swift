#if PostgreSQL
    import Postgres

    /// A transaction on a connection to PostgreSQL, with the domain's texts and arguments.
    ///
    /// It is used by one thread at a time, in the closure that receives it.
    final class PostgresTransaction {
        let connection: PostgresConnection
        /// The partition of the person whose rows alone are read. Nil if several people's are, or if statements name
        /// the table.
        private let partition: PersonPartition?
        /// Whether statements of one person may name the partition. Otherwise they name the table, which is slower.
        let namesPartitions: Bool
        /// The number of rows that were changed, as far as their statements' results were read, and of other changing
        /// statements.
        private(set) var changeCount = 0
        private var cursorCount = 0
        /// The statements whose results are needed later, which weren't sent yet, and the results of those that were.
        private var awaited: [(number: Int, statement: PostgresStatement)] = []
        private var results: [Int: PostgresResult] = [:]
        private var lastNumber = 0

        /// - Parameter partition: That of the person whose rows alone are read.
        init(_ connection: PostgresConnection, of partition: PersonPartition? = nil, namesPartitions: Bool = false) {
            (self.connection, self.partition, self.namesPartitions) = (connection, partition, namesPartitions)
        }

        private func text(_ sql: SQLText, isRare: Bool, partition: Int? = nil) -> String {
            sql.postgres(isKept: !isRare, partition: partition ?? self.partition?.number)
        }

        private func statement(
            _ sql: SQLText,
            _ arguments: SQLArguments,
            isRare: Bool,
            partition: Int? = nil
        ) -> PostgresStatement {
            PostgresStatement(text(sql, isRare: isRare, partition: partition), arguments.values, isPrepared: !isRare)
        }

        /// Sends the queued statements and another one, and returns the result of the last.
        func execute(_ sql: SQLText, _ arguments: SQLArguments, isRare: Bool = false) throws -> PostgresResult {
            guard let result = try send([statement(sql, arguments, isRare: isRare)]).last else {
                throw RecordNotFoundError()
            }
            if !sql.sqlite.hasPrefix("SELECT") { changeCount += result.affectedRows }
            return result
        }

        /// Sends the queued statements and further ones that change rows, in one round trip.
        ///
        /// - Returns: The results of these in their order.
        func execute(_ statements: [(sql: SQLText, arguments: SQLArguments)]) throws -> [PostgresResult] {
            let results = try send(statements.map { statement($0.sql, $0.arguments, isRare: false) })
            changeCount += results.reduce(0) { $0 + $1.affectedRows }
            return results
        }

        /// Sends the queued statements and further ones, and returns the results of these.
        private func send(_ statements: [PostgresStatement]) throws -> [PostgresResult] {
            let sent = awaited
            awaited = []
            let found = try connection.pipeline(sent.map(\.statement) + statements)
            for ((number, _), result) in zip(sent, found) { results[number] = result }
            return Array(found.dropFirst(sent.count))
        }

        /// Queues a statement of which the result is needed later.
        ///
        /// - Returns: The number with which ``result(of:)`` returns it.
        func enqueueRead(_ sql: SQLText, _ arguments: SQLArguments) -> Int {
            lastNumber += 1
            awaited.append((lastNumber, statement(sql, arguments, isRare: false)))
            return lastNumber
        }

        /// Returns the result of a statement that was queued. It is sent now if nothing was sent since.
        func result(of number: Int) throws -> PostgresResult {
            if results[number] == nil { _ = try send([]) }
            guard let result = results[number] else { throw RecordNotFoundError() }
            return result
        }

        /// Queues a statement for the next round trip.
        func enqueue(_ sql: SQLText, _ arguments: SQLArguments) {
            connection.enqueue(statement(sql, arguments, isRare: false))
            changeCount += 1
        }

        /// Queues a statement on one person's row of ``SQLText/ofPerson`` for the next round trip.
        func enqueue(_ sql: SQLText, _ arguments: SQLArguments, ofPerson person: Int) {
            let partition = namesPartitions ? PersonPartition(of: person).number : nil
            connection.enqueue(statement(sql, arguments, isRare: false, partition: partition))
            changeCount += 1
        }

        /// Sends the queued statements, and a statement for each of several partitions, in one round trip.
        ///
        /// - Parameter parts: The arguments of each, and the number of the partition that it names.
        /// - Returns: Their results in this order.
        func execute(_ sql: SQLText, inPartitions parts: [(SQLArguments, Int)]) throws -> [PostgresResult] {
            try send(parts.map { statement(sql, $0, isRare: false, partition: $1) })
        }

        /// Queues a statement that changes nothing, on one person's row of ``SQLText/ofPerson``.
        func enqueueLock(_ sql: SQLText, _ arguments: SQLArguments, ofPerson person: Int) {
            connection.enqueue(
                statement(sql, arguments, isRare: false, partition: PersonPartition(of: person).number)
            )
        }

        /// Queues a statement that changes nothing.
        func enqueueLock(_ sql: SQLText, _ arguments: SQLArguments) {
            connection.enqueue(statement(sql, arguments, isRare: false))
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
            let declaration = "DECLARE \(name) NO SCROLL CURSOR FOR " + text(sql, isRare: isRare)
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
