import Groundwork

/// The reading time, rows and bytes that one request may still use. The budget ends early if the client disconnects.
package final class RequestBudget: Sendable {
    private struct State: Sendable {
        var time: Duration
        var rows: Int
        var bytes: Int
        var stop: (reason: BudgetError.Reason, at: ContinuousClock.Instant)?
    }

    /// The duration that a legitimate read rarely exceeds.
    static let slowThreshold = Duration.milliseconds(50)

    private let share: ByteShare
    private let limits: FairUse
    // Accessed only in `withLock`, by the request's task and by callers of `stop(_:after:)`.
    private let state: Locked<State>

    init(_ limits: FairUse, share: ByteShare) {
        self.limits = limits
        self.share = share
        state = Locked(State(time: .seconds(limits.readingTime), rows: limits.rows, bytes: limits.responseSize))
    }

    /// The number of bytes that the response may still have.
    package var bytesLeft: Int { max(0, state.withLock { $0.bytes }) }

    /// The time that is left for reads.
    var timeLeft: Duration { state.withLock { $0.time } }

    /// Checks that something is left for another call.
    package func check() throws(BudgetError) {
        guard limits.enforcesReadLimits else { return }
        let error: BudgetError? = state.withLock { state in
            if let stop = state.stop, stop.at <= .now { return BudgetError(stop.reason) }
            if state.bytes <= 0 { return tooLarge }
            return state.rows <= 0 ? tooManyRows : nil
        }
        if let error { throw error }
    }

    /// Throws if the client has disconnected.
    package func checkNotStopped() throws(BudgetError) {
        let stop = state.withLock { $0.stop }
        if let stop, stop.at <= .now { throw BudgetError(stop.reason) }
    }

    /// Counts rows of the response.
    package func count(rows: Int) throws(BudgetError) {
        guard limits.enforcesReadLimits else { return }
        let isTooMany = state.withLock { state in
            state.rows -= rows
            return state.rows < 0
        }
        if isTooMany { throw tooManyRows }
    }

    /// Counts bytes of the response.
    package func count(bytes: Int) throws(BudgetError) {
        guard limits.enforcesReadLimits else { return }
        let isTooLarge = state.withLock { state in
            state.bytes -= bytes
            return state.bytes < 0
        }
        if isTooLarge { throw tooLarge }
        try add(bytes)
    }

    /// Counts the bytes of the request itself, which count toward the person's share but not toward the response.
    func add(_ bytes: Int) throws(BudgetError) {
        guard limits.enforcesReadLimits else { return }
        guard share.add(bytes) else { throw BudgetError(.share(limits.personSize)) }
    }

    /// Stops the running read and allows no further ones.
    ///
    /// - Parameter grace: How long reads may continue.
    package func stop(_ reason: BudgetError.Reason, after grace: Duration = .zero) {
        state.withLock { state in
            let time = ContinuousClock.now + grace
            if let stop = state.stop, stop.at <= time { return }
            state.stop = (reason, time)
        }
    }

    /// Returns the deadline of a read that begins now.
    ///
    /// - Throws: ``BudgetError`` if nothing is left.
    func deadline(startingAt now: ContinuousClock.Instant) throws(BudgetError) -> ContinuousClock.Instant {
        try check()
        let time = state.withLock { $0.time }
        guard time > .zero else { throw BudgetError(.time(limits.readingTime, isSingleCall: false)) }
        return now + time
    }

    /// Returns the reason to stop a read with the given deadline, or nil if it may continue.
    func stopReason(deadline: ContinuousClock.Instant, now: ContinuousClock.Instant) -> BudgetError.Reason? {
        if now >= deadline { return .time(limits.readingTime, isSingleCall: true) }
        return state.withLock { state in
            guard let stop = state.stop, stop.at <= now else { return nil }
            return stop.reason
        }
    }

    /// Subtracts the duration of a read.
    func spend(_ time: Duration) {
        state.withLock { $0.time -= time }
    }

    /// The error for a response that exceeds the byte limit.
    package var tooLarge: BudgetError { BudgetError(.bytes(limits.responseSize)) }
    private var tooManyRows: BudgetError { BudgetError(.rows(limits.rows)) }
}

/// The reason why a request's budget is used up.
package struct BudgetError: Error, Hashable {
    package enum Reason: Hashable, Sendable {
        /// The reading time, in seconds. It was used up by one call, or by all calls of the request together.
        case time(Double, isSingleCall: Bool)
        case rows(Int)
        case bytes(Int)
        /// The byte limit of all the person's requests together.
        case share(Int)
        /// The client has disconnected.
        case disconnected
        /// The server shuts down.
        case shutdown
    }

    package let reason: Reason

    package init(_ reason: Reason) {
        self.reason = reason
    }
}
