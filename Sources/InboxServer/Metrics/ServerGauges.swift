import Foundation
import Groundwork
import InboxService
import ServiceLifecycle

/// The values that are read on request.
struct ServerGauges: Sendable {
    struct Values: Sendable {
        var eventStreams = 0
        var writesWaiting = 0
        var database: DatabaseValues?
    }

    struct DatabaseValues: Sendable {
        /// The delay of the earliest due entry, in seconds.
        var dueLag = 0.0
        var bytes = 0
        var logBytes = 0
        /// The number of servers of the database that send heartbeats, and this one's number among them.
        var (servers, serverNumber) = (1, 0)
        /// The payloads of all webhooks that wait, and those that failed permanently.
        var (pendingPayloads, deadLetters) = (0, 0)
    }

    let storage: Storage
    let writer: Writer
    let watchers: Watchers
    let clock: any WallClock

    /// Reads the values. Those of a database that can't be read are nil.
    func values() async -> Values {
        Values(eventStreams: watchers.count, writesWaiting: writer.waiting, database: try? await databaseValues())
    }

    private func databaseValues() async throws -> DatabaseValues {
        let now = clock.now
        var values = DatabaseValues()
        let (earliest, payloads) = try await storage.readBriefly { reading in
            (try reading.earliestDue(), try reading.payloadCounts())
        }
        values.dueLag = earliest.map { max(0, now.timeIntervalSince($0)) } ?? 0
        (values.pendingPayloads, values.deadLetters) = (payloads.pending, payloads.dead)
        (values.bytes, values.logBytes) = try await storage.sizes()
        (values.servers, values.serverNumber) = try await storage.servers()
        return values
    }
}

/// Sets the gauges of a host's backend periodically. The text of `/metrics` sets them when it is read.
struct GaugeSampler: Service {
    /// The interval, in seconds.
    static let interval = 10.0

    let metrics: ServerMetrics
    let gauges: ServerGauges

    func run() async throws {
        guard metrics.hasHostBackend else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                metrics.record(await gauges.values())
                guard (try? await gauges.clock.sleep(seconds: Self.interval)) != nil else { return }
            }
        }
    }
}
