import Groundwork

/// What one request may still use: reading time, rows and bytes. It ends early if the client disconnects.
package final class RequestBudget: Sendable {
    private struct State: Sendable {
        var time: Duration
        var rows: Int
        var bytes: Int
        var stop: (reason: BudgetError.Reason, at: ContinuousClock.Instant)?
    }

    private let share: ByteShare
    private let limits: FairUse
    // Reached in `withLock` alone: by the request's task, and by whoever stops it.
    private let state: Locked<State>

    init(_ limits: FairUse, share: ByteShare) {
        self.limits = limits
        self.share = share
        state = Locked(State(time: .seconds(limits.readingTime), rows: limits.rows, bytes: limits.answerSize))
    }

    /// How many bytes the answer may still have.
    package var bytesLeft: Int { max(0, state.withLock { $0.bytes }) }

    /// Makes sure that something is left for one more call.
    package func check() throws(BudgetError) {
        guard limits.isOn else { return }
        let error: BudgetError? = state.withLock { state in
            if let stop = state.stop, stop.at <= .now { return BudgetError(stop.reason) }
            if state.bytes <= 0 { return tooLarge }
            return state.rows <= 0 ? tooManyRows : nil
        }
        if let error { throw error }
    }

    /// Throws if the client has disconnected.
    package func checkIsWanted() throws(BudgetError) {
        let stop = state.withLock { $0.stop }
        if let stop, stop.at <= .now { throw BudgetError(stop.reason) }
    }

    /// Counts rows of the answer.
    package func count(rows: Int) throws(BudgetError) {
        guard limits.isOn else { return }
        let isTooMany = state.withLock { state in
            state.rows -= rows
            return state.rows < 0
        }
        if isTooMany { throw tooManyRows }
    }

    /// Counts bytes of the answer.
    package func count(bytes: Int) throws(BudgetError) {
        guard limits.isOn else { return }
        let isTooLarge = state.withLock { state in
            state.bytes -= bytes
            return state.bytes < 0
        }
        if isTooLarge { throw tooLarge }
        try add(bytes)
    }

    /// Counts the bytes of the request itself, which are the person's alone, not the answer's.
    func add(_ bytes: Int) throws(BudgetError) {
        guard limits.isOn else { return }
        guard share.add(bytes) else { throw BudgetError(.share(limits.personSize)) }
    }

    /// Ends it: what reads stops, and nothing more is read.
    ///
    /// - Parameter grace: How long it may go on before.
    package func stop(_ reason: BudgetError.Reason, after grace: Duration = .zero) {
        state.withLock { state in
            let time = ContinuousClock.now + grace
            if let stop = state.stop, stop.at <= time { return }
            state.stop = (reason, time)
        }
    }

    /// Until when a read that begins now may last.
    ///
    /// - Throws: ``BudgetError`` where there is nothing left.
    func begin(at now: ContinuousClock.Instant) throws(BudgetError) -> ContinuousClock.Instant {
        try check()
        let time = state.withLock { $0.time }
        guard time > .zero else { throw BudgetError(.time(limits.readingTime, isByCall: false)) }
        return now + time
    }

    /// Why a read that began then has to end now; nil where it may go on.
    func reasonToEnd(deadline: ContinuousClock.Instant, now: ContinuousClock.Instant) -> BudgetError.Reason? {
        if now >= deadline { return .time(limits.readingTime, isByCall: true) }
        return state.withLock { state in
            guard let stop = state.stop, stop.at <= now else { return nil }
            return stop.reason
        }
    }

    /// Counts the time that a read took.
    func end(_ time: Duration) {
        state.withLock { $0.time -= time }
    }

    /// That the answer has more bytes than it may.
    package var tooLarge: BudgetError { BudgetError(.bytes(limits.answerSize)) }
    private var tooManyRows: BudgetError { BudgetError(.rows(limits.rows)) }
}

/// Why a request's budget is at its end.
package struct BudgetError: Error, Hashable {
    package enum Reason: Hashable, Sendable {
        /// Of reading, in seconds; whether one call used it up, or all calls of the request together.
        case time(Double, isByCall: Bool)
        case rows(Int)
        case bytes(Int)
        /// All requests of the person together have as many bytes as they may.
        case share(Int)
        /// Whoever asked has gone.
        case hangUp
        /// The server ends.
        case shutdown
    }

    package let reason: Reason

    package init(_ reason: Reason) {
        self.reason = reason
    }
}
