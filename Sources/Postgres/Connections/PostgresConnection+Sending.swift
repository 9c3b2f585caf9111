import CLibpq
import Foundation

extension PostgresConnection {
    /// Sends a statement without waiting for its answer, which is read with the connection's next use. Outside of a
    /// transaction the statement is one of its own.
    ///
    /// - Parameter whenFailed: Called once, on the connection's thread, if the statement has failed, or if the
    ///   connection was lost or closed before its answer was read. It may have taken effect even so.
    package func send(_ statement: PostgresStatement, whenFailed: @escaping () -> Void) {
        do throws(PostgresError) {
            let parameters = try EncodedParameters(statement)
            let key = StatementCache.Key(sql: statement.sql, types: parameters.types)
            guard settings.usesPooler || cache.name(of: key) != nil else {
                // The first one is prepared here, which has an answer of its own.
                try pipeline([statement])
                return
            }
            guard readUnreadAnswer() else { throw lost }
            _ = try send([statement], [parameters], hasFailed: true)
            unreadAnswer = whenFailed
            while let handle, PQflush(handle) == 1 {
                // The server may answer meanwhile: what isn't read would block it.
                guard try wait(for: POLLIN | POLLOUT, until: deadline), PQconsumeInput(handle) == 1 else { throw lost }
            }
        } catch {
            if unreadAnswer == nil { whenFailed() }
            close()
        }
    }

    /// A statement behind a commit.
    struct FollowUp {
        let statement: PostgresStatement
        let parameters: EncodedParameters
        let whenFailed: () -> Void

        var key: StatementCache.Key { StatementCache.Key(sql: statement.sql, types: parameters.types) }
    }

    /// Queues a statement that is sent together with the commit of the transaction, and runs right after it, in a
    /// transaction of its own. Its answer isn't waited for.
    ///
    /// It runs even if the commit fails, so it has a condition that only the commit makes true. It isn't sent through a
    /// pooler, or before it was prepared: ``hasUnreadAnswer`` is true after the transaction if it was.
    ///
    /// - Parameter whenFailed: As in ``send(_:whenFailed:)``; never if the transaction has failed.
    package func follow(with statement: PostgresStatement, whenFailed: @escaping () -> Void) throws(PostgresError) {
        let parameters = try EncodedParameters(statement)
        followUp = FollowUp(statement: statement, parameters: parameters, whenFailed: whenFailed)
    }

    /// Whether a statement was sent whose answer isn't read yet.
    package var hasUnreadAnswer: Bool { unreadAnswer != nil }

    /// Sends what follows the commit that was just sent.
    ///
    /// - Returns: Nil if nothing was sent.
    func sendFollowUp() throws(PostgresError) -> FollowUp? {
        guard let followUp, !settings.usesPooler, cache.name(of: followUp.key) != nil else { return nil }
        _ = try send([followUp.statement], [followUp.parameters], hasFailed: true)
        return followUp
    }

    /// Reads the answer to a statement that wasn't waited for, if there is one. A connection that the server doesn't
    /// answer in time is closed.
    ///
    /// - Returns: Whether the connection is open.
    func readUnreadAnswer() -> Bool {
        guard unreadAnswer != nil else { return isUsable }
        let end = ContinuousClock.now + .seconds(limits.cancellation)
        guard let result = unreadResult(until: end) else {
            close()
            return false
        }
        let isDone = [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result))
        PQclear(result)
        // The end of the results, and that of the pipeline.
        guard unreadResult(until: end) == nil, let last = unreadResult(until: end) else {
            close()
            return false
        }
        defer { PQclear(last) }
        guard PQresultStatus(last) == PGRES_PIPELINE_SYNC else {
            close()
            return false
        }
        endUnreadAnswer(hasFailed: !isDone)
        return isUsable
    }

    /// Returns the next result. Nil at the end of a statement's results, or if the connection was lost or the time has
    /// come.
    private func unreadResult(until end: ContinuousClock.Instant) -> OpaquePointer? {
        guard let handle else { return nil }
        while PQisBusy(handle) == 1 {
            guard (try? wait(for: POLLIN, until: end)) == true, PQconsumeInput(handle) == 1 else { return nil }
        }
        return PQgetResult(handle)
    }

    func endUnreadAnswer(hasFailed: Bool) {
        let whenFailed = unreadAnswer
        unreadAnswer = nil
        if hasFailed { whenFailed?() }
    }
}
