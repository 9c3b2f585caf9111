import CLibpq

/// The state of a pipeline while its results are read.
struct PipelineReading {
    let statements: [PostgresStatement]
    /// Whether no transaction was open before.
    let wasIdle: Bool
    /// Whether a pooler is between.
    let usesPooler: Bool
    private(set) var results: [PostgresResult] = []
    /// The first error.
    var failure: PostgresError?
    var cancellation: Cancellation?

    init(statements: [PostgresStatement], wasIdle: Bool, usesPooler: Bool) {
        self.statements = statements
        self.wasIdle = wasIdle
        self.usesPooler = usesPooler
    }

    /// Adds the result of the next statement.
    ///
    /// - Throws: ``PostgresError`` if a commit has rolled back, because the transaction had failed before.
    mutating func add(_ result: PostgresResult) throws(PostgresError) {
        let statement = statements[results.count]
        if statement.effect == .commit, result.tag == "ROLLBACK", failure == nil {
            failure = PostgresError(.other, "the transaction had failed, and was rolled back")
                .naming(results.count, statement.sql)
        }
        results.append(result)
    }

    /// Records the first error.
    ///
    /// One that ends the connection leaves the outcome of a commit open: a server that is shut down may end it after
    /// the commit, and one that can't write its log any more may have written this commit to it before.
    ///
    /// A pooler that loses the database answers with an error of its own to the first statement without an answer, so
    /// it doesn't show how many statements the database ran: a later commit may have taken place.
    mutating func fail(_ error: PostgresError, at index: Int) {
        let isOfBeginning = statements[index].effect == .begin
        var failure = (isOfBeginning ? error.ofBeginning : error).naming(index, statements[index].sql)
        failure.mayHaveCommitted =
            error.isFatal && (usesPooler ? mayHaveCommitted : statements[index].effect == .commit)
        self.failure = failure
    }

    /// Whether all is confirmed: an explicit commit is answered once it is durable. Without one, the end of the
    /// pipeline is the commit.
    var isKnownCommitted: Bool { results.count == statements.count && statements.last?.effect == .commit }

    /// Whether a commit without a confirmation was sent.
    var mayHaveCommitted: Bool { failure == nil && hasCommit(from: results.count) }

    /// Whether the next answer is that to a commit: the server has run all earlier statements, so it may be committing.
    /// Their answers arrive as soon as they are available, because of the request that ``PostgresConnection`` sends
    /// before a commit.
    var isCommitting: Bool {
        failure == nil && results.count < statements.count && statements[results.count].effect == .commit
    }

    /// Records that all has ended though it was to be cancelled, or though the wait for a commit was.
    ///
    /// A commit that is cancelled while it waits for a standby is confirmed nevertheless, with no more than a warning
    /// (PostgreSQL, "Synchronous Replication"). It may be lost with the primary, so its outcome is unknown.
    ///
    /// - Parameter isUncertain: Whether a commit was confirmed with that warning: someone else has cancelled its wait.
    mutating func end(isUncertain: Bool) {
        guard failure == nil, cancellation != nil || isUncertain, hasCommit(from: 0) else { return }
        failure = PostgresError.uncertainCommit
    }

    /// Whether one of the statements from a place on commits, or the end of the pipeline.
    private func hasCommit(from start: Int) -> Bool {
        if statements[start...].contains(where: { $0.effect == .commit }) { return true }
        // The last statement that begins or ends a transaction determines whether the end of the pipeline commits.
        switch statements.last(where: { ![.none, .control].contains($0.effect) })?.effect {
        case .begin: return false
        case .commit, .rollback: return ![.commit, .rollback].contains(statements.last?.effect)
        default: return wasIdle
        }
    }
}
