import Foundation
import GRDB
import Groundwork
import ReplicaTesting
import JMAP
import Testing

@testable import Replica

/// A type that a device stores completely, such as folders: next to another type, without a query, with its own writes.
@Suite(.timeLimit(.minutes(5))) struct WholeTypeTests {
    private let server = NoteServer()
    private let clock = ManualClock()

    private func withDevice(_ body: (NoteDevice) async throws -> Void) async throws {
        var settings = SyncSettings()
        (settings.deviceLimit, settings.newDeviceLimit) = (.newest(1), .newest(1))
        try await NoteDevice.with([.note, .folder], on: server, settings: settings, clock: clock, body)
    }

    private func put(_ names: KeyValuePairs<String, String>) {
        for (id, name) in names { server.put(.folder, ["id": .string(id), "name": .string(name)]) }
    }

    private func destroy(_ id: String) { server.change(.folder) { _ = $0.remove(id) } }

    @Test func `a whole type is fetched without a query, also beyond the limits`() async throws {
        try await withDevice { device in
            put(["a": "A", "b": "B", "c": "C"])
            try await device.engine.sync()
            #expect(try await device.names() == ["a": "A", "b": "B", "c": "C"])
            #expect(try await device.position(.folder) == "3")
            #expect(!server.log.contains { $0.hasPrefix("Folder/query") })
            #expect(device.store.counts(.folder).buckets.isEmpty)
        }
    }

    @Test func `a destroyed record is removed by changes and by a full sync`() async throws {
        try await withDevice { device in
            put(["a": "A", "b": "B", "c": "C"])
            try await device.engine.sync()
            destroy("a")
            try await device.engine.sync()
            #expect(try await device.names() == ["b": "B", "c": "C"])
            destroy("b")
            server.change(.folder) { $0.forgetChanges() }
            put(["c": "New"])
            try await device.engine.sync()
            #expect(try await device.names() == ["c": "New"])
        }
    }

    @Test func `a sync without news costs one request for both types`() async throws {
        try await withDevice { device in
            put(["a": "A"])
            try await device.engine.sync()
            server.clearLog()
            try await device.engine.sync()
            #expect(server.log == ["Note/changes", "Note/get", "Note/get", "Folder/changes"])
            #expect(server.requestCount == 1)
        }
    }

    @Test func `writes are sent in a request of their type and stay over fetched values`() async throws {
        try await withDevice { device in
            put(["a": "A", "b": "B"])
            try await device.engine.sync()
            server.clearLog()
            try await device.set(.folder, "name", to: "Mine", of: "a")
            // A full sync in between keeps the person's value.
            server.change(.folder) { $0.forgetChanges() }
            put(["a": "Theirs", "b": "B2"])
            server.change(.folder) { $0.setFailure = MethodError("serverUnavailable") }
            // The first sync learns that the changes are forgotten, the second one fetches everything.
            for _ in 0..<2 { await #expect(throws: SyncError.self) { try await device.engine.sync() } }
            #expect(try await device.names() == ["a": "Mine", "b": "B2"])
            server.change(.folder) { $0.setFailure = nil }
            try await device.engine.sync()
            #expect(server.values(.folder, "name") == ["a": "Mine", "b": "B2"])
            #expect(try await device.names() == ["a": "Mine", "b": "B2"])
            #expect(!server.log.contains("Note/set"))
            let pending = try await device.store.read { db in try db.hasPending([.note, .folder]) }
            #expect(!pending)
        }
    }

    @Test func `a collection that fits no response is an error`() async throws {
        try await withDevice { device in
            put(["a": "A"])
            server.change(.folder) { $0.failure = .requestTooLarge("too many") }
            let error = await #expect(throws: SyncError.self) { try await device.engine.sync() }
            guard case .malformed = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `a required type that the server lacks is an error`() async throws {
        try await withDevice { device in
            server.change(.folder) { $0.failure = .unknownMethod }
            await #expect(throws: SyncError.self) { try await device.engine.sync() }
        }
    }

    @Test func `pending writes of a damaged file are carried over for each type`() async throws {
        try await withDevice { device in
            put(["a": "A"])
            try await device.engine.sync()
            try await device.set(.folder, "name", to: "Mine", of: "a")
            let location = device.store.location
            await device.store.close()
            var file = try Data(contentsOf: location.file)
            file.replaceSubrange(0..<100, with: [UInt8](repeating: 0, count: 100))
            try file.write(to: location.file)
            let repaired = try ReplicaStore(at: location, types: [.note, .folder], clock: clock)
            #expect(repaired.repair?.carriedOver == 1)
            let entry = try await repaired.read { db in
                try String.fetchOne(db, sql: "SELECT type || '/' || id || '=' || value FROM pending")
            }
            #expect(entry == #"Folder/a="Mine""#)
            await repaired.close()
        }
    }
}

extension NoteDevice {
    fileprivate func names() async throws -> [String: String] {
        try await store.read { db in
            try Row.fetchAll(db, sql: "SELECT id, name FROM folder").reduce(into: [:]) { $0[$1[0]] = $1[1] }
        }
    }

    fileprivate func position(_ type: RecordType) async throws -> String? {
        try await store.read { db in try db.syncPosition(type)?.state }
    }
}
