import Foundation
import GRDB
import Groundwork
import JMAP
import ReplicaTesting
import Testing

@testable import Replica

/// The limits of a type, which apply where the app sets none.
@Suite(.timeLimit(.minutes(5))) struct TypeLimitTests {
    private let server = NoteServer()

    /// Notes whose limits are in the folder with the id `limits`: its name is the number of notes.
    private var note: RecordType {
        var note = RecordType.note
        note.limits = { db in
            let name = try String.fetchOne(db, sql: "SELECT name FROM folder WHERE id = 'limits'")
            guard let number = name.flatMap({ Int($0) }) else { return WindowLimits(device: .all, newDevice: .all) }
            return WindowLimits(device: .newest(number), newDevice: .newest(number - 1))
        }
        return note
    }

    @Test func `a device keeps as many records as the type's limits, also after changes`() async throws {
        server.putNotes(1...6)
        server.put(.folder, ["id": "limits", "name": "4"])
        try await NoteDevice.with([.folder, note], on: server) { device in
            try await device.engine.sync()
            #expect(try await device.ids(.note) == ["n4", "n5", "n6"], "a new device fetches fewer")
            server.putNotes(7...8)
            try await device.engine.sync()
            #expect(try await device.ids(.note) == ["n5", "n6", "n7", "n8"])
            server.put(.folder, ["id": "limits", "name": "2"])
            try await device.engine.sync()
            server.putNotes(9...9)
            try await device.engine.sync()
            #expect(try await device.ids(.note) == ["n8", "n9"])
        }
    }

    @Test func `a type without limits has all records, and the app's limits precede the type's`() async throws {
        server.putNotes(1...6)
        try await NoteDevice.with([.folder, note], on: server) { device in
            try await device.engine.sync()
            #expect(try await device.ids(.note).count == 6)
        }
        server.put(.folder, ["id": "limits", "name": "4"])
        try await NoteDevice.with([.folder, note], on: server, settings: .limits(device: 2, newDevice: 1)) { device in
            try await device.engine.sync()
            #expect(try await device.ids(.note) == ["n6"])
            server.putNotes(7...8)
            try await device.engine.sync()
            #expect(try await device.ids(.note) == ["n7", "n8"])
        }
    }
}
