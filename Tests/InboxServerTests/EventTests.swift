import Eventually
import Foundation
import Groundwork
import GRDB
import JMAP
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct EventTests {
    private func rows(_ server: TestServer, _ table: String) async throws -> Int {
        try await server.storage().readTables { try $0.value("SELECT count(*) FROM \(table)") } ?? 0
    }

    @Test func `a created event is stored and answered with the server's properties`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let answer = try await device.track("opened", id, uid: "u-1", data: ["seconds": 3, "from": "push"])
            let now: JSON = "2026-05-01T08:00:00Z"
            #expect(answer["created"] == ["k": ["id": "u-1", "at": now, "receivedAt": now]])
            #expect(answer["oldState"] == answer["newState"])
            let row = try await server.storage().readTables { db in
                try db.row("SELECT type, data FROM event").map { [$0[0], $0[1]] as [String] }
            }
            #expect(row == ["opened", #"{"from":"push","seconds":3}"#])
        }
    }

    @Test func `a created event's id is in the response's createdIds`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let event: JSON = ["uid": "u1", "message": .string(id), "type": "opened"]
            let call: JSON = [
                "InboxEvent/set", ["accountId": .string(device.account), "create": ["k": event]], "0",
            ]
            let answer = try await device.post([
                "using": JSON([CoreCapability.uri, "https://swift-inbox.example/jmap/messages"]),
                "methodCalls": [call], "createdIds": [:],
            ])
            #expect(answer.json["createdIds"] == ["k": "u1"])
        }
    }

    @Test func `a repeated uid, in one or two requests, gets the first answer and counts once`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let id = try await server.send(
                to: ["person": "ann"],
                ["title": "x", "actions": [["id": "go", "text": "Go"]]]
            )
            let device = try await server.device(of: "ann")
            let first = try await device.track("clicked", id, uid: "u1", action: "go", at: "2026-05-01T08:00:00Z")
            clock.advance(by: 3_600)
            #expect(try await device.track("clicked", id, uid: "u1", action: "go", at: "2026-05-01T08:00:00Z") == first)
            let event: JSON = ["uid": "u2", "message": .string(id), "type": "clicked", "action": "go"]
            let twice = try await device.setEvents(["create": ["a": event, "b": event]])
            #expect(twice["created"]?["a"] == twice["created"]?["b"])
            #expect(try await rows(server, "event") == 2)
            let figures = try await server.rest("GET", "/v1/messages/\(id)/figures").json
            #expect(figures["clicked"] == 1)
            #expect(figures["clicksByAction"] == ["go": 2])
        }
    }

    @Test func `a repeated uid gets the first answer, whatever else the event contains`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let first = try await device.track("opened", id, uid: "u1")
            let repeats: [JSON] = [
                ["uid": "u1"], ["uid": "u1", "message": .string(id), "type": "1x"],
                ["uid": "u1", "message": "nope", "type": "opened"], ["uid": "u1", "data": [], "extra": 1],
            ]
            for event in repeats { #expect(try await device.setEvents(["create": ["k": event]]) == first) }
            #expect(try await rows(server, "event") == 1)
        }
    }

    @Test func `a recall, then a restart, then a repeated event, gets the first answer`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let clock = ManualClock()
            var server = try await TestServer.start(file: file, clock: clock)
            let id = try await server.send(to: ["person": "ann"])
            let first = try await server.device(of: "ann").track("clicked", id, uid: "u1")
            #expect(try await server.rest("DELETE", "/v1/messages/\(id)").status == 204)
            try await server.stop()
            clock.advance(by: 60)
            server = try await TestServer.start(file: file, clock: clock)
            #expect(try await server.device(of: "ann").track("clicked", id, uid: "u1") == first)
            #expect(try await server.rest("GET", "/v1/messages/\(id)/figures").json["clicked"] == 1)
            try await server.stop()
        }
    }

    @Test func `the same uid of another person is another event`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["people": ["ann", "bob"]])
            try await server.device(of: "ann").track("opened", id, uid: "u1")
            try await server.device(of: "bob").track("clicked", id, uid: "u1")
            #expect(try await rows(server, "event") == 2)
            #expect(try await server.rest("GET", "/v1/messages/\(id)/figures").json["clicked"] == 1)
        }
    }

    @Test func `a click marks as read once, at its time, and never undoes a later unread`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let ids = [try await server.send(to: ["person": "ann"]), try await server.send(to: ["everyone": true])]
            let device = try await server.device(of: "ann")
            let state = try await device.state()
            clock.advance(by: 60)
            for id in ids {
                try await device.track("clicked", id, uid: "c-\(id)", at: "2026-05-01T08:00:30Z")
                #expect(try await device.message(id)?["readAt"] == "2026-05-01T08:00:30Z")
            }
            #expect(Set(try await device.changes(since: state).updated) == Set(ids))
            try await device.update(ids[0], ["readAt": .null])
            try await device.track("clicked", ids[0], uid: "c-\(ids[0])")
            #expect(try await device.message(ids[0])?["readAt"] == .null)
            // A read message keeps its date, and no stream is woken.
            let later = try await device.state()
            try await device.track("clicked", ids[1], uid: "again")
            #expect(try await device.state() == later)
            #expect(try await device.message(ids[1])?["readAt"] == "2026-05-01T08:00:30Z")
        }
    }

    @Test func `unread, then an older click with reads false, stays unread and counts`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            try await device.update(id, ["readAt": "2026-05-01T08:00:00Z"])
            try await device.update(id, ["readAt": .null])
            let state = try await device.state()
            try await device.track("clicked", id, uid: "u1", reads: false)
            #expect(try await device.message(id)?["readAt"] == .null)
            #expect(try await device.state() == state)
            #expect(try await server.rest("GET", "/v1/messages/\(id)/figures").json["clicked"] == 1)
            try await device.track("clicked", id, uid: "u2", reads: true)
            #expect(try await device.message(id)?["readAt"] == "2026-05-01T08:00:00Z")
        }
    }

    @Test func `an event other than a click doesn't change the message`() async throws {
        let cases: [String] = ["delivered", "displayed", "opened", "dismissed", "cart.added"]
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            for (number, type) in cases.enumerated() {
                let (state, message) = (try await device.state(), try await device.message(id))
                #expect(try await device.track(type, id, uid: "u\(number)")["created"]?["k"] != nil, "\(type)")
                #expect(try await device.state() == state, "\(type)")
                #expect(try await device.message(id) == message, "\(type)")
            }
        }
    }

    @Test func `an event's time is clamped to between delivery and now`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let id = try await server.send(to: ["person": "ann"])
            clock.advance(by: 3_600)
            let device = try await server.device(of: "ann")
            func acceptedTime(_ at: String, _ uid: String) async throws -> JSON? {
                try await device.track("displayed", id, uid: uid, at: at)["created"]?["k"]?["at"]
            }
            #expect(try await acceptedTime("1970-01-01T00:00:00Z", "u1") == "2026-05-01T08:00:00Z")
            #expect(try await acceptedTime("2026-05-01T08:30:00.5Z", "u2") == "2026-05-01T08:30:00.5Z")
            #expect(try await acceptedTime("2036-05-01T08:00:00Z", "u3") == "2026-05-01T09:00:00Z")
        }
    }

    @Test func `an event for a message outside the inbox is rejected and not counted`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let ann = try await server.device(of: "ann")
            let others = try await server.send(to: ["person": "bob"])
            let waiting = try await server.send(
                to: ["person": "ann"],
                ["title": "x", "deliverAt": "2026-05-02T08:00:00Z"]
            )
            let recalled = try await server.send(to: ["everyone": true])
            _ = try await server.rest("DELETE", "/v1/messages/\(recalled)")
            let destroyed = try await server.send(to: ["person": "ann"])
            _ = try await ann.call("set", ["destroy": [.string(destroyed)]])
            for id in [others, waiting, recalled, destroyed, "m0000000000000", "nope", ""] {
                let answer = try await ann.track("clicked", id, uid: "u1")
                #expect(answer["notCreated"]?["k"]?.type == "invalidProperties")
                #expect(answer["notCreated"]?["k"]?["properties"] == ["message"])
            }
            #expect(try await rows(server, "event") == 0)
            #expect(try await rows(server, "reach") == 1)
        }
    }

    @Test func `an invalid event is rejected with its property, valid ones are stored`() async throws {
        let cases: [(String, String?)] = [
            (#"{"message":"ID","type":"clicked"}"#, "uid"), (#"{"uid":"","message":"ID","type":"clicked"}"#, "uid"),
            (#"{"uid":"a b","message":"ID","type":"clicked"}"#, "uid"),
            (#"{"uid":"\#(String(repeating: "u", count: 65))","message":"ID","type":"clicked"}"#, "uid"),
            (#"{"uid":1,"message":"ID","type":"clicked"}"#, "uid"), (#"{"uid":"u","type":"clicked"}"#, "message"),
            (#"{"uid":"u","message":"ID"}"#, "type"), (#"{"uid":"u","message":"ID","type":"1x"}"#, "type"),
            (#"{"uid":"u","message":"ID","type":"a b"}"#, "type"),
            (#"{"uid":"u","message":"ID","type":"t\#(String(repeating: "y", count: 64))"}"#, "type"),
            (#"{"uid":"u","message":"ID","type":"clicked","action":""}"#, "action"),
            (#"{"uid":"u","message":"ID","type":"clicked","at":"today"}"#, "at"),
            (#"{"uid":"u","message":"ID","type":"clicked","data":[]}"#, "data"),
            (#"{"uid":"u","message":"ID","type":"clicked","data":{"a":{}}}"#, "data"),
            (#"{"uid":"u","message":"ID","type":"clicked","data":{"a":1e999}}"#, "data"),
            // One name in two forms of Unicode.
            (#"{"uid":"u","message":"ID","type":"clicked","data":{"\u00e9":1,"e\u0301":2}}"#, "data"),
            (
                #"{"uid":"u","message":"ID","type":"clicked","data":{"a":"\#(String(repeating: "x", count: 4_096))"}}"#,
                "data"
            ),
            (#"{"uid":"u","message":"ID","type":"clicked","reads":"no"}"#, "reads"),
            (#"{"uid":"u","message":"ID","type":"clicked","id":"e"}"#, "id"),
            (#"{"uid":"u","message":"ID","type":"clicked","extra":1}"#, "extra"), (#"7"#, nil),
        ]
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            for (number, (event, property)) in cases.enumerated() {
                let wrong = try JSON(parsing: Array(event.replacing("ID", with: id).utf8))
                let right: JSON = ["uid": .string("right\(number)"), "message": .string(id), "type": "opened"]
                let answer = try await device.setEvents(["create": ["wrong": wrong, "right": right]])
                #expect(answer["notCreated"]?["wrong"]?.type == "invalidProperties", "\(event.prefix(100))")
                #expect(
                    answer["notCreated"]?["wrong"]?["properties"] == property.map { [.string($0)] },
                    "\(event.prefix(100))"
                )
                #expect(answer["created"]?["right"]?["id"] == .string("right\(number)"), "\(event.prefix(100))")
                #expect(try await rows(server, "event") == number + 1, "\(event.prefix(100))")
            }
        }
    }

    @Test func `updating and destroying events is forbidden`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let answer = try await device.setEvents(["update": ["u1": ["type": "opened"]], "destroy": ["u2"]])
            #expect(answer["notUpdated"]?["u1"]?.type == "forbidden")
            #expect(answer["notDestroyed"]?["u2"]?.type == "forbidden")
            #expect(try await device.setEvents(["ifInState": "1"]).type == "stateMismatch")
            #expect(try await device.setEvents(["ifInState": answer["newState"] ?? .null])["created"] == .null)
            let many = JSONObject((0...1_000).map { ("k\($0)", [:]) })
            #expect(try await device.setEvents(["create": .object(many)]).type == "requestTooLarge")
            let other = try await server.device(of: "bob")
            let call: JSON = ["InboxEvent/set", ["accountId": .string(other.account)], "0"]
            #expect(try await device.calls([call]).first?.arrayValue?[1].type == "accountNotFound")
        }
    }

    @Test func `an event is deleted after 90 days, its counts stay`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let id = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let first = try await device.track("clicked", id, uid: "u1")
            clock.advance(by: 89 * 86_400)
            #expect(try await server.device(of: "ann").track("clicked", id, uid: "u1") == first)
            clock.advance(by: 86_400)
            #expect(
                try await eventually {
                    clock.advance(by: 3_600)
                    return try await rows(server, "event") == 0
                }
            )
            #expect(try await server.rest("GET", "/v1/messages/\(id)/figures").json["clicked"] == 1)
        }
    }
}
