import Foundation
import GRDB
import Groundwork
import JMAP
import ReplicaTesting
import Testing

@testable import Replica

/// The engine's reaction to a rejected token, and to a wait that the server requests.
@Suite(.timeLimit(.minutes(5))) struct TokenAndWaitTests {
    private let server = NoteServer()

    /// Makes the server reject all tokens but one.
    private func accept(_ token: String, on device: NoteDevice) {
        device.transport.answer { [server] request in
            guard request.headers["Authorization"] == "Bearer \(token)" else {
                let problem: JSON = [
                    "status": 401, "type": TokenRefusal.Code.expired.problem.map(JSON.string) ?? .null,
                ]
                return TransportResponse(status: 401, body: problem.utf8, url: request.url)
            }
            return try server.answer(request)
        }
    }

    @Test func `a rejected token is reported with its reason, and replaced in the next sync`() async throws {
        server.putNotes(1...1)
        try await NoteDevice.with([.note], on: server) { device in
            accept("new", on: device)
            let error = await #expect(throws: SyncError.self) { try await device.engine.sync() }
            #expect(error?.tokenRefusal?.code == .expired)
            guard case .unauthorized(let reason) = device.engine.connectionState.value else {
                Issue.record("\(device.engine.connectionState.value)")
                return
            }
            #expect(reason.code == .expired)
            #expect(await device.engine.earliestRound() == nil)
            device.token.withLock { $0 = "new" }
            try await device.engine.sync()
            #expect(try await device.ids(.note) == ["n1"])
            #expect(device.engine.connectionState.value == .idle)
        }
    }

    @Test func `a live engine asks for another token, and sends nothing meanwhile`() async throws {
        server.putNotes(1...1)
        try await NoteDevice.with([.note], on: server) { device in
            accept("new", on: device)
            try await device.live {
                let isPaused = try await device.reaches {
                    if case .unauthorized = device.engine.connectionState.value { true } else { false }
                }
                #expect(isPaused)
                let count = device.transport.requests.count
                for _ in 1...20 { device.clock.advance(by: 10) }
                #expect(device.transport.requests.count == count)
                device.token.withLock { $0 = "new" }
                #expect(try await device.reaches(after: 10) { try await device.ids(.note) == ["n1"] })
                #expect(try await device.reaches { device.engine.connectionState.value == .live })
            }
        }
    }

    @Test func `a wait that the server requests is obeyed, also by a manual sync`() async throws {
        server.putNotes(1...1)
        try await NoteDevice.with([.note], on: server) { device in
            device.transport.fail(with: .status(503, retryAfter: 120))
            await #expect(throws: SyncError.self) { try await device.engine.sync() }
            guard case .offline(let reason, let next) = device.engine.connectionState.value else {
                Issue.record("\(device.engine.connectionState.value)")
                return
            }
            #expect(reason.code == .serverError && reason.status == 503)
            #expect(next == device.clock.now.addingTimeInterval(120))
            device.transport.fail(with: nil)
            let count = device.transport.requests.count
            device.clock.advance(by: 119)
            let error = await #expect(throws: SyncError.self) { try await device.engine.sync() }
            #expect(error?.retryAfter == 1)
            #expect(device.transport.requests.count == count)
            device.clock.advance(by: 1)
            try await device.engine.sync()
            #expect(try await device.ids(.note) == ["n1"])
        }
    }

    @Test func `a live engine syncs when the requested wait ends, and not before`() async throws {
        server.putNotes(1...1)
        try await NoteDevice.with([.note], on: server) { device in
            try await device.engine.sync()
            device.transport.fail(with: .status(429, retryAfter: 600))
            await #expect(throws: SyncError.self) { try await device.engine.sync() }
            device.transport.fail(with: nil)
            server.putNotes(2...2)
            let count = device.transport.requests.count
            try await device.live {
                let waits = try await device.reaches { device.clock.sleeperCount >= 2 }
                #expect(waits)
                device.clock.advance(by: 599)
                #expect(device.transport.requests.count == count)
                #expect(try await device.ids(.note) == ["n1"])
                #expect(try await device.reaches(after: 1) { try await device.ids(.note) == ["n1", "n2"] })
            }
        }
    }
}
