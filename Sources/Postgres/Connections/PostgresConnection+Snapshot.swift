import CLibpq
import Foundation

extension PostgresConnection {
    /// Reads from a snapshot, in a transaction of its own.
    ///
    /// Nothing waits for the end of a transaction that changes nothing: it is sent, and its answer is read with the
    /// connection's next use.
    ///
    /// - Parameters:
    ///   - body: Uses the connection it receives. If it throws, the transaction is rolled back.
    ///   - whenRead: Called with the value, before the end is sent.
    /// - Throws: The error of `body`, or ``PostgresError``.
    package func snapshot<Value>(
        _ body: (PostgresConnection) throws -> Value,
        whenRead: (Value) -> Void
    ) throws {
        try transaction(.snapshot, body) { value in
            whenRead(value)
            sendEndOfSnapshot()
        }
    }

    /// Sends the end of a transaction that has changed nothing. A connection on which this fails is closed, which ends
    /// the transaction, too.
    private func sendEndOfSnapshot() {
        queue = []
        guard isInTransaction else { return }
        do throws(PostgresError) {
            if settings.usesPooler || cache.name(of: .commit) != nil {
                try sendWithoutAnswer(.commit)
                hasUnreadEnd = true
            } else {
                // The first one is prepared here, which has an answer of its own.
                try pipeline([.commit])
            }
        } catch {
            close()
        }
    }

    /// Reads the answer to the end of a snapshot, if there is one to read. A connection that the server doesn't answer
    /// in time is closed.
    ///
    /// - Returns: Whether the connection is open.
    func readEndOfSnapshot() -> Bool {
        guard hasUnreadEnd else { return isUsable }
        hasUnreadEnd = false
        let end = ContinuousClock.now + .seconds(limits.cancellation)
        // The result, the end of the results, and that of the pipeline.
        for expected in [PGRES_COMMAND_OK, nil, PGRES_PIPELINE_SYNC] {
            while let handle, PQisBusy(handle) == 1 {
                guard (try? wait(for: POLLIN, until: end)) == true, PQconsumeInput(handle) == 1 else {
                    close()
                    return false
                }
            }
            let result = handle.flatMap { PQgetResult($0) }
            defer { PQclear(result) }
            guard result.map({ PQresultStatus($0) }) == expected else {
                close()
                return false
            }
        }
        return isUsable
    }
}

extension StatementCache.Key {
    fileprivate static let commit = StatementCache.Key(sql: PostgresStatement.commit.sql, types: [])
}
