import CLibpq
import Foundation

extension PostgresConnection {
    /// Runs a text of several statements without parameters, such as a schema. Their results are dropped.
    ///
    /// Outside of a transaction they are one: all of them take effect, or none.
    ///
    /// - Throws: ``PostgresError``.
    package func executeScript(_ sql: String) throws(PostgresError) {
        try pipeline([])
        try withoutPipelineMode { handle throws(PostgresError) in
            try sendText(sql, handle)
            var failure: PostgresError?
            while let pointer = try nextResultOfText(handle) {
                let status = PQresultStatus(pointer)
                if status == PGRES_FATAL_ERROR, failure == nil { failure = PostgresError(pointer) }
                PQclear(pointer)
                if status == PGRES_COPY_IN || status == PGRES_COPY_OUT {
                    close()
                    throw PostgresError(.other, "a script can't contain COPY")
                }
            }
            if let failure { throw failure }
        }
    }

    /// Runs libpq's other mode, in which a text may have several statements, or be a `COPY`.
    func withoutPipelineMode(_ body: (OpaquePointer) throws(PostgresError) -> Void) throws(PostgresError) {
        guard readUnreadAnswer(), let handle, PQexitPipelineMode(handle) == 1 else { throw lost }
        let isIdle = PQtransactionStatus(handle) == PQTRANS_IDLE
        notices.forgetUncertainCommit()
        do throws(PostgresError) {
            try body(handle)
        } catch {
            var error = error
            if self.handle != nil, PQstatus(handle) != CONNECTION_OK || error.endsConnection { close() }
            // A pooler's own error doesn't show how many statements the database ran.
            let isLost = error.sqlState == nil || settings.usesPooler && error.isFatal
            if !isUsable { error.mayHaveCommitted = isIdle && isLost }
            if isUsable, PQenterPipelineMode(handle) != 1 { close() }
            throw error
        }
        guard isUsable else { return }
        guard PQenterPipelineMode(handle) == 1 else {
            close()
            throw lost
        }
        // Outside of a transaction, the end is the commit.
        if isIdle, notices.hasUncertainCommit { throw PostgresError.uncertainCommit }
    }

    func sendText(_ sql: String, _ handle: OpaquePointer) throws(PostgresError) {
        guard !sql.utf8.contains(0) else { throw PostgresError(.invalidValue, "the statement contains U+0000") }
        roundTrips += 1
        guard PQsendQuery(handle, sql) == 1 else { throw lost }
        try flushText(handle)
    }

    func flushText(_ handle: OpaquePointer) throws(PostgresError) {
        while PQflush(handle) == 1 { try waitForText(POLLIN | POLLOUT, handle) }
        guard PQstatus(handle) == CONNECTION_OK else { throw lost }
    }

    func nextResultOfText(_ handle: OpaquePointer) throws(PostgresError) -> OpaquePointer? {
        while PQisBusy(handle) == 1 { try waitForText(POLLIN, handle) }
        return PQgetResult(handle)
    }

    /// Waits for the server. When the deadline passes, the connection is closed, which ends the statement: the uses of
    /// this mode don't justify keeping it.
    func waitForText(_ events: Int32, _ handle: OpaquePointer) throws(PostgresError) {
        guard try waitUnlessCancelled(for: events, until: deadline) else {
            let cancellation = startCancellation()
            _ = cancellation.isHandled(within: cancellationTime)
            close()
            throw PostgresError(.timedOut, "the deadline passed")
        }
        guard PQconsumeInput(handle) == 1 else { throw lost }
    }
}
