import CLibpq
import Foundation

extension PostgresConnection {
    /// Queues a statement, which the next round trip sends first. Its result is dropped. Its error is thrown there,
    /// with its text.
    package func enqueue(_ statement: PostgresStatement) {
        queue.append(statement)
    }

    package func enqueue(_ sql: String, _ parameters: [any PostgresEncodable] = []) {
        queue.append(PostgresStatement(sql, parameters))
    }

    /// Sends the queued statements and this one, in one round trip, and returns its result.
    ///
    /// - Throws: ``PostgresError``. Outside of a transaction nothing of the round trip took effect, unless
    ///   ``PostgresError/mayHaveCommitted``.
    @discardableResult
    package func execute(_ sql: String, _ parameters: [any PostgresEncodable] = []) throws(PostgresError)
        -> PostgresResult
    {
        let results = try pipeline([PostgresStatement(sql, parameters)])
        guard let result = results.last else { throw PostgresError(.other, "no result") }
        return result
    }

    /// Sends the queued statements and these, in one round trip, and returns the results of these in their order.
    ///
    /// Statements outside of a transaction are one: all of them take effect, or none. Where `BEGIN` is among them, and
    /// one after it fails, the transaction has been rolled back when this throws.
    ///
    /// - Throws: ``PostgresError``, which names the first statement that failed. The queued ones count from 0, too.
    @discardableResult
    package func pipeline(_ statements: [PostgresStatement]) throws(PostgresError) -> [PostgresResult] {
        let wasInTransaction = isInTransaction
        let queued = queue.count
        let all = queue + statements
        queue = []
        guard !all.isEmpty else { return [] }
        do throws(PostgresError) {
            return Array(try roundTrip(all).dropFirst(queued))
        } catch {
            if isInTransaction, !wasInTransaction, !isInTransactionBlock { rollback() }
            throw error
        }
    }

    /// The server's next answer.
    enum Answer {
        case removed
        case prepared(statement: Int, key: StatementCache.Key, name: String)
        case executed(statement: Int)
    }

    /// Sends statements and reads all of their results.
    func roundTrip(_ statements: [PostgresStatement]) throws(PostgresError) -> [PostgresResult] {
        guard let handle else { throw PostgresError(.unavailable, "the connection is closed") }
        guard !isEnding else { throw PostgresError(.unavailable, "the connection is being closed") }
        guard readUnreadAnswer() else { throw PostgresError(.unavailable, "the connection was lost") }
        if let deadline, deadline <= .now {
            throw PostgresError(.timedOut, "the deadline passed before the statement was sent")
        }
        // Before anything is sent: a value that can't be sent leaves the connection as it is.
        var parameters: [EncodedParameters] = []
        parameters.reserveCapacity(statements.count)
        for (index, statement) in statements.enumerated() {
            do throws(PostgresError) {
                parameters.append(try EncodedParameters(statement))
            } catch {
                throw error.naming(index, statement.sql)
            }
        }
        let before = PQtransactionStatus(handle)
        let answers = try send(statements, parameters, hasFailed: before == PQTRANS_INERROR)
        // Where it can't be sent, the connection is closed. The commit was sent, so that the outcome is the reading's.
        let followUp = statements.last?.effect == .commit ? (try? sendFollowUp()) : nil
        roundTrips += 1
        notices.forgetUncertainCommit()
        var reading = PipelineReading(
            statements: statements,
            wasIdle: before == PQTRANS_IDLE,
            usesPooler: settings.usesPooler
        )
        do throws(PostgresError) {
            try flush(&reading)
            for answer in answers { try read(answer, into: &reading) }
            try readEnd(&reading)
        } catch {
            // No answer of the server: the connection is lost, or the deadline has passed and it was closed.
            close()
            // An error that had come before is the outcome.
            if let failure = reading.failure { throw failure }
            if reading.isKnownCommitted { return reading.results }
            var lost = error
            lost.mayHaveCommitted = reading.mayHaveCommitted
            throw lost
        }
        reading.end(isUncertain: notices.hasUncertainCommit)
        if let followUp {
            unreadAnswer =
                reading.failure == nil ? followUp : UnreadAnswer(answers: followUp.answers, whenFailed: {})
            // Whether a transaction is open is known behind it.
            if reading.failure != nil { _ = readUnreadAnswer() }
        }
        discarded += cache.trim()
        if let failure = reading.failure {
            if failure.outdatesStatements { discarded += cache.removeAll() }
            if failure.endsConnection { close() }
            throw failure
        }
        return reading.results
    }

