import Dispatch
import Foundation
package import Groundwork

/// Connections to one database, each on a thread of its own, which run closures in the order of their arrival.
///
/// A closure never receives a connection that is known to be lost, or one inside a transaction. While the database
/// can't be reached, closures fail at once with an error of the kind `unavailable`, and the connections are opened
/// again in the background.
package final class PostgresPool: Sendable {
    package struct Limits: Sendable {
        package var connections = 4
        /// The number of closures that wait for a connection. A further one fails at once.
        package var waiting = 1024
        /// The seconds that a closure waits for a connection.
        package var wait = 5.0
        /// The seconds that a closure has the connection. Then its statement is cancelled.
        package var use = 30.0
        /// The seconds that a closure still has the connection when the pool closes, or prepares to.
        package var closing = 3.0
        /// The limits of each connection.
        package var connection = PostgresConnection.Limits()

        package init() {}
    }

    private struct Job: Sendable {
        let run: @Sendable (PostgresConnection) -> Void
        let fail: @Sendable (PostgresError) -> Void
        /// Ends the waiting.
        var timer: Task<Void, Never>?

        /// Fails the job, which ends its waiting.
        func finish(_ error: PostgresError) {
            timer?.cancel()
            fail(error)
        }
    }

    private struct State: Sendable {
        var jobs: [(number: Int, job: Job)] = []
        var lastNumber = 0
        /// The threads that wait for a job. The last one has waited the shortest: it comes first, since its memory and
        /// its connection's are in the processor's caches.
        var idle: [DispatchSemaphore] = []
        /// The number of threads that have a connection.
        var connected = 0
        /// The reason for which no thread could connect, while that is so.
        var outage: PostgresError?
        var isClosed = false
        /// The time of ``PostgresPool/prepareToClose()``.
        var preparedAt: ContinuousClock.Instant?
        /// The time at which whatever runs ends, once the pool closes.
        var endsAt: ContinuousClock.Instant?
        var closing: [CheckedContinuation<Void, Never>] = []
    }

    private let settings: PostgresSettings
    private let limits: Limits
    private let clock: any WallClock
    private let backOff: PostgresBackOff
    // The waiting closures and the states of the threads. Accessed only in `withLock`, from any thread.
    private let state = Locked(State())

    /// Opens the connections in the background.
    ///
    /// - Parameters:
    ///   - clock: The clock of ``Limits/wait``.
    ///   - backOff: The pauses between attempts to connect.
    package init(
        _ settings: PostgresSettings,
        limits: Limits = Limits(),
        clock: any WallClock = SystemClock(),
        backOff: PostgresBackOff = PostgresBackOff(first: 0.05, longest: 1)
    ) {
        self.settings = settings
        self.limits = limits
        self.clock = clock
        self.backOff = backOff
        for number in 1...max(limits.connections, 1) {
            let thread = Thread { self.work() }
            thread.name = "postgres-\(number)"
            thread.start()
        }
    }

    /// The number of open connections and of waiting closures.
    package var counts: (connected: Int, waiting: Int) { state.withLock { ($0.connected, $0.jobs.count) } }

    /// The reason for which the database can't be reached. Nil if it can, as far as is known.
    package var outage: PostgresError? { state.withLock { $0.outage } }

    /// Runs a closure on one of the threads.
    ///
    /// - Parameter body: Blocks its thread. The connection is valid until it returns. A transaction that it leaves open
    ///   is rolled back.
    /// - Throws: The error of `body`; or ``PostgresError`` of the kind `busy` if no connection became free in time,
    ///   `unavailable` or `rejected` if there is none.
    package func run<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            add(
                Job { connection in
                    let result = Result { try body(connection) }
                    self.reset(connection)
                    continuation.resume(with: result)
                } fail: { error in
                    continuation.resume(throwing: error)
                }
            )
        }
    }

    /// Reads from a snapshot, in a transaction on one of the threads.
    ///
    /// It returns as soon as the closure has: nothing depends on the end of a transaction that changes nothing.
    ///
    /// - Parameter body: As in ``run(_:)``.
    /// - Throws: As ``run(_:)``.
    package func snapshot<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            add(
                Job { connection in
                    do {
                        try connection.snapshot(body) { continuation.resume(returning: $0) }
                    } catch {
                        continuation.resume(throwing: error)
                    }
                    self.reset(connection)
                } fail: { error in
                    continuation.resume(throwing: error)
                }
            )
        }
    }

    /// Begins the shutdown: closures have ``Limits/closing`` together. Then running closures end, and waiting ones
    /// fail. A later closure waits for a quarter of a second, and has its connection as long, so that the pool closes
    /// soon.
    package func prepareToClose() {
        let isFirst = state.withLock { state in
            defer { state.preparedAt = state.preparedAt ?? .now }
            return state.preparedAt == nil
        }
        guard isFirst else { return }
        Task { [limits] in
            try? await Task.sleep(for: .seconds(limits.closing))
            failWaiting(PostgresError(.unavailable, "the pool is being closed"))
        }
    }

    private func failWaiting(_ error: PostgresError) {
        let jobs = state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
        for (_, job) in jobs { job.finish(error) }
    }

    /// Fails waiting jobs, and returns when running ones have ended and all connections are closed.
    ///
    /// A job that still runs after ``Limits/closing``, counted from ``prepareToClose()`` if that was called, is ended:
    /// its statement is cancelled; if that is a commit, the connection is closed and the outcome is unknown.
    ///
    /// - Parameter seconds: The time for running transactions; nil for the pool's own setting.
    package func close(within seconds: Double? = nil) async {
        let jobs = state.withLock { state in
            state.isClosed = true
            state.endsAt = end(of: state, within: seconds)
            for thread in state.idle { thread.signal() }
            defer { (state.jobs, state.idle) = ([], []) }
            return state.jobs
        }
        for (_, job) in jobs { job.finish(PostgresError(.unavailable, "the pool was closed")) }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.connected > 0 { state.closing.append(continuation) }
                return state.connected == 0
            }
            if isOver { continuation.resume() }
        }
    }

    /// Returns the time at which running jobs are ended if the pool closes now.
    private func end(of state: State, within seconds: Double?) -> ContinuousClock.Instant {
        let now = ContinuousClock.now
        if let seconds { return now + .seconds(seconds) }
        guard let prepared = state.preparedAt else { return now + .seconds(limits.closing) }
        // A closure that has just begun isn't ended at once.
        return max(prepared + .seconds(limits.closing), now + .seconds(PostgresConnection.endingTime))
    }

    /// Returns whether a closure that has had its connection since a time has to end.
    private func mustEnd(since start: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            if let end = state.endsAt { return end <= .now }
            guard let prepared = state.preparedAt else { return false }
            let end = max(prepared + .seconds(limits.closing), start + .seconds(PostgresConnection.endingTime))
            return end <= .now
        }
    }

    // MARK: Waiting

    private func add(_ job: Job) {
        let failure = state.withLock { state -> PostgresError? in
            if state.isClosed { return PostgresError(.unavailable, "the pool was closed") }
            if let outage = state.outage { return outage }
            guard state.jobs.count < limits.waiting else {
                return PostgresError(.busy, "\(state.jobs.count) requests wait for a connection")
            }
            state.lastNumber += 1
            var job = job
            if state.idle.isEmpty { job.timer = timer(for: state.lastNumber, state) }
            state.jobs.append((state.lastNumber, job))
            state.idle.popLast()?.signal()
            return nil
        }
        if let failure { job.fail(failure) }
    }

    private func timer(for number: Int, _ current: State) -> Task<Void, Never> {
        let isLate = current.preparedAt.map { $0 + .seconds(limits.closing) <= .now } ?? false
        let wait = isLate ? PostgresConnection.endingTime : limits.wait
        return Task { [clock, state] in
            guard (try? await clock.sleep(seconds: wait)) != nil else { return }
            let expired = state.withLock { state in
                state.jobs.firstIndex { $0.number == number }.map { state.jobs.remove(at: $0).job }
            }
            expired?.fail(PostgresError(.busy, "no connection became free within \(wait) s"))
        }
    }

    // MARK: Threads

    private func work() {
        while let connection = connect() {
            serve(connection)
            connection.close()
            let closing = state.withLock { state in
                state.connected -= 1
                guard state.isClosed, state.connected == 0 else { return [CheckedContinuation<Void, Never>]() }
                defer { state.closing = [] }
                return state.closing
            }
            for continuation in closing { continuation.resume() }
        }
    }

    /// Connects, however long it takes. Returns nil if the pool was closed.
    private func connect() -> PostgresConnection? {
        var failures = 0
        while !state.withLock({ $0.isClosed }) {
            do throws(PostgresError) {
                let connection = try PostgresConnection(settings, limits: limits.connection)
                let isClosed = state.withLock { state in
                    if !state.isClosed { state.connected += 1 }
                    state.outage = nil
                    return state.isClosed
                }
                if !isClosed { return connection }
                connection.close()
            } catch {
                beginOutage(error)
                backOff.pause(after: failures)
                failures += 1
            }
        }
        return nil
    }

    /// Fails all that waits, unless another thread has a connection.
    private func beginOutage(_ error: PostgresError) {
        let jobs = state.withLock { state -> [(number: Int, job: Job)] in
            guard state.connected == 0, !state.isClosed else { return [] }
            state.outage = error
            defer { state.jobs = [] }
            return state.jobs
        }
        for (_, job) in jobs { job.finish(error) }
    }

    /// Runs jobs until the connection is lost or the pool closed.
    private func serve(_ connection: PostgresConnection) {
        let signal = DispatchSemaphore(value: 0)
        while connection.isUsable, let next = nextJob(signal) {
            guard connection.checkIsOpen() else {
                // Lost while it was idle. The job waits for this thread's next connection, or for another thread.
                return putBack(next)
            }
            next.job.timer?.cancel()
            let start = ContinuousClock.now
            connection.deadline = start + .seconds(limits.use)
            connection.shouldEnd = { self.mustEnd(since: start) }
            next.job.run(connection)
        }
    }

    /// Waits for a job.
    ///
    /// - Parameter signal: The calling thread's own.
    /// - Returns: Nil if the pool was closed.
    private func nextJob(_ signal: DispatchSemaphore) -> (number: Int, job: Job)? {
        while true {
            let (next, isClosed) = state.withLock { state -> ((number: Int, job: Job)?, Bool) in
                if !state.jobs.isEmpty { return (state.jobs.removeFirst(), false) }
                if !state.isClosed { state.idle.append(signal) }
                return (nil, state.isClosed)
            }
            if next != nil || isClosed { return next }
            // Another thread may have been faster than this one, which then waits again.
            signal.wait()
        }
    }

    /// Lets a job wait again, before all others.
    private func putBack(_ next: (number: Int, job: Job)) {
        let isClosed = state.withLock { state in
            if !state.isClosed {
                // Its timer may have ended meanwhile, when the job wasn't there.
                let number = next.number
                var job = next.job
                job.timer?.cancel()
                job.timer = nil
                state.jobs.insert((number, job), at: 0)
                // A thread that was woken for another job may take this one.
                for index in state.jobs.indices where state.jobs[index].job.timer == nil {
                    state.jobs[index].job.timer = timer(for: state.jobs[index].number, state)
                }
                state.idle.popLast()?.signal()
            }
            return state.isClosed
        }
        if isClosed { next.job.finish(PostgresError(.unavailable, "the pool was closed")) }
    }

    /// Leaves nothing of a job behind on the connection.
    private func reset(_ connection: PostgresConnection) {
        connection.queue = []
        connection.deadline = nil
        connection.shouldCancel = nil
        if connection.isUsable, connection.isInTransaction { connection.rollback() }
        connection.shouldEnd = nil
    }
}
