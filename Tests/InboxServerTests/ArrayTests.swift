import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// Several messages in one request.
@Suite(.timeLimit(.minutes(10))) struct ArrayTests {
    private static func message(_ to: JSON, _ title: String) -> JSON {
        ["to": to, "message": ["title": .string(title)]]
    }

    private static func people(_ range: Range<Int>) -> JSON {
        ["people": JSON(range.map { "p\($0)" })]
    }

    @Test func `an array of messages is sent and answered in order`() async throws {
        try await withServer { server in
            let body: JSON = [
                Self.message(["person": "ann"], "one"),
                Self.message(["everyone": true], "two"),
                [
                    "to": ["people": ["ann", "bob"]],
                    "message": ["title": "three", "deliverAt": "2026-05-01T09:00:00Z"],
                ],
            ]
            let answer = try await server.rest("POST", "/v1/messages", body)
            #expect(answer.status == 201)
            let sent = try #require(answer.json.arrayValue)
            #expect(sent.map { $0["recipients"]?.intValue } == [1, nil, 2])
            #expect(sent.last?["deliverAt"] == "2026-05-01T09:00:00Z")
            let ids = sent.compactMap { $0["id"]?.stringValue }
            #expect(ids == ids.sorted())
            for (id, title) in zip(ids, ["one", "two", "three"]) {
                #expect(try await server.rest("GET", "/v1/messages/\(id)").json["title"] == .string(title))
            }
            #expect(try await server.device(of: "ann").ids() == [ids[1], ids[0]])
        }
    }

    @Test func `an array of 1000 messages delivers each once`() async throws {
        try await withServer { server in
            let body = JSON.array((0..<1_000).map { Self.message(["person": "ann"], "\($0)") })
            let answer = try await server.rest("POST", "/v1/messages", body)
            let ids = answer.json.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
            #expect(Set(ids).count == 1_000)
            #expect(try await server.device(of: "ann").ids(["limit": 1_000]) == ids.reversed())
        }
    }

    @Test func `an invalid message in an array is pointed to, and nothing is sent`() async throws {
        try await withServer { server in
            let right = Self.message(["person": "ann"], "x")
            let tooMany = JSON.array(Array(repeating: right, count: 1_001))
            for (body, detail) in [
                ([], "The request has to contain at least one message."),
                (tooMany, "The request has more than 1000 messages."),
                ([right, 7], "The request's /1 has to be an object."),
            ] as [(JSON, JSON)] {
                #expect(try await server.rest("POST", "/v1/messages", body).json["detail"] == detail)
            }
            let cases: [(body: JSON, pointer: String)] = [
                ([], ""), (tooMany, ""), ([right, 7], "/1"), ([right, []], "/1"), ([[right]], "/0"),
                ([right, right, right, ["to": ["person": "ann"], "message": ["title": 1]]], "/3/message/title"),
                ([right, ["to": [:], "message": ["title": "x"]]], "/1/to"),
                ([right, ["message": ["title": "x"]]], "/1/to"),
                ([Self.message(Self.people(0..<9_999), "x"), right, right], "/2/to"),
                ([Self.message(Self.people(0..<10_001), "x")], "/0/to/people"),
            ]
            for wrong in cases {
                let answer = try await server.rest("POST", "/v1/messages", wrong.body)
                #expect(answer.status == 400)
                #expect(answer.json["pointer"]?.stringValue == wrong.pointer)
            }
            let storage = try await server.storage()
            for table in ["person", "message", "delivery", "due"] {
                #expect(try await storage.readTables { try $0.value("SELECT count(*) FROM \(table)") } == 0)
            }
        }
    }

    @Test func `an array that exceeds the limit of live broadcasts sends nothing`() async throws {
        try await withServer { server in
            let all = JSON.array(Array(repeating: Self.message(["everyone": true], "x"), count: 998))
            #expect(try await server.rest("POST", "/v1/messages", all).status == 201)
            let device = try await server.device(of: "ann")
            let state = try await device.state()
            let more = JSON.array(
                [["person": "ann"], ["everyone": true], ["everyone": true], ["everyone": true]].map {
                    Self.message($0, "y")
                }
            )
            let answer = try await server.rest("POST", "/v1/messages", more)
            #expect(answer.status == 409)
            #expect(answer.json["pointer"] == "/3/to/everyone")
            #expect(try await device.state() == state)
        }
    }

    @Test func `people whose ids differ in the composition of a character are two people`() async throws {
        try await withServer { server in
            let names = ["Jos\u{E9}", "Jose\u{301}"]
            let body = JSON.array(names.map { ["to": ["person": .string($0)], "message": ["title": .string($0)]] })
            #expect(try await server.rest("POST", "/v1/messages", body).status == 201)
            try await server.send(to: ["people": JSON(names)], ["title": "both"])
            for name in names {
                let messages = try await server.device(of: name).call("get", ["ids": .null])["list"]?.arrayValue ?? []
                let titles = messages.compactMap { $0["title"]?.stringValue.map { Array($0.utf8) } }
                #expect(Set(titles) == [Array(name.precomposedStringWithCanonicalMapping.utf8), Array("both".utf8)])
            }
        }
    }

    @Test func `one idempotency key covers the whole array`() async throws {
        try await withServer { server in
            let headers = ["Idempotency-Key": "k-1"]
            let body: JSON = [Self.message(["person": "ann"], "1"), Self.message(["person": "ann"], "2")]
            let first = try await server.rest("POST", "/v1/messages", body, headers: headers)
            let second = try await server.rest("POST", "/v1/messages", body, headers: headers)
            #expect(first.status == 201 && second.status == 201)
            #expect(first.bytes == second.bytes)
            let part: JSON = [Self.message(["person": "ann"], "1")]
            #expect(try await server.rest("POST", "/v1/messages", part, headers: headers).status == 409)
            #expect(try await server.device(of: "ann").ids().count == 2)
        }
    }
}
