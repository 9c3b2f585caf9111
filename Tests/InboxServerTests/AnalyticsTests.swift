import Eventually
import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct AnalyticsTests {
    private let date: JSON = "2026-05-01T09:00:00Z"

    /// sent, delivered, seen, read, clicked.
    private func figures(_ server: TestServer, _ id: String) async throws -> [Int?] {
        let answer = try await server.rest("GET", "/v1/messages/\(id)/figures")
        #expect(answer.status == 200)
        return ["sent", "delivered", "seen", "read", "clicked"].map { answer.json[$0]?.intValue }
    }

    @Test func `an untouched message has only a sent count`() async throws {
        try await withServer { server in
            let named = try await server.send(to: ["people": ["ann", "bob", "ann"]])
            let everyone = try await server.send(to: ["everyone": true])
            let waiting = try await server.send(
                to: ["person": "a"],
                ["title": "x", "deliverAt": "2026-06-01T00:00:00Z"]
            )
            #expect(try await figures(server, named) == [2, 0, 0, 0, 0])
            #expect(try await figures(server, everyone) == [nil, 0, 0, 0, 0])
            #expect(try await figures(server, waiting) == [1, 0, 0, 0, 0])
        }
    }

    @Test(arguments: [JSON.object(JSONObject([("people", ["ann", "bob", "cyd", "dan", "eve"])])), ["everyone": true]])
    func `each step counts the steps before it`(_ to: JSON) async throws {
        try await withServer { server in
            let id = try await server.send(to: to)
            let sent = to["everyone"] == nil ? 5 : nil
            try await server.device(of: "ann").track("delivered", id, uid: "u")
            #expect(try await figures(server, id) == [sent, 1, 0, 0, 0])
            try await server.device(of: "bob").track("displayed", id, uid: "u")
            #expect(try await figures(server, id) == [sent, 2, 1, 0, 0])
            try await server.device(of: "cyd").update(id, ["readAt": date])
            #expect(try await figures(server, id) == [sent, 3, 2, 1, 0])
            try await server.device(of: "dan").track("clicked", id, uid: "u")
            #expect(try await figures(server, id) == [sent, 4, 3, 2, 1])
            try await server.device(of: "eve").update(id, ["archivedAt": date])
            #expect(try await figures(server, id) == [sent, 5, 3, 2, 1])
            try await server.device(of: "ann").update(id, ["seenAt": date])
            #expect(try await figures(server, id) == [sent, 5, 4, 2, 1])
        }
    }

    @Test func `a person counts once, on any number of devices, reads and unreads`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["everyone": true])
            let (phone, tablet) = (try await server.device(of: "ann"), try await server.device(of: "ann"))
            for device in [phone, tablet, phone] {
                try await device.update(id, ["seenAt": date, "readAt": date])
                try await device.update(id, ["seenAt": .null, "readAt": .null])
            }
            for uid in ["u1", "u2", "u3"] { try await tablet.track("clicked", id, uid: uid) }
            #expect(try await figures(server, id) == [nil, 1, 1, 1, 1])
            _ = try await phone.call("set", ["destroy": [.string(id)]])
            #expect(try await figures(server, id) == [nil, 1, 1, 1, 1])
        }
    }

    @Test func `clicks are counted by the message's own actions`() async throws {
        try await withServer { server in
            let message: JSON = ["title": "x", "actions": [["id": "buy", "text": "Buy"], ["text": "Later"]]]
            let id = try await server.send(to: ["everyone": true], message)
            for (index, action) in ["buy", "2", "buy", "made-up", nil].enumerated() {
                try await server.device(of: "p\(index)").track("clicked", id, uid: "u", action: action)
            }
            let answer = try await server.rest("GET", "/v1/messages/\(id)/figures").json
            #expect(answer["clicked"] == 5)
            #expect(answer["clicksByAction"] == ["buy": 2, "2": 1])
        }
    }

    @Test func `figures survive an edit, a recall and the expiry`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let edited = try await server.send(to: ["person": "ann"])
            let recalled = try await server.send(to: ["everyone": true])
            let expiring = try await server.send(
                to: ["person": "ann"],
                ["title": "x", "expiresAt": "2026-05-01T09:00:00Z"]
            )
            let device = try await server.device(of: "ann")
            for id in [edited, recalled, expiring] { try await device.track("clicked", id, uid: id) }
            _ = try await server.rest("PUT", "/v1/messages/\(edited)", ["message": ["title": "y"]])
            _ = try await server.rest("DELETE", "/v1/messages/\(recalled)")
            clock.advance(by: 7_200)
            #expect(try await eventually { try await device.ids() == [edited] })
            #expect(try await figures(server, edited) == [1, 1, 1, 1, 1])
            #expect(try await figures(server, recalled) == [nil, 1, 1, 1, 1])
            #expect(try await figures(server, expiring) == [1, 1, 1, 1, 1])
        }
    }

    @Test func `concurrent actions of many people are all counted`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["everyone": true])
            let date = date
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let device = try await server.device(of: "p\(number)")
                        try await device.update(id, ["readAt": date])
                        if number % 2 == 0 { try await device.track("clicked", id, uid: "u") }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await figures(server, id) == [nil, 40, 40, 40, 20])
        }
    }

    @Test func `figures of an unknown message are 404, without a key 401`() async throws {
        try await withServer { server in
            for id in ["m0000000000000", "nope", "a%FFb"] {
                let status = try await server.rest("GET", "/v1/messages/\(id)/figures").status
                #expect(status == (id.contains("%") ? 400 : 404))
            }
            #expect(try await server.request("GET", "/v1/messages/m0000000000000/figures").status == 401)
            #expect(try await server.rest("POST", "/v1/messages/m0000000000000/figures", [:]).status == 405)
        }
    }
}
