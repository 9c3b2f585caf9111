import Foundation
package import Groundwork
package import Logging
import ServiceLifecycle

/// Counts what is too frequent for an entry each, by kind, reason and hour, and stores it every minute and at the end.
///
/// What was counted within the last minute is lost when the process dies.
package final class AuditCounts: Sendable {
    private struct Key: Hashable, Sendable {
        let kind: AuditKind
        let reason: String
        /// Its beginning, in milliseconds since 1970.
        let hour: Int
    }

    private let writer: Writer
    private let clock: any WallClock
    private let logger: Logger
    // What isn't stored yet; as many as there are kinds and reasons. Reached in `withLock` alone, from any thread.
    private let counts = Locked<[Key: Int]>([:])

    /// In seconds.
    private static let interval: TimeInterval = 60
    private static let hour = 3_600_000

    package init(writer: Writer, clock: any WallClock, logger: Logger) {
        (self.writer, self.clock, self.logger) = (writer, clock, logger)
    }

    /// - Parameter reason: One of a few.
    package func note(_ kind: AuditKind, reason: String = "") {
        let now = clock.now.milliseconds
        let key = Key(kind: kind, reason: reason, hour: now - now % Self.hour)
        counts.withLock { $0[key, default: 0] += 1 }
    }

    /// Stores what was counted since the last time.
    func store() async throws {
        let counted = counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
        guard !counted.isEmpty else { return }
        do {
            try await writer.write { transaction in
                for (key, number) in counted {
                    try transaction.count(number, key.kind, reason: key.reason, hour: key.hour)
                }
            }
        } catch {
            counts.withLock { counts in counts.merge(counted) { $0 + $1 } }
            throw error
        }
    }
}

extension AuditCounts: Service {
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await self.clock.sleep(until: self.clock.now.addingTimeInterval(Self.interval))) != nil {
                do {
                    try await self.store()
                } catch {
                    // A minute later.
                    self.logger.notice("refusals can't be counted yet", metadata: ["error": "\(error)"])
                }
            }
        }
        do {
            try await store()
        } catch {
            // What ends the server isn't a full disk: the counts of the last minute are lost, and it is said.
            logger.error("the last minute's refusals can't be stored", metadata: ["error": "\(error)"])
        }
    }
}
