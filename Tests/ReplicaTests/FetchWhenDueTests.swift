import Foundation
import GRDB
import Groundwork
import JMAP
import ReplicaTesting
import Testing

@testable import Replica

/// Fetches of records beyond the window that wait for the next round.
@Suite(.timeLimit(.minutes(5))) struct FetchWhenDueTests {
    private let server = NoteServer()

    private func withDevice(_ body: (NoteDevice) async throws -> Void) async throws {
        server.putNotes(1...6)
        try await NoteDevice.with([.outlined], on: server, settings: .limits(device: 2, newDevice: 2), body)
    }

    @Test func `a live engine fetches at once`() async throws {
        try await withDevice { device in
            try await device.live {
                #expect(try await device.reaches { try await device.ids(.outlined) == ["n5", "n6"] })
                let answer = try await device.engine.fetchWhenDue(.ids(["n1"]), of: .outlined)
                #expect(answer.count == 1 && answer.isLast)
                #expect(try await device.ids(.outlined) == ["n1", "n5", "n6"])
            }
        }
    }

    @Test func `a live engine fetches nothing during a back-off`() async throws {
        try await withDevice { device in
            try await device.live {
                let isLive = try await device.reaches { device.engine.connectionState.value == .live }
                #expect(isLive)
                device.transport.fail(with: .unreachable)
                await #expect(throws: SyncError.self) { try await device.engine.sync() }
                let count = device.transport.requests.count
                await #expect(throws: CancellationError.self) {
                    try await device.engine.fetchWhenDue(.ids(["n1"]), of: .outlined)
                }
                #expect(device.transport.requests.count == count)
            }
        }
    }

    /// No event follows: the server is silent, and nothing is written.
    @Test func `a failed round that a caller began is repeated`() async throws {
        try await withDevice { device in
            try await device.live {
                #expect(try await device.reaches { device.engine.connectionState.value == .live })
                #expect(try await device.reaches { try await device.ids(.outlined) == ["n5", "n6"] })
                try await device.engine.sync()
                let first = device.transport.requests.count
                try await device.engine.sync()
                let requests = device.transport.requests.count - first
                device.transport.fail(with: .unreachable)
                await #expect(throws: SyncError.self) {
                    try await device.engine.fetchWhenDue(.ids(["n1"]), of: .outlined)
                }
                let count = device.transport.requests.count
                device.transport.fail(with: nil)
                guard case .offline(_, .some) = device.engine.connectionState.value else {
                    Issue.record("\(device.engine.connectionState.value)")
                    return
                }
                // Less than the time after which a silent stream is opened again.
                device.clock.advance(by: 2)
                #expect(try await device.reaches { device.engine.connectionState.value == .live })
                #expect(device.transport.requests.count == count + requests, "one round is enough")
            }
        }
    }

    @Test func `an engine that isn't live fetches in the next sync, or ends with it`() async throws {
        try await withDevice { device in
            try await device.engine.sync()
            let fetch = Task { try await device.engine.fetchWhenDue(.ids(["n1"]), of: .outlined) }
            #expect(try await device.reaches { await device.engine.fetchRequests.next(of: .outlined) != nil })
            #expect(try await device.ids(.outlined) == ["n5", "n6"])
            try await device.engine.sync()
            #expect(try await fetch.value.count == 1)
            #expect(try await device.ids(.outlined) == ["n1", "n5", "n6"])
            let last = Task { try await device.engine.fetchWhenDue(.ids(["n2"]), of: .outlined) }
            #expect(try await device.reaches { await device.engine.fetchRequests.next(of: .outlined) != nil })
            await device.engine.close()
            await #expect(throws: StoreError.self) { try await last.value }
        }
    }
}
