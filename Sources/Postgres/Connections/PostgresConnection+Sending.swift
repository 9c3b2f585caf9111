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
            guard readUnreadAnswer() else { throw lost }
            let answers = try send([statement], [parameters], hasFailed: true)
            unreadAnswer = UnreadAnswer(answers: answers, whenFailed: whenFailed)
            while let handle, PQflush(handle) == 1 {
                // The server may answer meanwhile: what isn't read would block it.
                guard try wait(for: POLLIN | POLLOUT, until: deadline), PQconsumeInput(handle) == 1 else { throw lost }
            }
        } catch {
            if unreadAnswer == nil { whenFailed() }
            close()
        }
    }

    /// The answer to a statement that wasn't waited for, and to its preparation if it was prepared with it.
    struct UnreadAnswer {
        let answers: [Answer]
        /// Called if it says that the statement has failed, or if it can't be read.
        let whenFailed: () -> Void
    }

    /// A statement behind a commit.
    struct FollowUp {
        let statement: PostgresStatement
        let parameters: EncodedParameters
        let whenFailed: () -> Void
    }

    /// Queues a statement that is sent together with the commit of the transaction, and runs right after it, in a
    /// transaction of its own. Its answer isn't waited for.
    ///
    /// It runs even if the commit fails, so it has a condition that only the commit makes true. It isn't sent through a
    /// pooler: ``hasUnreadAnswer`` is true after the transaction if it was sent.
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
    func sendFollowUp() throws(PostgresError) -> UnreadAnswer? {
        guard let followUp, !settings.usesPooler else { return nil }
        let answers = try send([followUp.statement], [followUp.parameters], hasFailed: true)
        return UnreadAnswer(answers: answers, whenFailed: followUp.whenFailed)
    }

    /// Reads the answer to a statement that wasn't waited for, if there is one. A connection that the server doesn't
    /// answer in time is closed.
    ///
    /// - Returns: Whether the connection is open.
    func readUnreadAnswer() -> Bool {
        guard let unreadAnswer else { return isUsable }
        let end = ContinuousClock.now + .seconds(limits.cancellation)
        var hasFailed = false
        for answer in unreadAnswer.answers {
            let status = unreadStatus(until: end)
            if status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK {
                if case .prepared(_, let key, let name) = answer { cache.add(key, name: name) }
            } else {
                hasFailed = true
            }
            // The end of its results.
            guard status != nil, unreadStatus(until: end) == nil else {
                close()
                return false
            }
        }
        // The end of the pipeline.
        guard unreadStatus(until: end) == PGRES_PIPELINE_SYNC else {
            close()
            return false
        }
        endUnreadAnswer(hasFailed: hasFailed)
        return isUsable
    }

    /// Returns the status of the next result, which is dropped. Nil at the end of a statement's results, or if the
    /// connection was lost or the time has come.
    private func unreadStatus(until end: ContinuousClock.Instant) -> ExecStatusType? {
        guard let handle else { return nil }
        while PQisBusy(handle) == 1 {
            guard (try? wait(for: POLLIN, until: end)) == true, PQconsumeInput(handle) == 1 else { return nil }
        }
        guard let result = PQgetResult(handle) else { return nil }
        defer { PQclear(result) }
        return PQresultStatus(result)
    }

    func endUnreadAnswer(hasFailed: Bool) {
        let answer = unreadAnswer
        unreadAnswer = nil
        if hasFailed { answer?.whenFailed() }
    }
}
