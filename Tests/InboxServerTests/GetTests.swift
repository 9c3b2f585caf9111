import Foundation
import Groundwork
import InboxModel
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct GetTests {
    @Test func `ids may be null, empty, unknown or repeated`() async throws {
        try await withServer { server in
            let ids = [try await server.send(to: ["person": "ann"]), try await server.send(to: ["everyone": true])]
            let device = try await server.device(of: "ann")
            let all = try await device.call("get", ["ids": .null])
            #expect(Set(all["list"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []) == Set(ids))
            #expect(all["notFound"] == [])
            #expect(try await device.call("get", ["ids": []])["list"] == [])
            let some = try await device.call(
                "get",
                ["ids": [.string(ids[0]), "nope", .string(ids[0]), "m0000000000000"]]
            )
            #expect(some["list"]?.arrayValue?.count == 1)
            #expect(some["notFound"] == ["nope", "m0000000000000"])
        }
    }

    @Test func `records are returned in the order of the requested ids`() async throws {
        try await withServer { server in
            var ids: [String] = []
            for number in 0..<40 {
                ids.append(try await server.send(to: number % 3 == 0 ? ["everyone": true] : ["person": "ann"]))
            }
            let device = try await server.device(of: "ann")
            try await device.update(ids[0], ["readAt": "2026-05-01T08:00:00Z"])
            _ = try await device.call("set", ["destroy": [.string(ids[6])]])
            let other = try await server.send(to: ["person": "bob"])
            for _ in 0..<5 {
                let asked = (ids + ["nope", other]).shuffled()
                let gone = ["nope", other, ids[6]]
                for properties in [.null, ["title"]] as [JSON] {
                    let answer = try await device.call("get", ["ids": JSON(asked), "properties": properties])
                    let list = answer["list"]?.arrayValue?.compactMap { $0["id"]?.stringValue }
                    #expect(list == asked.filter { !gone.contains($0) })
                    #expect(answer["notFound"]?.strings == asked.filter { gone.contains($0) })
                }
            }
        }
    }

    @Test func `get returns exactly the requested properties and the id`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"], ["title": "Hi", "category": "news"])
            let device = try await server.device(of: "ann")
            func get(_ properties: JSON) async throws -> JSON {
                try await device.call("get", ["ids": [.string(id)], "properties": properties])
            }
            #expect(try await get([])["list"] == [["id": .string(id)]])
            #expect(
                try await get(["title", "readAt", "pinned", "html", "deliverAt"])["list"] == [
                    [
                        "id": .string(id), "title": "Hi", "readAt": .null, "pinned": false, "html": .null,
                        "deliverAt": "2026-05-01T08:00:00Z",
                    ]
                ]
            )
            #expect(try await get(["title", "color"]).type == "invalidArguments")
            #expect(try await get("title").type == "invalidArguments")
        }
    }

    @Test func `a complete message decodes on the device`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"], ["title": "Hi", "additionalData": ["a\"b": "c\\\n"]])
            let device = try await server.device(of: "ann")
            try await device.update(id, ["readAt": "2026-05-01T08:00:00.5Z", "seenAt": "2026-05-01T08:00:00Z"])
            let message = try Message(json: try #require(try await device.message(id)))
            #expect(message.id == id)
            #expect(message.title == "Hi")
            #expect(message.additionalData == ["a\"b": "c\\\n"])
            #expect(message.readAt == RFC3339.date(from: "2026-05-01T08:00:00.5Z"))
            #expect(message.seenAt == message.deliverAt)
            #expect(message.deletedAt == nil)
        }
    }

    @Test func `get with more than 1000 ids is rejected`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let ids = (0...1_000).map { "m\($0)" }
            #expect(try await device.call("get", ["ids": JSON(ids)]).type == "requestTooLarge")
            #expect(try await device.call("get", ["ids": JSON(ids.dropLast())])["notFound"]?.arrayValue?.count == 1_000)
        }
    }

    @Test func `get with too large a result is rejected`() async throws {
        // Without optimization, to read 8 MB takes about as long as one person's reads may.
        try await withServer(configure: { $0.fairUse.readingTime = 30 }) { server in
            let html = JSON.string(String(repeating: "x", count: MessageLimits.html))
            for _ in 0..<33 { try await server.send(to: ["person": "ann"], ["html": html]) }
            let device = try await server.device(of: "ann")
            #expect(try await device.call("get", ["ids": .null]).type == "requestTooLarge")
            #expect(
                try await device.call("get", ["ids": .null, "properties": ["title"]])["list"]?.arrayValue?.count == 33
            )
        }
    }

    @Test func `wrong arguments of get are invalid`() async throws {
        let cases: [String] = [#"{"ids":"x"}"#, #"{"ids":["a b"]}"#, #"{"ids":[1]}"#, #"{"id":[]}"#]
        try await withServer { server in
            let device = try await server.device(of: "ann")
            for arguments in cases {
                #expect(
                    try await device.call("get", try JSON(parsing: Array(arguments.utf8))).type == "invalidArguments",
                    "\(arguments)"
                )
            }
        }
    }
}
