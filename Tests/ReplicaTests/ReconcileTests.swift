import Foundation
import GRDB
import Groundwork
import JMAP
import ReplicaTesting
import Testing

@testable import Replica

/// The verification of records after the state changed and no record did, as after a server's restore.
@Suite(.timeLimit(.minutes(5))) struct ReconcileTests {
    private let server = NoteServer()

    /// Photos whose number on the device is compared with the server's, which is a folder's name.
    private var photo: RecordType {
        var photo = RecordType.photo
        photo.audit = { db in
            let held = try Int.fetchOne(db, sql: "SELECT count(*) FROM photo") ?? 0
            let total = try String.fetchOne(db, sql: "SELECT name FROM folder WHERE id = 'count'")
            return total == String(held) ? nil : "\(held) of \(total ?? "none")"
        }
        return photo
    }

    private func restorePhoto(_ id: String, _ title: String) {
        server.change(.photo) { $0.putUnreported(id, note(id, ["title": .string(title)])) }
    }

    @Test func `a type that differs from the server's counts is fetched again`() async throws {
        server.putPhotos(1...3)
        server.put(.folder, ["id": "count", "name": "3"])
        try await NoteDevice.with([.folder, photo], on: server) { device in
            try await device.engine.sync()
            restorePhoto("p4", "restored")
            server.change(.folder) { $0.putUnreported("count", ["id": "count", "name": "4"]) }
            try await device.engine.sync()
            #expect(try await device.ids(.photo) == ["p1", "p2", "p3", "p4"])
            #expect(try await device.value(.folder, "name", of: "count") == "4", "the counts were fetched first")
        }
    }

    @Test func `a type without a difference isn't fetched again`() async throws {
        server.putPhotos(1...3)
        server.put(.folder, ["id": "count", "name": "3"])
        try await NoteDevice.with([.folder, photo], on: server) { device in
            try await device.engine.sync()
            restorePhoto("p3", "restored")
            server.clearLog()
            try await device.engine.sync()
            #expect(!server.log.contains("Photo/query"), "\(server.log)")
        }
    }

    @Test func `a difference that a full sync leaves causes no other one`() async throws {
        server.putPhotos(1...3)
        server.put(.folder, ["id": "count", "name": "9"])
        try await NoteDevice.with([.folder, photo], on: server) { device in
            try await device.engine.sync()
            restorePhoto("p3", "once")
            server.clearLog()
            try await device.engine.sync()
            #expect(server.log.contains("Photo/query"))
            restorePhoto("p3", "twice")
            server.clearLog()
            try await device.engine.sync()
            #expect(!server.log.contains("Photo/query"), "the server counts differently")
        }
    }

    @Test func `slices are fetched again, at most once an hour`() async throws {
        server.put(.reply, note("r1", ["topic": "t1"]))
        try await NoteDevice.with([.reply], on: server) { device in
            try await device.use(Slice(query: "all", filters: [.null], isCollapsed: true, wanted: nil))
            try await device.engine.sync()
            func restore(_ text: JSON) {
                server.change(.reply) { $0.putUnreported("r1", note("r1", ["topic": "t1", "text": text])) }
            }
            restore("first")
            try await device.engine.sync()
            #expect(try await device.value(.reply, "text", of: "r1") == "first")
            restore("second")
            try await device.engine.sync()
            #expect(try await device.value(.reply, "text", of: "r1") == "first")
            device.clock.advance(by: 3_600)
            try await device.engine.sync()
            #expect(try await device.value(.reply, "text", of: "r1") == "second")
        }
    }
}
