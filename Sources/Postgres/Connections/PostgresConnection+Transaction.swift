/// The isolation of a transaction, and whether it may write.
package struct PostgresTransactionMode: Sendable {
    fileprivate let begin: String

    package static let readWrite = PostgresTransactionMode(begin: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    /// All reads are of one snapshot.
    package static let snapshot = PostgresTransactionMode(begin: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    package static let serializable = PostgresTransactionMode(begin: "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE")
}

/// The number of times that a transaction is run again after a conflict, and the pauses before.
package struct PostgresRetries: Sendable {
    let limit: Int
    let backOff: PostgresBackOff

    /// - Parameter limit: The number of attempts after the first.
    package init(limit: Int = 5, backOff: PostgresBackOff) {
        self.limit = limit
        self.backOff = backOff
    }
}

extension PostgresConnection {
    /// Runs a transaction. `BEGIN` is sent with its first statement, and `COMMIT` with those that are queued at its
    /// end.
    ///
    /// - Parameter body: Uses the connection it receives. If it throws, everything is rolled back.
    /// - Throws: The error of `body`, or ``PostgresError``.
    package func transaction<Value>(
        _ mode: PostgresTransactionMode = .readWrite,
        _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        try transaction(mode, body) { value in
            // A transaction of which nothing was sent needs no commit.
            let isEmpty = !isInTransaction && isUsable && queue.allSatisfy { [.begin, .control].contains($0.effect) }
            if isEmpty {
                queue = []
            } else {
                _ = try pipeline([.commit])
                sessionValues.merge(newSessionValues) { $1 }
            }
            newSessionValues = [:]
            return value
        }
    }

    /// Queues the setting of parameters of the server for the open transaction, and for later ones on this connection,
    /// until one of them sets another value. Where they have the values already, nothing is queued. Through a pooler,
    /// which gives its connections to others, they are set for the transaction alone.
    package func setForSession(_ values: [(name: String, value: String)]) {
        guard !settings.usesPooler else { return enqueue(.setLocal(values)) }
        let changed = values.filter { (newSessionValues[$0.name] ?? sessionValues[$0.name]) != $0.value }
        guard !changed.isEmpty else { return }
        for (name, value) in changed {
            newSessionValues[name] = value
            sessionNames.insert(name)
        }
        enqueue(.set(changed, isLocal: false))
    }

    /// Sets the parameters of ``setForSession(_:)`` back to their values of the connection's beginning, outside of a
    /// transaction, for work that isn't that of its earlier transactions.
    package func resetSession() throws(PostgresError) {
        guard !sessionNames.isEmpty else { return }
        let names = sessionNames.sorted()
        // Where it fails, it isn't known what the session has.
        sessionValues = [:]
        try pipeline(names.map { .control("RESET \($0)") })
        sessionNames = []
    }

    /// Runs a transaction that `end` ends, after `body` has returned.
    func transaction<Value, Ended>(
        _ mode: PostgresTransactionMode,
        _ body: (PostgresConnection) throws -> Value,
        end: (Value) throws -> Ended
    ) throws -> Ended {
        guard !isInTransactionBlock, !isInTransaction else {
            throw PostgresError(.other, "a transaction is open; within it, use a savepoint")
        }
        isInTransactionBlock = true
        defer {
            isInTransactionBlock = false
            savepoints = 0
            followUp = nil
            // It is rolled back, or its outcome is unknown.
            if !newSessionValues.isEmpty { (sessionValues, newSessionValues) = ([:], [:]) }
        }
        queue = [PostgresStatement(mode.begin, [], isPrepared: true, effect: .begin)]
        // A pooler's connections have no settings of their own.
        if settings.usesPooler { queue.append(settings.transactionSettings) }
        do {
            return try end(try body(self))
        } catch {
            queue = []
            if isInTransaction { rollback() }
            throw error
        }
    }

    /// Runs a transaction, and runs it again after a conflict with another one.
    ///
    /// - Parameter body: May run several times, so it must have no effects outside of the database.
    /// - Throws: The error of `body`, or ``PostgresError``: of the kind `conflict` after the last attempt.
    package func transaction<Value>(
        _ mode: PostgresTransactionMode = .readWrite,
        retries: PostgresRetries,
        _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        var failures = 0
        while true {
            do {
                return try transaction(mode, body)
            } catch let error as PostgresError where error.kind == .conflict && failures < retries.limit {
                retries.backOff.pause(after: failures)
                failures += 1
            }
        }
    }

    /// Runs a part of a transaction. If it throws, only its own changes are rolled back.
    ///
    /// - Throws: The error of `body`, or ``PostgresError``. The transaction continues, unless the connection was lost
    ///   or an earlier statement that was still queued has failed.
    package func savepoint<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
        // An earlier statement's error belongs to the transaction, not to this part.
        if queue.contains(where: { ![.begin, .control].contains($0.effect) }) { try pipeline([]) }
        savepoints += 1
        defer { savepoints -= 1 }
        let name = "p\(savepoints)"
        // The statement that begins the transaction, or ends the previous savepoint.
        let earlier = queue
        enqueue(.control("SAVEPOINT \(name)"))
        let before = roundTrips
        do {
            let value = try body(self)
            if hasFailedTransaction { throw PostgresError(.other, "the transaction has failed") }
            enqueue(.control("RELEASE SAVEPOINT \(name)"))
            if queue.contains(where: { $0.effect == .none }) { try pipeline([]) }
            return value
        } catch {
            if before == roundTrips {
                // Not even the savepoint was sent, such as where a value can't be sent.
                queue = earlier
            } else if isUsable {
                queue = []
                _ = try roundTrip([.control("ROLLBACK TO SAVEPOINT \(name)"), .control("RELEASE SAVEPOINT \(name)")])
            }
            throw error
        }
    }

    /// Rolls back, even after the deadline. A connection on which this fails is closed, which rolls back, too.
    func rollback() {
        let earlier = deadline
        deadline = .now + .seconds(limits.cancellation)
        defer { deadline = earlier }
        do throws(PostgresError) {
            _ = try roundTrip([.rollback])
        } catch {
            close()
        }
    }
}
