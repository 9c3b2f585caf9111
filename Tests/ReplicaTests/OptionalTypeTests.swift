import Foundation
import Groundwork
import JMAP
import ReplicaTesting
import Testing

@testable import Replica

/// A type that a server may lack.
@Suite(.timeLimit(.minutes(5))) struct OptionalTypeTests {
    private let server = NoteServer()

    private var folder: RecordType {
        var folder = RecordType.folder
        folder.isOptional = true
        return folder
    }

    @Test func `an optional type that the server lacks is skipped until the session changes`() async throws {
        server.put(.folder, ["id": "a", "name": "A"])
        server.putNotes(1...1)
        server.support(.folder, false)
        try await NoteDevice.with([folder, .note], on: server) { device in
            try await device.engine.sync()
            #expect(try await device.ids(.note) == ["n1"])
            #expect(try await device.ids(.folder).isEmpty)
            server.clearLog()
            try await device.engine.sync()
            #expect(!server.log.contains { $0.hasPrefix("Folder/") }, "\(server.log)")
            server.support(.folder, true)
            // The answer to this sync shows the new session, and the next one reads it.
            try await device.engine.sync()
            try await device.engine.sync()
            #expect(try await device.ids(.folder) == ["a"])
        }
    }

    @Test func `a type that isn't optional fails, and the other types are synced`() async throws {
        server.putNotes(1...1)
        server.support(.folder, false)
        try await NoteDevice.with([.folder, .note], on: server) { device in
            let error = await #expect(throws: SyncError.self) { try await device.engine.sync() }
            guard case .method(let method) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(method.type == "unknownMethod")
            let ids = try await device.ids(.note)
            #expect(ids == ["n1"])
        }
    }

    @Test func `an optional type that the server drops is skipped when it is probed`() async throws {
        server.put(.folder, ["id": "a", "name": "A"])
        try await NoteDevice.with([folder, .note], on: server) { device in
            try await device.engine.sync()
            server.support(.folder, false)
            try await device.engine.sync()
            server.clearLog()
            try await device.engine.sync()
            try await device.engine.sync()
            #expect(server.log.filter { $0.hasPrefix("Folder/") }.count <= 1, "\(server.log)")
            #expect(try await device.ids(.folder) == ["a"], "what is on the device stays")
        }
    }
}
