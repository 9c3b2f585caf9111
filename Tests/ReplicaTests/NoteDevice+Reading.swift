import Eventually
import Foundation
import GRDB
import Groundwork
import ReplicaTesting

@testable import Replica

extension SyncSettings {
    /// The settings of a device that keeps some number of records.
    static func limits(device: Int, newDevice: Int) -> SyncSettings {
        var settings = SyncSettings()
        (settings.deviceLimit, settings.newDeviceLimit) = (.newest(device), .newest(newDevice))
        return settings
    }
}

extension NoteServer {
    /// Adds notes, `n1` to `n9`, each a day newer than the one before.
    func putNotes(_ numbers: ClosedRange<Int>) {
        for number in numbers { put(.note, note("n\(number)", at: "2026-04-0\(number)T08:00:00Z")) }
    }

    /// Adds photos, likewise.
    func putPhotos(_ numbers: ClosedRange<Int>) {
        for number in numbers { put(.photo, note("p\(number)", at: "2026-04-0\(number)T08:00:00Z")) }
    }
}

extension NoteDevice {
    /// Waits until a condition is met, while time passes in steps.
    func reaches(after step: Double = 0, _ condition: () async throws -> Bool) async throws -> Bool {
        try await eventually {
            if step > 0 { clock.advance(by: step) }
            return try await condition()
        }
    }

    /// Runs the live connection during a test's body.
    func live(_ body: () async throws -> Void) async throws {
        let live = Task { await engine.runLive() }
        do {
            try await body()
        } catch {
            live.cancel()
            await live.value
            throw error
        }
        live.cancel()
        await live.value
    }

    func pendingCount() async throws -> Int {
        try await store.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM pending") ?? 0 }
    }

    func queuedCount() async throws -> Int {
        try await store.read { db in try db.queued(.noteEvent, limit: .max).count }
    }

    func state(_ type: RecordType) async throws -> SyncPosition? {
        try await store.read { db in try db.syncPosition(type) }
    }

    func ids(_ type: RecordType) async throws -> [String] {
        try await store.read { db in try String.fetchAll(db, sql: "SELECT id FROM \"\(type.table)\" ORDER BY id") }
    }

    func outlined() async throws -> [String] {
        try await store.read { db in try String.fetchAll(db, sql: "SELECT id FROM noteOutline ORDER BY id") }
    }

    func value(_ type: RecordType, _ column: String, of id: String) async throws -> String? {
        try await store.read { db in
            try String.fetchOne(db, sql: "SELECT \(column) FROM \"\(type.table)\" WHERE id = ?", arguments: [id])
        }
    }

    var openCount: Int { store.counts(.outlined).buckets.reduce(0) { $0 + $1.numbers[0] } }

    func set(_ type: RecordType, _ property: String, to value: JSON, of ids: [String]) async throws {
        try await store.write { writer in
            _ = try writer.update(type, type.column(property)!, to: value, ids: ids)
        }
    }

    func markAllDone(at time: String) async throws -> [String]? {
        try await store.write { writer in
            let state = try writer.db.syncPosition(.outlined)?.state
            return try writer.updateAll(
                .outlined,
                scope: nil,
                to: JSONObject([("at", .string(time)), ("upToState", state.map(JSON.string) ?? .null)])
            )
        }
    }

    func enqueue(_ uids: String...) async throws {
        try await store.write { writer in
            try writer.enqueue(
                .noteEvent,
                uids.map { QueuedRecord(uid: $0, json: ["uid": .string($0)], isExpendable: false) }
            )
        }
    }

    /// Requests a slice as a query does.
    func use(_ slice: Slice) async throws {
        try await store.write { [engine] writer in try writer.use(slice, of: .reply, active: engine.slices.active) }
    }
}