    // MARK: Sending

    func send(
        _ statements: [PostgresStatement],
        _ parameters: [EncodedParameters],
        hasFailed: Bool
    ) throws(PostgresError) -> [Answer] {
        var answers: [Answer] = []
        // In a failed transaction it would be refused.
        if !hasFailed {
            for name in discarded {
                try sent(PQsendQueryParams(handle, "DEALLOCATE \(name)", 0, nil, nil, nil, nil, 1))
                answers.append(.removed)
            }
            discarded = []
        }
        var preparing: [StatementCache.Key: String] = [:]
        for (index, (statement, parameters)) in zip(statements, parameters).enumerated() {
            // The answers so far come at once, and not with that to the commit: it is known when it is the one that
            // runs (`PipelineReading.isCommitting`).
            if statement.effect == .commit, index > 0 { try sent(PQsendFlushRequest(handle)) }
            if settings.usesPooler || !statement.isPrepared {
                try sent(
                    parameters.withPointers { types, values, lengths, formats in
                        PQsendQueryParams(
                            handle,
                            statement.sql,
                            Int32(parameters.count),
                            types,
                            values,
                            lengths,
                            formats,
                            1
                        )
                    }
                )
            } else {
                let key = StatementCache.Key(sql: statement.sql, types: parameters.types)
                var name = cache.name(of: key) ?? preparing[key]
                if name == nil {
                    let new = cache.newName()
                    try sent(PQsendPrepare(handle, new, statement.sql, Int32(parameters.count), parameters.types))
                    answers.append(.prepared(statement: index, key: key, name: new))
                    preparing[key] = new
                    name = new
                }
                try sent(
                    parameters.withPointers { _, values, lengths, formats in
                        PQsendQueryPrepared(handle, name, Int32(parameters.count), values, lengths, formats, 1)
                    }
                )
            }
            answers.append(.executed(statement: index))
        }
        try sent(PQpipelineSync(handle))
        return answers
    }

    private func sent(_ code: Int32) throws(PostgresError) {
        guard code != 1 else { return }
        let reason = handle.map { String(cString: PQerrorMessage($0)).firstLine } ?? "the connection is closed"
        // A pipeline that is sent in part can't be withdrawn.
        close()
        throw PostgresError(.unavailable, reason)
    }

    /// Sends the buffered data. Answers are read meanwhile: unread ones would block the server.
    private func flush(_ reading: inout PipelineReading) throws(PostgresError) {
        guard let handle else { return }
        while true {
            switch PQflush(handle) {
            case 0: return
            case 1:
                try waitForServer(POLLIN | POLLOUT, &reading)
                guard PQconsumeInput(handle) == 1 else { throw lost }
            default: throw lost
            }
        }
    }

    // MARK: Reading

