import Eventually
import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct RecallTests {
    private static let audiences: [JSON] = [["people": ["ann", "bob"]], ["everyone": true]]

    @Test(arguments: audiences)
    func `recalling a delivered message destroys it on every device, also after a read`(_ to: JSON) async throws {
        try await withServer { server in
            let id = try await server.send(to: to)
            let kept = try await server.send(to: to)
            let (ann, bob) = (try await server.device(of: "ann"), try await server.device(of: "bob"))
            let untouched = try await ann.state()
            try await ann.update(id, ["readAt": "2026-05-01T08:00:00Z"])
            let (stateOfAnn, stateOfBob) = (try await ann.state(), try await bob.state())

            let answer = try await server.rest("DELETE", "/v1/messages/\(id)")
            #expect(answer.status == 204)
            #expect(answer.bytes.isEmpty)
            for (device, state) in [(ann, stateOfAnn), (ann, untouched), (bob, stateOfBob)] {
                let changes = try await device.changes(since: state, maxChanges: 1)
                #expect(Set(changes.destroyed) == [id])
                #expect(changes.created == [] && changes.updated == [])
                #expect(try await device.ids() == [kept])
                #expect(try await device.message(id) == nil)
            }
            // A device that never had it doesn't receive it as destroyed.
            #expect(try await ann.changes(since: "0-0").destroyed == [])
            #expect(try await ann.update(id, ["readAt": .null])["notUpdated"]?[id]?.type == "notFound")
        }
    }

    @Test func `recalling a broadcast increments its sequence once`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["everyone": true])
            for person in ["ann", "bob"] {
                try await server.device(of: person).update(id, ["readAt": "2026-05-01T08:00:00Z"])
            }
            let state = try await server.device(of: "ann").state()
            _ = try await server.rest("DELETE", "/v1/messages/\(id)")
            let own = try #require(state.split(separator: "-").first)
            #expect(try await server.device(of: "ann").state() == "\(own)-2")
        }
    }

    @Test(arguments: audiences)
    func `a due message that is recalled never appears in any inbox`(_ to: JSON) async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let later: JSON = [
                "title": "Later", "deliverAt": "2026-05-01T09:00:00Z", "expiresAt": "2026-05-01T10:00:00Z",
            ]
            let id = try await server.send(to: to, later)
            let device = try await server.device(of: "ann")
            let state = try await device.state()
            #expect(try await server.rest("DELETE", "/v1/messages/\(id)").status == 204)
            clock.advance(by: 7_200)
            // The next entry of the due queue was processed, so the recalled one was skipped.
            let next = try await server.send(
                to: ["person": "ann"],
                ["title": "Next", "deliverAt": "2026-05-01T10:00:01Z"]
            )
            clock.advance(by: 1)
            #expect(try await eventually { try await device.ids() == [next] })
            let changes = try await device.changes(since: state)
            #expect(changes.created == [next])
            #expect(changes.destroyed == [])
        }
    }

    @Test func `a recall deletes the message's queue entries and content`() async throws {
        try await withServer { server in
            let id = try await server.send(
                to: ["person": "ann"],
                ["title": "Secret", "expiresAt": "2026-06-01T00:00:00Z"]
            )
            try await server.device(of: "ann").update(id, ["deletedAt": "2026-05-01T08:00:00Z"])
            let storage = try await server.storage()
            #expect(try await storage.readTables { try $0.value("SELECT count(*) FROM due") } == 2)
            _ = try await server.rest("DELETE", "/v1/messages/\(id)")
            #expect(try await storage.readTables { try $0.value("SELECT count(*) FROM due") } == 0)
            #expect(try await storage.readTables { try $0.value("SELECT content FROM message") } == "")
        }
    }

    @Test func `recalling an unknown, malformed or already recalled id is 404`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            #expect(try await server.rest("DELETE", "/v1/messages/\(id)").status == 204)
            let state = try await server.device(of: "ann").state()
            for path in [id, "m0000000000000", "nope"] {
                for method in ["DELETE", "GET"] {
                    let answer = try await server.rest(method, "/v1/messages/\(path)")
                    #expect(answer.status == 404)
                    #expect(answer.header("Content-Type") == "application/problem+json")
                }
            }
            #expect(try await server.device(of: "ann").state() == state)
            let stranger = ["Authorization": "Bearer x"]
            #expect(try await server.rest("DELETE", "/v1/messages/\(id)", headers: stranger).status == 401)
        }
    }

    @Test func `recalling an expired message erases its content and keeps the state`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let id = try await server.send(
                to: ["person": "ann"],
                ["title": "Short", "expiresAt": "2026-05-01T09:00:00Z"]
            )
            let device = try await server.device(of: "ann")
            clock.advance(by: 3_600)
            #expect(try await eventually { try await device.ids() == [] })
            let state = try await device.state()
            #expect(try await server.rest("GET", "/v1/messages/\(id)").status == 200)
            #expect(try await server.rest("DELETE", "/v1/messages/\(id)").status == 204)
            #expect(try await server.rest("GET", "/v1/messages/\(id)").status == 404)
            #expect(try await device.state() == state)
        }
    }
}
