import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct SetTests {
    private let date: JSON = "2026-05-01T09:00:00Z"

    @Test func `personal dates are set and cleared on messages and broadcasts`() async throws {
        try await withServer { server in
            for to: JSON in [["person": "ann"], ["everyone": true]] {
                let id = try await server.send(to: to)
                let device = try await server.device(of: "ann")
                let before = try await device.state()
                let patch: JSON = [
                    "seenAt": date, "readAt": date, "archivedAt": date, "snoozedUntil": date, "deletedAt": date,
                ]
                let answer = try await device.update(id, patch)
                #expect(answer["updated"] == .object(JSONObject([(id, .null)])))
                #expect(answer["notUpdated"] == .null)
                #expect(answer["oldState"] == .string(before))
                #expect(answer["newState"]?.stringValue == (try await device.state()))
                #expect(answer["newState"] != answer["oldState"])
                var message = try #require(try await device.message(id))
                for member in patch.objectValue!.members { #expect(message[member.name] == date) }
                try await device.update(id, ["readAt": .null, "deletedAt": .null])
                message = try #require(try await device.message(id))
                #expect(message["readAt"] == .null)
                #expect(message["deletedAt"] == .null)
                #expect(message["archivedAt"] == date)
            }
        }
    }

    @Test func `equal values change nothing and are in updated`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["everyone": true])
            let device = try await server.device(of: "ann")
            let state = try await device.state()
            let nothing = try await device.update(id, ["readAt": .null])
            #expect(nothing["updated"] == .object(JSONObject([(id, .null)])))
            #expect(nothing["newState"] == .string(state))
            try await device.update(id, ["readAt": date])
            let read = try await device.state()
            #expect(try await device.update(id, ["readAt": date])["newState"] == .string(read))
        }
    }

    @Test func `invalid properties are rejected, valid updates in the same call apply`() async throws {
        try await withServer { server in
            let good = try await server.send(to: ["person": "ann"])
            let bad = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let answer = try await device.call(
                "set",
                [
                    "update": .object(
                        JSONObject([
                            (bad, ["title": "x", "readAt": "yesterday", "seenAt": date, "media/url": "x"]),
                            (good, ["readAt": date]), ("nope", ["readAt": date]), ("m0000000000000", [:]),
                        ])
                    ),
                    "create": ["k": ["title": "x"]],
                    "destroy": ["gone"],
                ]
            )
            #expect(answer["updated"] == .object(JSONObject([(good, .null)])))
            #expect(answer["notUpdated"]?[bad]?.type == "invalidProperties")
            #expect(answer["notUpdated"]?[bad]?["properties"] == ["title", "readAt", "media/url"])
            #expect(answer["notUpdated"]?["nope"]?.type == "notFound")
            #expect(answer["notUpdated"]?["m0000000000000"]?.type == "notFound")
            #expect(answer["notCreated"]?["k"]?.type == "forbidden")
            #expect(answer["notDestroyed"]?["gone"]?.type == "notFound")
            #expect(try await device.message(bad)?["seenAt"] == .null)
            #expect(try await device.message(good)?["readAt"] == date)
        }
    }

    @Test func `destroy removes messages for this person only`() async throws {
        try await withServer { server in
            let ids = [
                try await server.send(to: ["people": ["ann", "bob"]]), try await server.send(to: ["everyone": true]),
            ]
            let ann = try await server.device(of: "ann")
            let state = try await ann.state()
            let answer = try await ann.call(
                "set",
                [
                    "update": .object(JSONObject([(ids[0], ["readAt": date])])), "destroy": JSON(ids + ids),
                ]
            )
            #expect(answer["destroyed"] == JSON(ids))
            #expect(answer["notUpdated"]?[ids[0]]?.type == "willDestroy")
            #expect(try await ann.ids() == [])
            #expect(Set(try await ann.changes(since: state).destroyed) == Set(ids))
            #expect(try await ann.update(ids[0], ["readAt": date])["notUpdated"]?[ids[0]]?.type == "notFound")
            #expect(try await server.device(of: "bob").ids().count == 2)
        }
    }

    @Test func `an outdated ifInState applies nothing`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let state = try await device.state()
            try await server.send(to: ["everyone": true])
            let update = JSON.object(JSONObject([(id, ["readAt": date])]))
            let answer = try await device.call("set", ["ifInState": .string(state), "update": update])
            #expect(answer.type == "stateMismatch")
            #expect(try await device.message(id)?["readAt"] == .null)
            let now = JSON.string(try await device.state())
            #expect(try await device.call("set", ["ifInState": now, "update": update])["oldState"] == now)
        }
    }

    @Test func `a set of more than 1000 records is rejected`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let ids = (0...1_000).map { "m\($0)" }
            #expect(try await device.call("set", ["destroy": JSON(ids)]).type == "requestTooLarge")
        }
    }
}