    private func read(_ answer: Answer, into reading: inout PipelineReading) throws(PostgresError) {
        guard let pointer = try nextResult(&reading) else { throw lost }
        let result = PostgresResult(pointer)
        let status = PQresultStatus(pointer)
        switch status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
            switch answer {
            case .removed: break
            case .prepared(_, let key, let name): cache.add(key, name: name)
            case .executed: try reading.add(result)
            }
        case PGRES_PIPELINE_ABORTED: break
        default:
            guard let handle, reading.failure == nil else { break }
            // libpq's own result of a lost connection has no SQLSTATE.
            if PQstatus(handle) != CONNECTION_OK, PQresultErrorField(pointer, 67 /* C */) == nil { throw lost }
            let index =
                switch answer {
                case .removed: 0
                case .prepared(let statement, _, _), .executed(let statement): statement
                }
            reading.fail(PostgresError(pointer), at: index)
        }
        // The end of this statement's results.
        if let more = try nextResult(&reading) {
            PQclear(more)
            throw PostgresError(.other, "more than one result; is it a COPY?")
        }
    }

    /// Reads the end of the pipeline, after which the state of the transaction is known.
    private func readEnd(_ reading: inout PipelineReading) throws(PostgresError) {
        guard let pointer = try nextResult(&reading) else { throw lost }
        defer { PQclear(pointer) }
        guard PQresultStatus(pointer) == PGRES_PIPELINE_SYNC else { throw lost }
        try waitForCancellation(&reading)
    }

    /// Waits for the next result. Nil is the end of a statement's results, or a lost connection.
    private func nextResult(_ reading: inout PipelineReading) throws(PostgresError) -> OpaquePointer? {
        guard let handle else { return nil }
        while PQisBusy(handle) == 1 {
            try waitForServer(POLLIN, &reading)
            guard PQconsumeInput(handle) == 1 else { throw lost }
        }
        return PQgetResult(handle)
    }

    var lost: PostgresError {
        let reason = handle.map { String(cString: PQerrorMessage($0)).firstLine } ?? ""
        return PostgresError(.unavailable, reason.isEmpty ? "the connection was lost" : reason)
    }

    /// Waits for the server. When the deadline passes, cancels the statement, and waits a little longer.
    ///
    /// A commit isn't cancelled: one that waits for a standby would be confirmed then, without it.
    private func waitForServer(_ events: Int32, _ reading: inout PipelineReading) throws(PostgresError) {
        let end = reading.cancellation?.end ?? deadline
        guard try !waitUnlessCancelled(for: events, until: end, isCancelled: reading.cancellation != nil) else {
            return
        }
        guard reading.cancellation == nil else {
            throw PostgresError(.timedOut, "no answer after the statement was cancelled")
        }
        guard !reading.isCommitting else { throw PostgresError(.timedOut, "the commit wasn't confirmed in time") }
        reading.cancellation = startCancellation()
    }

    /// Waits until the socket can be read or written, the time has come, or ``shouldCancel`` or ``shouldEnd`` says so.
    ///
    /// - Returns: Whether the socket can be read or written.
    func waitUnlessCancelled(
        for events: Int32,
        until end: ContinuousClock.Instant?,
        isCancelled: Bool = false
    ) throws(PostgresError) -> Bool {
        guard shouldCancel != nil || shouldEnd != nil, !isCancelled else { return try wait(for: events, until: end) }
        while true {
            let next = ContinuousClock.now + Self.cancellationInterval
            if try wait(for: events, until: end.map { min($0, next) } ?? next) { return true }
            if shouldCancel?() ?? false || isEnding || end.map({ $0 <= .now }) ?? false { return false }
        }
    }

    /// Waits until the request to cancel has been handled, so that it can't reach a later statement.
    private func waitForCancellation(_ reading: inout PipelineReading) throws(PostgresError) {
        guard let cancellation = reading.cancellation, !cancellation.isHandled(within: limits.cancellation) else {
            return
        }
        if reading.failure == nil {
            reading.failure = PostgresError(.timedOut, "the request to cancel wasn't handled")
        }
        throw PostgresError(.timedOut, "the request to cancel wasn't handled")
    }
}

extension PostgresStatement {
    static let rollback = PostgresStatement("ROLLBACK", [], isPrepared: false, effect: .rollback)
    /// The number of statements that begin a transaction in each mode, or commit it.
    static let ofTransactions = 4
    static let commit = PostgresStatement("COMMIT", [], isPrepared: true, effect: .commit)
}
