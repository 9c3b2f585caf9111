import Foundation
import GRDB
import Groundwork
import JMAP
import ReplicaTesting
import Testing

@testable import Replica

/// Two processes with one store, of which one at a time syncs it.
@Suite(.timeLimit(.minutes(5))) struct OtherProcessTests {
    private let server = NoteServer()

    @Test func `a process that isn't live leaves the store to the next one`() async throws {
        server.putNotes(1...1)
        try await NoteDevice.with([.note], on: server) { first in
            try await first.engine.sync()
            try await first.inOtherProcess { second in
                server.putNotes(2...2)
                try await second.engine.sync()
                #expect(!second.transport.requests.isEmpty)
                #expect(try await first.ids(.note) == ["n1", "n2"])
            }
        }
    }

    @Test func `a live process syncs for another one, and sends its writes`() async throws {
        server.putNotes(1...1)
        try await NoteDevice.with([.note], on: server) { first in
            try await first.live {
                #expect(try await first.reaches { try await first.ids(.note) == ["n1"] })
                try await first.inOtherProcess { second in
                    try await second.set(.note, "color", to: "red", of: "n1")
                    let isDone = Locked(false)
                    let sync = Task {
                        try await second.engine.sync()
                        isDone.withLock { $0 = true }
                    }
                    // Both processes look for the other one's writes by the clock.
                    #expect(try await first.reaches(after: 0.5) { isDone.withLock { $0 } })
                    try await sync.value
                    #expect(server.values(.note, "color") == ["n1": "red"])
                    #expect(try await second.pendingCount() == 0)
                    #expect(second.transport.requests.isEmpty)
                }
            }
        }
    }

    @Test func `waiting for a process that holds the store and doesn't respond has a limit`() async throws {
        try await NoteDevice.with([.note], on: server) { first in
            #expect(await first.engine.isResponsible())
            try await first.inOtherProcess { second in
                let error = Locked<(any Error)?>(nil)
                let sync = Task {
                    do { try await second.engine.sync() } catch let failure { error.withLock { $0 = failure } }
                }
                let hasEnded = try await first.reaches(after: 1) { error.withLock { $0 } != nil }
                #expect(hasEnded)
                await sync.value
                guard case .otherProcess? = error.withLock({ $0 }) as? SyncError else {
                    Issue.record("\(String(describing: error.withLock { $0 }))")
                    return
                }
                #expect(second.transport.requests.isEmpty)
                guard case .offline(let reason, _) = second.engine.connectionState.value else {
                    Issue.record("\(second.engine.connectionState.value)")
                    return
                }
                #expect(reason.code == .otherProcess)
            }
        }
    }

    @Test func `when the process that holds the store ends, the one that waits takes over`() async throws {
        server.putNotes(1...1)
        try await NoteDevice.with([.note], on: server) { first in
            #expect(await first.engine.isResponsible())
            try await first.inOtherProcess { second in
                let isDone = Locked(false)
                let sync = Task {
                    try await second.engine.sync()
                    isDone.withLock { $0 = true }
                }
                #expect(try await first.reaches { first.clock.sleeperCount > 0 })
                await first.engine.close()
                #expect(try await first.reaches(after: 0.1) { isDone.withLock { $0 } })
                try await sync.value
                #expect(try await second.ids(.note) == ["n1"])
            }
        }
    }
}
