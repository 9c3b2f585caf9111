import Foundation
import GRDB
import Groundwork
import JMAP
import ReplicaTesting
import Testing

@testable import Replica

/// An engine that syncs an account other than the primary one.
@Suite(.timeLimit(.minutes(5))) struct NamedAccountTests {
    private let server = NoteServer()

    init() {
        server.share("team")
        server.putNotes(1...1)
        server.change(.note, in: "team") { $0.put("t1", note("t1")) }
    }

    @Test func `a named account's records are fetched and changed, and no others`() async throws {
        try await NoteDevice.with([.folder, .note], on: server, account: "team") { device in
            try await device.engine.sync()
            #expect(try await device.ids(.note) == ["t1"])
            #expect(try await device.state(.note)?.account == "team")
            try await device.set(.note, "color", to: "red", of: "t1")
            try await device.engine.sync()
            #expect(server.change(.note, in: "team") { $0.appliedWrites } == [#"t1/color="red""#])
            server.putNotes(2...2)
            try await device.engine.sync()
            #expect(try await device.ids(.note) == ["t1"])
        }
    }

    @Test func `without a name, the primary account is synced`() async throws {
        try await NoteDevice.with([.note], on: server) { device in
            try await device.engine.sync()
            #expect(try await device.ids(.note) == ["n1"])
            #expect(try await device.state(.note)?.account == ScriptedAccount.id)
        }
    }

    @Test func `an account that the person can't access is an error`() async throws {
        try await NoteDevice.with([.note], on: server, account: "other") { device in
            let error = await #expect(throws: SyncError.self) { try await device.engine.sync() }
            guard case .noAccount(capability: RecordType.noteCapability) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(server.log.isEmpty)
        }
    }
}
