import Foundation
import GRDB
import Groundwork
import JMAP
import ReplicaTesting
import Testing

@testable import Replica

/// Every way of syncing, with types that are neither messages nor mail, against a server in memory.
@Suite(.timeLimit(.minutes(5))) struct SyncWaysTests {
    private let server = NoteServer()
    private let times = (1...9).map { "2026-04-0\($0)T08:00:00Z" }

    private func settings(device: Int = 100, newDevice: Int = 50) -> SyncSettings {
        .limits(device: device, newDevice: newDevice)
    }

    private func putNotes(_ count: Int) { server.putNotes(1...count) }

    // MARK: - The newest records

    @Test func `a new device fetches the newest records, and later changes`() async throws {
        putNotes(5)
        try await NoteDevice.with([.note], on: server, settings: settings(newDevice: 2)) { device in
            try await device.engine.sync()
            #expect(try await device.ids(.note) == ["n4", "n5"])
            server.put(.note, note("n6", at: times[5]), note("n5", at: times[4], ["text": "edited"]))
            server.change(.note) { _ = $0.remove("n4") }
            try await device.engine.sync()
            #expect(try await device.ids(.note) == ["n5", "n6"])
            #expect(try await device.value(.note, "text", of: "n5") == "edited")
        }
    }

    @Test func `records beyond the limit are removed, the oldest first, except kept ones`() async throws {
        server.put(.note, note("kept", at: times[0], ["stars": 1]))
        try await NoteDevice.with([.note], on: server, settings: settings(device: 3, newDevice: 3)) { device in
            try await device.engine.sync()
            for number in 2...7 { server.put(.note, note("n\(number)", at: times[number - 1])) }
            try await device.engine.sync()
            #expect(try await device.ids(.note) == ["kept", "n6", "n7"])
        }
    }

    @Test func `changes that the server has forgotten are replaced by a full sync`() async throws {
        putNotes(3)
        try await NoteDevice.with([.note], on: server, settings: settings()) { device in
            try await device.engine.sync()
            server.put(.note, note("n4", at: times[3]))
            server.change(.note) {
                _ = $0.remove("n1")
                $0.forgetChanges()
            }
            try await device.engine.sync()
            #expect(try await device.ids(.note) == ["n2", "n3", "n4"])
        }
    }

    @Test func `an unreadable record is set aside, and the others are stored`() async throws {
        putNotes(1)
        server.put(.note, ["id": "bad", "at": "no date"])
        try await NoteDevice.with([.note], on: server, settings: settings()) { device in
            try await device.engine.sync()
            #expect(try await device.ids(.note) == ["n1"])
            server.put(.note, note("bad", at: times[1]))
            try await device.engine.sync()
            #expect(try await device.ids(.note) == ["bad", "n1"])
        }
    }

    // MARK: - The outline

    @Test func `a device counts and changes records that are known by their outline`() async throws {
        putNotes(6)
        try await NoteDevice.with([.outlined], on: server, settings: settings(device: 2, newDevice: 2)) { device in
            try await device.engine.sync()
            #expect(try await device.ids(.outlined) == ["n5", "n6"])
            #expect(try await device.outlined() == ["n1", "n2", "n3", "n4"])
            #expect(device.openCount == 6)
            try await device.set(.outlined, "doneAt", to: .string(times[6]), of: "n6")
            #expect(device.openCount == 5)
            let reached = try await device.markAllDone(at: times[7])
            #expect(reached?.sorted() == ["n1", "n2", "n3", "n4", "n5"])
            #expect(device.openCount == 0)
            try await device.engine.sync()
            let done = server.values(.outlined, "doneAt")
            #expect(done.count == 6)
            #expect(done["n6"] == .string(times[6]))
            #expect(done["n1"] == .string(times[7]))
            #expect(try await device.pendingCount() == 0)
        }
    }

    @Test func `records beyond the window are fetched by id and by filter`() async throws {
        putNotes(6)
        try await NoteDevice.with([.outlined], on: server, settings: settings(device: 2, newDevice: 2)) { device in
            try await device.engine.sync()
            try await device.engine.fetch(.ids(["n1", "unknown"]), of: .outlined)
            #expect(try await device.ids(.outlined) == ["n1", "n5", "n6"])
            let filter: JSON = ["property": "at", "op": "lessThan", "value": .string(times[3])]
            let sort: JSON = [["property": "at", "isAscending": false]]
            let answer = try await device.engine.fetch(
                .matches(filter: filter, sort: sort, position: 0, limit: 2),
                of: .outlined
            )
            #expect(answer.count == 2 && !answer.isLast)
            #expect(try await device.ids(.outlined) == ["n1", "n2", "n3", "n5", "n6"])
        }
    }

    @Test func `without an outline, a server's newest records are synced alone`() async throws {
        putNotes(4)
        server.failOutline(with: .unknownMethod)
        try await NoteDevice.with([.outlined], on: server, settings: settings(device: 2, newDevice: 2)) { device in
            try await device.engine.sync()
            #expect(try await device.ids(.outlined) == ["n3", "n4"])
            #expect(try await device.outlined().isEmpty)
            #expect(try await device.markAllDone(at: times[7]) == nil)
        }
    }

    // MARK: - All records in pages

    @Test func `an interrupted fetch of all records continues with the missing ones`() async throws {
        for number in 1...9 { server.put(.photo, note("p\(number)", at: times[number - 1])) }
        // Chunks are halved until the server accepts them.
        server.change(.photo) { $0.tooManyRecords = 4 }
        try await NoteDevice.with([.folder, .photo], on: server) { device in
            device.transport.answer { [server] request in
                guard server.fetched.count < 4 else { throw TransportError.unreachable("no network") }
                return try server.answer(request)
            }
            await #expect(throws: SyncError.self) { try await device.engine.sync() }
            let held = try await device.ids(.photo)
            #expect(held.contains("p9") && !held.contains("p1"), "the newest come first")
            device.transport.answer { [server] in try server.answer($0) }
            server.clearLog()
            try await device.engine.sync()
            #expect(try await device.ids(.photo).count == 9)
            #expect(Set(server.fetched).isDisjoint(with: held) && server.fetched.count == 9 - held.count)
        }
    }

    @Test func `a full sync of all records finds removed ones`() async throws {
        for number in 1...9 { server.put(.photo, note("p\(number)", at: times[number - 1])) }
        try await NoteDevice.with([.folder, .photo], on: server) { device in
            try await device.engine.sync()
            server.put(.photo, note("p0", at: times[0]), note("p2", at: times[1], ["title": "edited"]))
            server.change(.photo) {
                _ = $0.remove("p1")
                $0.forgetChanges()
            }
            try await device.engine.sync()
            #expect(try await device.ids(.photo) == ["p0"] + (2...9).map { "p\($0)" })
            #expect(try await device.value(.photo, "title", of: "p2") == "edited")
        }
    }

    @Test func `after a lost answer, records are compared, and a write takes effect once`() async throws {
        server.put(.photo, note("p1", ["title": "old"]))
        try await NoteDevice.with([.folder, .photo], on: server) { device in
            try await device.engine.sync()
            try await device.set(.photo, "title", to: "new", of: "p1")
            server.loseAnswers(true)
            await #expect(throws: SyncError.self) { try await device.engine.sync() }
            #expect(server.values(.photo, "title") == ["p1": "new"])
            server.loseAnswers(false)
            try await device.engine.sync()
            #expect(server.change(.photo) { $0.appliedWrites } == [#"p1/title="new""#])
            #expect(try await device.pendingCount() == 0)
        }
    }

    @Test func `a reference to a removed record is rejected on the device`() async throws {
        server.put(.folder, ["id": "a", "name": "A"], ["id": "b", "name": "B"])
        server.put(.photo, note("p1", ["folders": ["a": true]]))
        try await NoteDevice.with([.folder, .photo], on: server) { device in
            try await device.engine.sync()
            var refusals = device.engine.refusals.stream().makeAsyncIterator()
            try await device.store.write { writer in
                _ = try writer.update(
                    .photo,
                    RecordType.photo.column("folders")!,
                    members: ["b": true, "a": false],
                    ids: ["p1"]
                )
            }
            server.change(.folder) { _ = $0.remove("b") }
            try await device.engine.sync()
            #expect(await refusals.next()?.entry.id == "p1")
            #expect(server.values(.photo, "folders") == ["p1": ["a": true]])
            #expect(try await device.value(.photo, "folders", of: "p1") == #"["a"]"#)
        }
    }

    // MARK: - Slices

    @Test func `a device fetches the slices that its queries need, in whole groups`() async throws {
        for (id, topic, day) in [("r1", "t1", 0), ("r2", "t2", 1), ("r3", "t1", 2), ("r4", "t3", 3), ("r5", "t2", 4)] {
            server.put(.reply, note(id, at: times[day], ["topic": .string(topic)]))
        }
        try await NoteDevice.with([.reply], on: server) { device in
            try await device.engine.sync()
            #expect(try await device.ids(.reply).isEmpty)
            try await device.use(Slice(query: "newest", filters: [.null], isCollapsed: true, wanted: 2))
            try await device.engine.sync()
            #expect(try await device.ids(.reply) == ["r2", "r4", "r5"])
            // A reply of another topic comes without its group, one of a fetched topic with it.
            server.put(.reply, note("r6", at: times[5], ["topic": "t3"]))
            try await device.engine.sync()
            #expect(try await device.ids(.reply) == ["r2", "r4", "r5", "r6"])
            let filter: JSON = ["property": "topic", "op": "equal", "value": "t1"]
            try await device.use(Slice(query: "t1", filters: [filter], isCollapsed: true, wanted: nil))
            try await device.engine.sync()
            #expect(try await device.ids(.reply) == ["r1", "r2", "r3", "r4", "r5", "r6"])
        }
    }

    // MARK: - Writes and the queue

    @Test func `a lost answer to a batch is repeated under its key, and applied once`() async throws {
        putNotes(2)
        try await NoteDevice.with([.note], on: server, settings: settings()) { device in
            try await device.engine.sync()
            try await device.set(.note, "color", to: "red", of: "n1", "n2")
            server.loseAnswers(true)
            await #expect(throws: SyncError.self) { try await device.engine.sync() }
            server.change(.note) { $0.put("n1", note("n1", at: times[0], ["color": "server's"])) }
            server.loseAnswers(false)
            try await device.engine.sync()
            #expect(server.change(.note) { $0.appliedWrites } == [#"n1/color="red""#, #"n2/color="red""#])
            #expect(try await device.value(.note, "color", of: "n1") == "server's")
            #expect(try await device.pendingCount() == 0)
        }
    }

    @Test func `a refused write is reported and reverted, the others are applied`() async throws {
        putNotes(2)
        server.change(.note) { $0.refusals["n1"] = SetError("forbidden") }
        try await NoteDevice.with([.note], on: server, settings: settings()) { device in
            try await device.engine.sync()
            var refusals = device.engine.refusals.stream().makeAsyncIterator()
            try await device.set(.note, "color", to: "red", of: "n1", "n2")
            try await device.engine.sync()
            let refusal = await refusals.next()
            #expect(refusal?.entry.id == "n1" && refusal?.error == "forbidden" && refusal?.type == "Note")
            #expect(try await device.value(.note, "color", of: "n1") == nil)
            #expect(server.values(.note, "color") == ["n2": "red"])
        }
    }

    @Test func `many writes are split as the server's limits require`() async throws {
        putNotes(9)
        try await NoteDevice.with([.note], on: server, settings: settings()) { device in
            try await device.engine.sync()
            server.change(.note) { $0.setLimit = 2 }
            try await device.set(.note, "color", to: "red", of: (1...9).map { "n\($0)" })
            try await device.engine.sync()
            #expect(server.values(.note, "color").count == 9)
            #expect(server.change(.note) { $0.appliedWrites.count } == 9)
        }
    }

    @Test(arguments: [6, 7, 16]) func `a request has no more calls than the server allows`(limit: Int) async throws {
        putNotes(6)
        server.put(.folder, ["id": "a", "name": "A"])
        server.limitCalls(to: limit)
        let settings = settings(device: 2, newDevice: 2)
        try await NoteDevice.with([.outlined, .folder], on: server, settings: settings) { device in
            // Without a complete outline, the next sync requests changes and counts.
            server.failOutline(with: MethodError("serverUnavailable"))
            await #expect(throws: SyncError.self) { try await device.engine.sync() }
            server.failOutline(with: nil)
            try await device.set(.outlined, "color", to: "red", of: "n6")
            try await device.enqueue("event")
            server.clearLog()
            try await device.engine.sync()
            #expect(
                server.log.prefix(6).contains("Note/counts") && server.log.contains("NoteEvent/set"),
                "\(server.log)"
            )
            #expect(server.values(.outlined, "color") == ["n6": "red"])
            #expect(server.events.count == 1)
        }
    }

    @Test func `queued records are sent in order, each once`() async throws {
        try await NoteDevice.with([.note], on: server, settings: settings()) { device in
            try await device.engine.sync()
            try await device.enqueue("e1", "e2", "e3")
            server.loseAnswers(true)
            await #expect(throws: SyncError.self) { try await device.engine.sync() }
            server.loseAnswers(false)
            try await device.enqueue("e4")
            try await device.engine.sync()
            #expect(server.events.map { $0["uid"]?.stringValue } == ["e1", "e2", "e3", "e4"])
        }
    }

    @Test func `after a sign-out, remaining writes are sent, or their number is returned`() async throws {
        putNotes(1)
        try await NoteDevice.with([.note], on: server, settings: settings()) { device in
            try await device.engine.sync()
            try await device.set(.note, "color", to: "red", of: "n1")
            #expect(await device.engine.sendRemainingWrites(within: 60) == 0)
            #expect(server.values(.note, "color") == ["n1": "red"])
        }
        try await NoteDevice.with([.note], on: server, settings: settings()) { device in
            try await device.engine.sync()
            try await device.set(.note, "color", to: "blue", of: "n1")
            device.transport.fail(with: .unreachable)
            #expect(await device.engine.sendRemainingWrites(within: 5) == 1)
        }
    }

    // MARK: - Pushes and live connections

    @Test func `a pushed record is shown at once, and the server's replaces it or its time ends`() async throws {
        try await NoteDevice.with([.note], on: server, settings: settings()) { device in
            try await device.engine.sync()
            let until = device.clock.now.milliseconds + 60_000
            for id in ["n1", "n2"] {
                let text = try JSONText(checking: note(id, ["text": "pushed"]).utf8)
                _ = try await device.store.write { writer in try writer.receive(.note, text, until: until) }
            }
            #expect(try await device.ids(.note) == ["n1", "n2"])
            server.put(.note, note("n1", ["text": "sent"]))
            try await device.engine.sync()
            device.clock.advance(by: 61)
            #expect(try await device.ids(.note) == ["n1"])
            #expect(try await device.value(.note, "text", of: "n1") == "sent")
        }
    }

    @Test(arguments: [true, false]) func `a live device receives changes and sends writes`(hasEvents: Bool) async throws
    {
        putNotes(1)
        try await NoteDevice.with([.note], on: server, settings: settings()) { device in
            if !hasEvents {
                device.transport.answerStreams { _ in TransportStream(status: 404, body: .init { $0.finish() }) }
            }
            let live = Task { await device.engine.runLive() }
            // Time passes while the test waits, for polls and back-offs.
            func reaches(_ condition: @escaping () async throws -> Bool) async throws -> Bool {
                try await device.reaches(after: hasEvents ? 0 : 10, condition)
            }
            #expect(try await reaches { try await device.ids(.note) == ["n1"] })
            #expect(try await reaches { device.engine.connectionState.value == (hasEvents ? .live : .polling) })
            server.put(.note, note("n2", at: times[1]))
            #expect(try await reaches { try await device.ids(.note) == ["n1", "n2"] })
            try await device.set(.note, "color", to: "red", of: "n2")
            #expect(try await reaches { server.values(.note, "color") == ["n2": "red"] })
            live.cancel()
            await live.value
        }
    }
}
