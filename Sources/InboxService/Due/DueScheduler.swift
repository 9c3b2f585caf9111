import Foundation
package import Groundwork
package import Logging
import ServiceLifecycle

/// Sleeps until the earliest entry of the due-queue and has the writer do it.
package struct DueScheduler: Service {
    private let storage: Storage
    private let writer: Writer
    private let clock: any WallClock
    private let logger: Logger
    private let wakeUp: WakeUp

    /// How often old records are dropped, in seconds.
    private static let housekeeping: TimeInterval = 3_600
    /// How long to wait after a failure, such as a full disk, in seconds.
    private static let pause: TimeInterval = 1

    package init(storage: Storage, writer: Writer, clock: any WallClock, wakeUp: WakeUp, logger: Logger) {
        self.storage = storage
        self.writer = writer
        self.clock = clock
        self.wakeUp = wakeUp
        self.logger = logger
    }

    /// Does all that is due by now; called before the server answers anybody, so that no read is behind.
    package func catchUp() async throws {
        try await writer.write { transaction in try transaction.dropOldRecords() }
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

    /// - Returns: When to look again.
    private func work() async -> Date {
        do {
            try await catchUp()
            let earliest = try await storage.read { db in try db.earliestDue() }
            let housekeeping = clock.now.addingTimeInterval(Self.housekeeping)
            return earliest.map { min($0, housekeeping) } ?? housekeeping
        } catch {
            logger.error("what is due can't be done yet", metadata: ["error": "\(error)"])
            return clock.now.addingTimeInterval(Self.pause)
        }
    }
}
