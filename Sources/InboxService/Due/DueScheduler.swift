import Foundation
package import Groundwork
package import Logging
import ServiceLifecycle

/// Sleeps until the earliest entry of the due queue and has the writer process it.
package struct DueScheduler: Service {
    private let storage: Storage
    private let writer: Writer
    private let clock: any WallClock
    private let logger: Logger
    private let wakeUp: WakeUp
    private let lastHousekeeping = Locked(Date.distantPast)

    /// The interval between deletions of old records, in seconds.
    private static let housekeeping: TimeInterval = 3_600
    /// The pause after a failure, such as a full disk, in seconds.
    private static let pause: TimeInterval = 1
    /// The pause in seconds while another server that shares the database does what is due.
    private static let sharedPause: TimeInterval = 0.5

    package init(storage: Storage, writer: Writer, clock: any WallClock, wakeUp: WakeUp, logger: Logger) {
        self.storage = storage
        self.writer = writer
        self.clock = clock
        self.wakeUp = wakeUp
        self.logger = logger
    }

    /// Processes everything that is due. Called before the server accepts requests, so that no read sees an outdated
    /// inbox.
    package func catchUp() async throws {
        let now = clock.now
        let isHousekeepingDue = lastHousekeeping.withLock { last in
            // Also if the clock was set back.
            guard abs(now.timeIntervalSince(last)) >= Self.housekeeping else { return false }
            last = now
            return true
        }
        if isHousekeepingDue { try await writer.write { transaction in try transaction.deleteExpiredRecords() } }
        while try await writer.write({ transaction in try transaction.runDue() }) {}
    }

    package func run() async throws {
        var sleeper: Task<Void, Never>?
        wakeUp.signal()
        for await _ in wakeUp.signals.cancelOnGracefulShutdown() {
            sleeper?.cancel()
            sleeper = wakeUp.signal(at: await work(), by: clock)
        }
        sleeper?.cancel()
    }

    /// Processes everything that is due.
    ///
    /// - Returns: The time of the next run.
    private func work() async -> Date {
        do {
            let start = clock.now
            try await catchUp()
            var earliest = try await storage.read { reading in try reading.earliestDue() }
            // What was due and is left is another server's.
            if let time = earliest, time <= start { earliest = clock.now.addingTimeInterval(Self.sharedPause) }
            let housekeeping = clock.now.addingTimeInterval(Self.housekeeping)
            return earliest.map { min($0, housekeeping) } ?? housekeeping
        } catch {
            logger.error("processing the due queue failed; retrying", metadata: ["error": "\(error)"])
            return clock.now.addingTimeInterval(Self.pause)
        }
    }
}
