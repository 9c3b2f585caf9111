import Foundation
import GRDB
import Groundwork
import JMAP
import ReplicaTesting
import Testing

@testable import Replica

/// Requests and answers that are too large: less is requested until the server, or the connection, accepts it.
@Suite(.timeLimit(.minutes(5))) struct HalvingTests {
    private let server = NoteServer()

    /// Makes answers fail as larger than the connection allows if one of their lists has more records than a limit.
    private func limitLists(to count: Int, on device: NoteDevice) {
        device.transport.answer { [server] request in
            let response = try server.answer(request)
            guard request.body != nil else { return response }
            for call in try JSON(parsing: response.body)["methodResponses"]?.arrayValue ?? [] {
                let list = call.arrayValue?[1]["list"]?.arrayValue ?? []
                if list.count > count { throw TransportError.tooLarge(limit: response.body.count - 1) }
            }
            return response
        }
    }

    // MARK: - Pages

    @Test func `a page of the newest records halves`() async throws {
        server.putNotes(1...9)
        server.change(.note) { $0.tooLongPage = 3 }
        try await NoteDevice.with([.note], on: server, settings: .limits(device: 7, newDevice: 7)) { device in
            try await device.engine.sync()
            #expect(try await device.ids(.note) == (3...9).map { "n\($0)" })
        }
    }

    @Test func `a page of the newest records halves if its answer is too large`() async throws {
        server.putNotes(1...9)
        try await NoteDevice.with([.note], on: server, settings: .limits(device: 7, newDevice: 7)) { device in
            limitLists(to: 2, on: device)
            try await device.engine.sync()
            #expect(try await device.ids(.note) == (3...9).map { "n\($0)" })
        }
    }

    @Test func `a page of ids halves`() async throws {
        server.putPhotos(1...9)
        server.change(.photo) { $0.tooLongPage = 4 }
        try await NoteDevice.with([.folder, .photo], on: server) { device in
            try await device.engine.sync()
            #expect(try await device.ids(.photo).count == 9)
        }
    }

    @Test func `a page of the outline halves`() async throws {
        server.putNotes(1...9)
        server.change(.outlined) { $0.tooLongPage = 3 }
        try await NoteDevice.with([.outlined], on: server, settings: .limits(device: 2, newDevice: 2)) { device in
            try await device.engine.sync()
            #expect(try await device.outlined() == (1...7).map { "n\($0)" })
            #expect(device.openCount == 9)
        }
    }

    @Test func `a page of the outline halves if its answer is too large`() async throws {
        server.putNotes(1...9)
        try await NoteDevice.with([.outlined], on: server, settings: .limits(device: 2, newDevice: 2)) { device in
            limitLists(to: 3, on: device)
            try await device.engine.sync()
            #expect(try await device.outlined() == (1...7).map { "n\($0)" })
        }
    }

    @Test func `changes halve if their answer is too large, and writes are applied once`() async throws {
        server.putNotes(1...1)
        try await NoteDevice.with([.note], on: server) { device in
            try await device.engine.sync()
            try await device.set(.note, "color", to: "red", of: "n1")
            server.putNotes(2...9)
            limitLists(to: 3, on: device)
            try await device.engine.sync()
            #expect(try await device.ids(.note).count == 9)
            #expect(server.change(.note) { $0.appliedWrites } == [#"n1/color="red""#])
            #expect(try await device.pendingCount() == 0)
        }
    }

    @Test func `a server that can't recognize a repeat isn't sent a write again`() async throws {
        server.putPhotos(1...1)
        try await NoteDevice.with([.folder, .photo], on: server) { device in
            try await device.engine.sync()
            try await device.set(.photo, "title", to: "mine", of: "p1")
            server.putPhotos(2...9)
            limitLists(to: 3, on: device)
            await #expect(throws: SyncError.self) { try await device.engine.sync() }
            try await device.engine.sync()
            #expect(try await device.ids(.photo).count == 9)
            #expect(server.change(.photo) { $0.appliedWrites } == [#"p1/title="mine""#])
            #expect(try await device.pendingCount() == 0)
        }
    }

    @Test func `an answer that can't be smaller is an error of the transport`() async throws {
        server.putNotes(1...1)
        try await NoteDevice.with([.note], on: server) { device in
            limitLists(to: 0, on: device)
            let error = await #expect(throws: SyncError.self) { try await device.engine.sync() }
            guard case .transport(.tooLarge) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    // MARK: - Slices

    @Test(arguments: [true, false]) func `requests for slices halve`(isServer: Bool) async throws {
        for number in 1...9 {
            server.put(.reply, note("r\(number)", at: "2026-04-0\(number)T08:00:00Z", ["topic": .string("t\(number)")]))
        }
        try await NoteDevice.with([.reply], on: server) { device in
            if isServer {
                server.change(.reply) { $0.tooManyRecords = 4 }
            } else {
                limitLists(to: 3, on: device)
            }
            try await device.use(Slice(query: "all", filters: [.null], isCollapsed: true, wanted: nil))
            try await device.engine.sync()
            #expect(try await device.ids(.reply) == (1...9).map { "r\($0)" })
        }
    }

    @Test func `a request for slices that can't be smaller is an error`() async throws {
        server.put(.reply, note("r1", ["topic": "t1"]))
        server.change(.reply) { $0.tooManyRecords = 1 }
        try await NoteDevice.with([.reply], on: server) { device in
            try await device.use(Slice(query: "all", filters: [.null], isCollapsed: true, wanted: nil))
            let error = await #expect(throws: SyncError.self) { try await device.engine.sync() }
            #expect(error?.isAboutSize == true)
        }
    }

    // MARK: - The queue

    @Test func `queued records are split as the server's limit requires`() async throws {
        server.limitEvents(to: 2)
        try await NoteDevice.with([.note], on: server) { device in
            try await device.engine.sync()
            try await device.enqueue("e1", "e2", "e3", "e4", "e5")
            try await device.engine.sync()
            #expect(server.events.map { $0["uid"]?.stringValue } == ["e1", "e2", "e3", "e4", "e5"])
            #expect(try await device.queuedCount() == 0)
        }
    }

    @Test func `a single queued record that is too large is rejected`() async throws {
        server.limitEvents(to: 0)
        try await NoteDevice.with([.note], on: server) { device in
            try await device.engine.sync()
            var refusals = device.engine.refusals.stream().makeAsyncIterator()
            try await device.enqueue("e1", "e2")
            try await device.engine.sync()
            let found = [await refusals.next(), await refusals.next()]
            #expect(found.map { $0?.entry.id } == ["e1", "e2"])
            #expect(found.allSatisfy { $0?.type == "NoteEvent" && $0?.error == "tooLarge" })
            #expect(try await device.queuedCount() == 0)
            #expect(server.events.isEmpty)
        }
    }

    @Test func `a request that is too large is sent without the queue, then in parts`() async throws {
        server.putNotes(1...1)
        try await NoteDevice.with([.note], on: server) { device in
            try await device.engine.sync()
            // Each request may have one change.
            device.transport.answer { [server] request in
                let calls = try request.body.map { try JSON(parsing: $0)["methodCalls"]?.arrayValue ?? [] } ?? []
                let changes = calls.compactMap { $0.arrayValue?[1] }.map { arguments in
                    ["update", "create"].reduce(0) { $0 + (arguments[$1]?.objectValue?.members.count ?? 0) }
                }
                guard changes.reduce(0, +) <= 1 else {
                    let problem: JSON = ["type": "urn:ietf:params:jmap:error:limit", "limit": "maxSizeRequest"]
                    return TransportResponse(status: 400, body: problem.utf8, url: request.url)
                }
                return try server.answer(request)
            }
            try await device.set(.note, "color", to: "red", of: "n1")
            let events = ["e1", "e2", "e3"]
            for event in events { try await device.enqueue(event) }
            try await device.engine.sync()
            #expect(server.events.map { $0["uid"]?.stringValue } == events)
            #expect(server.values(.note, "color") == ["n1": "red"])
            #expect(try await device.pendingCount() == 0)
        }
    }
}
