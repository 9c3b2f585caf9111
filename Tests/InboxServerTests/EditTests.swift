import Eventually
import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct EditTests {
    private static let audiences: [JSON] = [["people": ["ann", "bob"]], ["everyone": true]]
    private static let later: JSON = ["title": "Later", "deliverAt": "2026-05-01T09:00:00Z"]

    private func edit(_ id: String, _ message: JSON, on server: TestServer) async throws -> Answer {
        try await server.rest("PUT", "/v1/messages/\(id)", ["message": message])
    }

    @Test(arguments: audiences)
    func `editing a delivered message updates every device and keeps personal dates`(_ to: JSON) async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let id = try await server.send(to: to, ["title": "Old", "body": "Gone after the edit", "category": "a"])
            let (ann, bob) = (try await server.device(of: "ann"), try await server.device(of: "bob"))
            try await ann.update(id, ["readAt": "2026-05-01T08:00:00Z"])
            let (stateOfAnn, stateOfBob) = (try await ann.state(), try await bob.state())
            clock.advance(by: 60)
            let answer = try await edit(id, ["title": "New", "category": "b"], on: server)
            #expect(answer.status == 200)
            #expect(answer.json["title"] == "New")
            #expect(answer.json["deliverAt"] == "2026-05-01T08:00:00Z")
            #expect(answer.json["body"] == nil)
            for (device, state) in [(ann, stateOfAnn), (bob, stateOfBob)] {
                let changes = try await device.changes(since: state)
                #expect(changes.updated == [id])
                #expect(changes.created == [] && changes.destroyed == [])
                let message = try #require(try await device.message(id))
                #expect(message["title"] == "New")
                #expect(message["body"] == nil)
                #expect(message["deliverAt"] == "2026-05-01T08:00:00Z")
                let filter: JSON = ["property": "category", "op": "equal", "value": "b"]
                #expect(try await device.ids(["filter": filter]) == [id])
            }
            #expect(try await ann.message(id)?["readAt"] == "2026-05-01T08:00:00Z")
            #expect(try await bob.message(id)?["readAt"] == .null)
            // A new device lists it as created.
            #expect(try await ann.changes(since: "0-0").created == [id])
        }
    }

    @Test(arguments: audiences)
    func `a message destroyed by the person stays destroyed after an edit`(_ to: JSON) async throws {
        try await withServer { server in
            let id = try await server.send(to: to)
            let ann = try await server.device(of: "ann")
            _ = try await ann.call("set", ["destroy": [.string(id)]])
            let state = try await ann.state()
            #expect(try await edit(id, ["title": "New"], on: server).status == 200)
            let changes = try await ann.changes(since: state)
            #expect(changes.updated == [] && changes.created == [])
            #expect(try await ann.ids() == [])
        }
    }

    @Test func `an edit with equal content changes nothing, in any member order`() async throws {
        try await withServer { server in
            let message: JSON = [
                "title": "e\u{301}", "actions": [["text": "A"]], "additionalData": ["a": "1", "b": "2"],
                "expiresAt": "2026-06-01T00:00:00Z",
            ]
            let id = try await server.send(to: ["person": "ann"], message)
            let ann = try await server.device(of: "ann")
            let state = try await ann.state()
            let same: JSON = [
                "expiresAt": "2026-06-01T00:00:00.000Z", "additionalData": ["b": "2", "a": "1"], "surface": "inbox",
                "actions": [["text": "A", "id": "1"]], "title": "e\u{301}", "deliverAt": "2026-05-01T08:00:00Z",
            ]
            #expect(try await edit(id, same, on: server).status == 200)
            #expect(try await ann.state() == state)
            // A canonically equivalent title is the same title; another character isn't.
            var other = try #require(message.objectValue)
            other["title"] = "\u{e9}"
            #expect(try await edit(id, .object(other), on: server).status == 200)
            #expect(try await ann.state() == state)
            other["title"] = "e"
            #expect(try await edit(id, .object(other), on: server).status == 200)
            #expect(try await ann.state() != state)
        }
    }

    @Test(arguments: audiences)
    func `a due message is edited invisibly, and its delivery time may move`(_ to: JSON) async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let id = try await server.send(to: to, Self.later)
            let ann = try await server.device(of: "ann")
            let state = try await ann.state()
            // Without `deliverAt` the time stays.
            let kept = try await edit(id, ["title": "Kept"], on: server)
            #expect(kept.json["deliverAt"] == "2026-05-01T09:00:00Z")
            let moved = try await edit(id, ["title": "Moved", "deliverAt": "2026-05-01T10:00:00Z"], on: server)
            #expect(moved.json["deliverAt"] == "2026-05-01T10:00:00Z")
            clock.advance(by: 7_199)
            #expect(try await ann.ids() == [])
            #expect(try await ann.state() == state)
            clock.advance(by: 1)
            #expect(try await eventually { try await ann.ids() == [id] })
            #expect(try await ann.changes(since: state).created == [id])
            #expect(try await ann.message(id)?["title"] == "Moved")
            #expect(try await ann.message(id)?["deliverAt"] == "2026-05-01T10:00:00Z")
        }
    }

    @Test(arguments: audiences)
    func `a due message moved to the past appears at once, and only once`(_ to: JSON) async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let id = try await server.send(to: to, Self.later)
            let ann = try await server.device(of: "ann")
            let state = try await ann.state()
            let answer = try await edit(id, ["title": "Now", "deliverAt": "2020-01-01T00:00:00Z"], on: server)
            #expect(answer.json["deliverAt"] == "2026-05-01T08:00:00Z")
            #expect(try await ann.changes(since: state).created == [id])
            let storage = try await server.storage()
            #expect(try await storage.readTables { try $0.value("SELECT count(*) FROM due WHERE kind = 1") } == 0)
            #expect(try await ann.message(id)?["deliverAt"] == "2026-05-01T08:00:00Z")
        }
    }

    @Test(arguments: audiences)
    func `an edited expiresAt is obeyed: longer, shorter or removed`(_ to: JSON) async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let longer = try await server.send(to: to, ["title": "A", "expiresAt": "2026-05-01T09:00:00Z"])
            let shorter = try await server.send(to: to, ["title": "B", "expiresAt": "2026-05-01T12:00:00Z"])
            let forever = try await server.send(to: to, ["title": "C", "expiresAt": "2026-05-01T09:00:00Z"])
            #expect(
                try await edit(longer, ["title": "A", "expiresAt": "2026-05-01T11:00:00Z"], on: server).status == 200
            )
            #expect(
                try await edit(shorter, ["title": "B", "expiresAt": "2026-05-01T10:00:00Z"], on: server).status == 200
            )
            #expect(try await edit(forever, ["title": "C"], on: server).status == 200)
            let ann = try await server.device(of: "ann")
            clock.advance(by: 7_200)
            #expect(try await eventually { try await ann.ids() == [forever, longer] })
            clock.advance(by: 3_600)
            #expect(try await eventually { try await ann.ids() == [forever] })
            #expect(try await edit(longer, ["title": "Too late"], on: server).status == 409)
        }
    }

    @Test func `an invalid edit is rejected with its pointer and changes nothing`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let shown = try await server.send(to: ["person": "ann"], ["title": "Shown"])
            let waiting = try await server.send(to: ["person": "ann"], Self.later)
            let everyone = try await server.send(
                to: ["everyone": true],
                ["title": "x", "expiresAt": "2027-05-01T00:00:00Z"]
            )
            clock.advance(by: 60)
            let cases: [(id: String, body: JSON, pointer: String)] = [
                (shown, [:], "/message"),
                (shown, ["message": ["title": "x"], "to": ["person": "bob"]], "/to"),
                (shown, ["message": ["titel": "x"]], "/message/titel"),
                (shown, ["message": ["title": ""]], "/message"),
                (shown, ["message": ["title": "x", "readAt": "2026-05-01T08:00:00Z"]], "/message/readAt"),
                (shown, ["message": ["title": "x", "deliverAt": "2026-05-01T09:00:00Z"]], "/message/deliverAt"),
                (shown, ["message": ["title": "x", "deliverAt": "2026-05-01T07:00:00Z"]], "/message/deliverAt"),
                (shown, ["message": ["title": "x", "expiresAt": "2026-05-01T08:00:30Z"]], "/message/expiresAt"),
                (waiting, ["message": ["title": "x", "expiresAt": "2026-05-01T09:00:00Z"]], "/message/expiresAt"),
                ("m0000000000000", ["message": ["title": 1]], "/message/title"),
            ]
            let ann = try await server.device(of: "ann")
            let state = try await ann.state()
            for wrong in cases {
                let answer = try await server.rest("PUT", "/v1/messages/\(wrong.id)", wrong.body)
                #expect(answer.status == 400)
                #expect(answer.json["pointer"]?.stringValue == wrong.pointer)
            }
            for id in ["m0000000000000", "nope"] {
                #expect(try await edit(id, ["title": "x"], on: server).status == 404)
            }
            #expect(try await ann.state() == state)
            #expect(try await ann.message(shown)?["title"] == "Shown")
            clock.advance(by: 90 * 86_400)
            let late = try await edit(everyone, ["title": "y"], on: server)
            #expect(late.status == 400)
            #expect(late.json["pointer"] == "/message/expiresAt")
        }
    }
}
