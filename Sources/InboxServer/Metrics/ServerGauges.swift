import Foundation
import GRDB
import Groundwork

/// What can be looked up when somebody asks.
struct ServerGauges: Sendable {
    struct Values: Sendable {
        var eventStreams = 0
        var writesWaiting = 0
        /// In seconds.
        var dueLag = 0.0
        var databaseBytes = 0
        var logBytes = 0
    }

    let storage: Storage
    let writer: Writer
    let watchers: Watchers
    let clock: any WallClock

    func values() async throws -> Values {
        let now = clock.now
        let path = storage.pool.path
        var values = try await storage.read { db in
            var values = Values()
            let earliest: Int? = try db.value("SELECT min(at) FROM due")
            values.dueLag = earliest.map { max(0, now.timeIntervalSince(Date(milliseconds: $0))) } ?? 0
            values.databaseBytes = Self.size(path)
            values.logBytes = Self.size(path + "-wal")
            return values
        }
        values.eventStreams = watchers.count
        values.writesWaiting = writer.waiting
        return values
    }

    private static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }
}
