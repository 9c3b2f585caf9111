import Foundation
package import Groundwork
package import Logging
import ServiceLifecycle

#if PostgreSQL
    import Postgres
#endif

/// Sleeps until the earliest entry of the due queue and has the writer process it.
package struct DueScheduler: Service {
    private let storage: Storage
    private let writer: Writer
    private let clock: any WallClock
    private let failures: RetryLog
    private let timer: DueTimer
    private let lastHousekeeping = Locked(Date.distantPast)
    /// The parts of broadcasts that were hidden before their removal. Accessed only in transactions of the writer.
    private let hidden = Locked<[Int: Int]>([:])

    /// The interval between deletions of old records, in seconds, and the time after a failure.
    private static let housekeeping: TimeInterval = 3_600
    private static let housekeepingPause: TimeInterval = 60
    /// The pause after a failure, such as a full disk, in seconds.
    private static let pause: TimeInterval = 1
    /// The pause in seconds while another server that shares the database processes the due entries.
    private static let sharedPause: TimeInterval = 0.5

    package init(storage: Storage, writer: Writer, clock: any WallClock, timer: DueTimer, logger: Logger) {
        self.storage = storage
        self.writer = writer
        self.clock = clock
        self.timer = timer
        failures = RetryLog(logger)
    }

    /// Processes everything that is due, before the server accepts requests, so that no read sees an outdated inbox. It
    /// doesn't wait for what another transaction keeps locked: that is done later, by any server.
    package func prepare() async throws {
        do {
            try await catchUp()
        } catch {
            #if PostgreSQL
                if let error = error as? PostgresError, error.sqlState == "55P03" {
                    return failures.record(error, as: Self.failure, at: clock.now)
                }
            #endif
            throw error
        }
    }

    private static let failure: Logger.Message = "processing the due queue failed; retrying"

    /// Processes everything that is due now. What is postponed is left for later, however much it is: otherwise a start
    /// would never end while a person with many entries is locked.
    func catchUp() async throws {
        let end = try await dueTime()
        // Looked at first, since a write of its own delays others.
        while let due = try await storage.readBriefly({ reading in try reading.earliestDue() }), due <= end,
            case let now = try await dueTime(),
            try await writer.write({ transaction in try transaction.runDue(until: end, at: now, hidden: hidden) })
        {}
        await deleteExpiredRecords()
    }

    /// Returns the time up to which entries are due: the database's, while this server's clock differs from it. So a
    /// server whose clock is wrong does nothing early that is due later for the others.
    ///
    /// It is asked for each time: the clock may have been corrected since the difference was noticed.
    private func dueTime() async throws -> Date {
        guard storage.clockDifference != 0 else { return clock.now }
        return try await storage.databaseTime() ?? clock.now
    }

    /// Deletes old records, if the time has come. A failure stops nothing else: they only take space.
    private func deleteExpiredRecords() async {
        let now = clock.now
        // Also if the clock was set back.
        guard abs(now.timeIntervalSince(lastHousekeeping.withLock { $0 })) >= Self.housekeeping else { return }
        // Records are deleted by the server's own clock, too early by one that is ahead. Later, or by another server.
        guard storage.clockDifference == 0 else {
            return lastHousekeeping.withLock { $0 = now.addingTimeInterval(Self.housekeepingPause - Self.housekeeping) }
        }
        do {
            while try await writer.write({ transaction in try transaction.deleteExpiredRecords() }) {}
            lastHousekeeping.withLock { $0 = now }
        } catch {
            failures.record(error, as: "old records can't be deleted; retrying", at: now)
            lastHousekeeping.withLock { $0 = now.addingTimeInterval(Self.housekeepingPause - Self.housekeeping) }
        }
    }

    package func run() async throws {
        var sleeper: Task<Void, Never>?
        timer.wakeUp.signal()
        for await _ in timer.wakeUp.signals.cancelOnGracefulShutdown() {
            sleeper?.cancel()
            timer.setNextRun(nil)
            let next = await work()
            // Entries that were added since the queue was read have woken the scheduler already. So does a change of
            // the clocks' difference.
            timer.setNextRun(next.addingTimeInterval(-storage.clockDifference).milliseconds)
            sleeper = timer.wakeUp.signal(at: next, by: clock)
        }
        sleeper?.cancel()
    }

    /// Processes everything that is due.
    ///
    /// - Returns: The time of the next run, by this server's clock.
    private func work() async -> Date {
        do {
            let start = try await dueTime()
            try await catchUp()
            let earliest = try await storage.readBriefly { reading in try reading.earliestDue() }
            let (now, difference) = (clock.now, storage.clockDifference)
            let pause = now.addingTimeInterval(Self.sharedPause)
            let next = earliest.map { time in
                // Due entries that are left belong to another server. A difference may have ended before it is noticed.
                time <= start ? pause : max(time.addingTimeInterval(difference), difference == 0 ? time : pause)
            }
            let interval = now.addingTimeInterval(Self.housekeeping)
            let planned = lastHousekeeping.withLock { $0 }.addingTimeInterval(Self.housekeeping)
            // Not later than in an hour, also if the clock was set back.
            let housekeeping = min(max(now, planned), interval)
            return next.map { min($0, housekeeping) } ?? housekeeping
        } catch {
            let now = clock.now
            failures.record(error, as: Self.failure, at: now)
            return now.addingTimeInterval(Self.pause)
        }
    }
}

/// The time at which the due queue is processed next. A commit wakes the scheduler only for an earlier time: most
/// messages expire later, and each server that shares the database is notified of each of them.
package struct DueTimer: Sendable {
    let wakeUp = WakeUp()
    /// The time in milliseconds since 1970. While the queue is processed, each change wakes the scheduler.
    private let nextRun = Locked(Int.max)

    package init() {}

    /// Wakes the scheduler for an action that was added to the queue, if its time is earlier than the next run.
    ///
    /// - Parameter time: In milliseconds since 1970.
    package func schedule(at time: Int) {
        if nextRun.withLock({ time < $0 }) { wakeUp.signal() }
    }

    /// Sets the time of the next run. Nil while the queue is processed.
    func setNextRun(_ time: Int?) {
        nextRun.withLock { $0 = time ?? .max }
    }
}
