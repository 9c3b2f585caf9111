import Foundation
import GRDB
import Groundwork
import JMAP
import ReplicaTesting
import Testing

@testable import Replica

/// Writes to records that are on the device because a query needs them.
@Suite(.timeLimit(.minutes(5))) struct SliceWriteTests {
    private let server = NoteServer()
    private let time: JSON = "2026-04-05T08:00:00Z"

    private func withReplies(_ body: (NoteDevice) async throws -> Void) async throws {
        server.put(.reply, note("r1", ["topic": "t1"]), note("r2", ["topic": "t2"]))
        try await NoteDevice.with([.reply], on: server) { device in
            try await device.use(Slice(query: "all", filters: [.null], isCollapsed: true, wanted: nil))
            try await device.engine.sync()
            try await body(device)
        }
    }

    @Test func `a write to a record of a slice is sent, and shown before`() async throws {
        try await withReplies { device in
            try await device.set(.reply, "likedAt", to: time, of: "r1")
            #expect(try await device.value(.reply, "likedAt", of: "r1") != nil)
            try await device.engine.sync()
            #expect(server.values(.reply, "likedAt") == ["r1": time])
            #expect(try await device.pendingCount() == 0)
        }
    }

    @Test func `after a lost answer, a write to a record of a slice takes effect once`() async throws {
        try await withReplies { device in
            try await device.set(.reply, "likedAt", to: time, of: "r1")
            server.loseAnswers(true)
            await #expect(throws: SyncError.self) { try await device.engine.sync() }
            server.loseAnswers(false)
            try await device.engine.sync()
            #expect(server.change(.reply) { $0.appliedWrites } == ["r1/likedAt=\(time)"])
            #expect(try await device.pendingCount() == 0)
        }
    }

    @Test func `a write to a record of a slice that is refused temporarily is sent again`() async throws {
        try await withReplies { device in
            try await device.set(.reply, "likedAt", to: time, of: "r1")
            server.change(.reply) { $0.refusals["r1"] = SetError("rateLimit") }
            server.put(.reply, note("r1", ["topic": "t1", "text": "edited"]))
            await #expect(throws: SyncError.self) { try await device.engine.sync() }
            #expect(try await device.value(.reply, "likedAt", of: "r1") != nil)
            #expect(try await device.pendingCount() == 1)
            server.change(.reply) { $0.refusals = [:] }
            try await device.engine.sync()
            #expect(server.values(.reply, "likedAt") == ["r1": time])
        }
    }
}
