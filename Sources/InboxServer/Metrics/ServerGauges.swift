import Foundation
import Groundwork
import InboxService

/// The values that are read on request.
struct ServerGauges: Sendable {
    struct Values: Sendable {
        var eventStreams = 0
        var writesWaiting = 0
        /// The delay of the earliest due entry, in seconds.
        var dueLag = 0.0
        var databaseBytes = 0
        var logBytes = 0
        /// The number of servers of the database that send heartbeats, and this one's number among them.
        var (servers, serverNumber) = (1, 0)
    }

    let storage: Storage
    let writer: Writer
    let watchers: Watchers
    let clock: any WallClock

    func values() async throws -> Values {
        let now = clock.now
        var values = Values()
        let earliest = try await storage.readBriefly { reading in try reading.earliestDue() }
        values.dueLag = earliest.map { max(0, now.timeIntervalSince($0)) } ?? 0
        (values.databaseBytes, values.logBytes) = try await storage.sizes()
        (values.servers, values.serverNumber) = try await storage.servers()
        values.eventStreams = watchers.count
        values.writesWaiting = writer.waiting
        return values
    }
}
