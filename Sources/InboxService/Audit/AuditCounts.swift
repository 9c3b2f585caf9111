import Foundation
package import Groundwork
package import Logging
import ServiceLifecycle

/// Counts events that are too frequent for individual audit entries, by kind, reason and hour.
///
/// The counts are stored every minute and at shutdown. A crash loses those of the last minute, and so may a lost
/// connection to PostgreSQL: nothing is counted twice.
package final class AuditCounts: Sendable {
    private struct Key: Hashable, Comparable, Sendable {
        let kind: AuditKind
        let reason: String
        /// The beginning of the hour, in milliseconds since 1970.
        let hour: Int

        static func < (one: Key, other: Key) -> Bool {
            (one.kind.rawValue, one.reason, one.hour) < (other.kind.rawValue, other.reason, other.hour)
        }
    }

    private let writer: Writer
    private let clock: any WallClock
    private let logger: Logger
    // The counts that aren't stored yet. There are few pairs of kind and reason. Accessed from any thread, only in
    // `withLock`.
    private let counts = Locked<[Key: Int]>([:])

    /// The time between two writes of the counts, in seconds.
    private static let interval: TimeInterval = 60
    private static let hour = 3_600_000

    package init(writer: Writer, clock: any WallClock, logger: Logger) {
        (self.writer, self.clock, self.logger) = (writer, clock, logger)
    }

    /// Counts an event.
    ///
    /// - Parameter reason: One of a few fixed reasons.
    package func record(_ kind: AuditKind, reason: String = "") {
        let now = clock.now.milliseconds
        let key = Key(kind: kind, reason: reason, hour: now - now % Self.hour)
        counts.withLock { $0[key, default: 0] += 1 }
    }

    /// Stores the counts since the last call.
    func store() async throws {
        let counted = counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
        guard !counted.isEmpty else { return }
        do {
            try await writer.write { transaction in
                for (key, number) in counted.sorted(by: { $0.key < $1.key }) {
                    try transaction.count(number, key.kind, reason: key.reason, hour: key.hour)
                }
            }
        } catch {
            // Where the outcome is unknown, they may be stored.
            let mayBeStored = if case .unknown? = StorageFailure(error) { true } else { false }
            if !mayBeStored { counts.withLock { counts in counts.merge(counted) { $0 + $1 } } }
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
                    self.logger.notice(
                        "storing the rejection counts failed; the next attempt is in a minute",
                        metadata: ["error": "\(error)"]
                    )
                }
            }
        }
        do {
            try await store()
        } catch {
            // A full disk doesn't make the shutdown fail: the counts of the last minute are lost, and the log has an
            // error.
            logger.error("storing the last minute's rejection counts failed", metadata: ["error": "\(error)"])
        }
    }
}
