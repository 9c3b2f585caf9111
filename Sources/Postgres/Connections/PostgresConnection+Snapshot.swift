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
            queue = []
            // A connection on which this fails is closed, which ends the transaction, too.
            if isInTransaction { send(.commit) {} }
        }
    }
}
