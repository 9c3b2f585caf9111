import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// `PATCH /v1/messages/{id}`.
@Suite(.timeLimit(.minutes(10))) struct PatchTests {
    private static let type = ["Content-Type": "application/merge-patch+json"]

    private func patch(_ id: String, _ message: JSON, on server: TestServer) async throws -> Answer {
        try await server.rest("PATCH", "/v1/messages/\(id)", ["message": message], headers: Self.type)
    }

    /// RFC 7396, appendix A.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#), (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
        (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#), ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func `merge patches behave as in RFC 7396`(_ target: String, _ patch: String, _ result: String) throws {
        func json(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }
        #expect(try json(target).merging(json(patch)) == json(result))
    }

    @Test(arguments: [["people": ["ann", "bob"]], ["everyone": true]] as [JSON])
    func `a patch changes only the members that it names, on every device`(_ to: JSON) async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let id = try await server.send(
                to: to,
                [
                    "title": "Old", "body": "Body", "category": "a", "campaignId": "c",
                    "expiresAt": "2026-06-01T00:00:00Z",
                    "media": ["url": "https://example.com/a.png", "alt": "A"], "additionalData": ["x": "1", "y": "2"],
                    "actions": [["text": "One"], ["text": "Two"]],
                ]
            )
            let ann = try await server.device(of: "ann")
            try await ann.update(id, ["readAt": "2026-05-01T08:00:00Z"])
            let state = try await ann.state()
            clock.advance(by: 60)
            let answer = try await patch(
                id,
                [
                    "title": "New", "category": .null, "media": ["alt": "B"], "additionalData": ["x": .null, "z": "3"],
                    "groupKey": .null,
                ],
                on: server
            )
            #expect(answer.status == 200)
            for message in [answer.json, try #require(try await ann.message(id))] {
                #expect(message["title"] == "New" && message["body"] == "Body" && message["campaignId"] == "c")
                #expect(message["category"] ?? .null == .null)
                #expect(message["expiresAt"] == "2026-06-01T00:00:00Z")
                #expect(message["deliverAt"] == "2026-05-01T08:00:00Z")
                #expect(message["media"] == ["url": "https://example.com/a.png", "alt": "B"])
                #expect(message["additionalData"] == ["y": "2", "z": "3"])
                #expect(message["actions"]?.arrayValue?.compactMap { $0["id"] } == ["1", "2"])
            }
            #expect(try await ann.message(id)?["readAt"] == "2026-05-01T08:00:00Z")
            #expect(try await ann.changes(since: state).updated == [id])
            // The same patch again changes nothing, also where the first removed something.
            let after = try await ann.state()
            #expect(try await patch(id, ["additionalData": ["x": .null]], on: server).json == answer.json)
            #expect(try await ann.state() == after)
        }
    }

    @Test func `a patch keeps the dates that it doesn't name, and null removes the expiry`() async throws {
        try await withServer { server in
            let id = try await server.send(
                to: ["person": "ann"],
                ["title": "x", "deliverAt": "2026-05-02T00:00:00Z", "expiresAt": "2026-06-01T00:00:00Z"]
            )
            let moved = try await patch(id, ["deliverAt": "2026-05-03T00:00:00Z"], on: server)
            #expect(moved.json["deliverAt"] == "2026-05-03T00:00:00Z" && moved.json["state"] == "waiting")
            #expect(moved.json["expiresAt"] == "2026-06-01T00:00:00Z")
            let endless = try await patch(id, ["expiresAt": .null, "deliverAt": .null], on: server)
            #expect(endless.json["expiresAt"] == nil && endless.json["deliverAt"] == "2026-05-03T00:00:00Z")
            // A broadcast always has an expiry.
            let broadcast = try await server.send(to: ["everyone": true], ["title": "x"])
            _ = try await patch(broadcast, ["expiresAt": "2026-05-02T00:00:00Z"], on: server)
            let usual = try await patch(broadcast, ["expiresAt": .null], on: server)
            #expect(usual.json["expiresAt"] == "2026-07-30T08:00:00Z")
        }
    }

    @Test func `an invalid patch is rejected with its pointer`() async throws {
        let cases: [(String, String)] = [
            (#"{}"#, "/message"), (#"{"title":"x"}"#, "/title"), (#"{"message":1}"#, "/message"),
            (#"{"message":{"title":1}}"#, "/message/title"), (#"{"message":{"titel":"x"}}"#, "/message/titel"),
            (#"{"message":{"titel":null}}"#, "/message/titel"), (#"{"message":{"id":null}}"#, "/message/id"),
            (#"{"message":{"readAt":null}}"#, "/message/readAt"), (#"{"message":{"title":null}}"#, "/message"),
            (#"{"message":{"media":{"alt":"x"}}}"#, "/message/media"),
            (#"{"message":{"media":{"url":"x"}}}"#, "/message/media/url"),
            (#"{"message":{"actions":[{"text":"x","link":"javascript:x"}]}}"#, "/message/actions/0/link"),
            (#"{"message":{"actions":[{"text":" "}]}}"#, "/message/actions/0/text"),
            (#"{"message":{"additionalData":{"a":1}}}"#, "/message/additionalData/a"),
            (#"{"message":{"expiresAt":"2026-05-01T00:00:00Z"}}"#, "/message/expiresAt"),
            (#"{"message":{"deliverAt":"2026-05-09T00:00:00Z"}}"#, "/message/deliverAt"),
        ]
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"], ["title": "Old"])
            let headers = Self.type.merging(["Authorization": "Bearer \(TestServer.adminKey)"]) { first, _ in first }
            let path = "/v1/messages/\(id)"
            for (body, pointer) in cases {
                let answer = try await server.request("PATCH", path, body: Array(body.utf8), headers: headers)
                #expect(answer.status == 400, "\(body)")
                #expect(answer.json["pointer"]?.stringValue == pointer, "\(body)")
                #expect(try await server.rest("GET", path).json["title"] == "Old", "\(body)")
            }
        }
    }

    @Test func `only merge patch and JSON content types are accepted`() async throws {
        try await withServer { server in
            let path = "/v1/messages/\(try await server.send(to: ["person": "ann"]))"
            for type in [
                "application/json", "application/merge-patch+json; charset=utf-8", "APPLICATION/MERGE-PATCH+JSON",
            ] {
                let headers = ["Content-Type": type]
                #expect(try await server.rest("PATCH", path, ["message": [:]], headers: headers).status == 200)
            }
            for type in ["application/json-patch+json", "text/plain"] {
                let answer = try await server.rest("PATCH", path, ["message": [:]], headers: ["Content-Type": type])
                #expect(answer.status == 415)
                #expect(answer.header("Accept-Patch") == "application/merge-patch+json, application/json")
            }
            // PUT doesn't accept a merge patch.
            #expect(try await server.rest("PUT", path, ["message": ["title": "x"]], headers: Self.type).status == 415)
        }
    }

    @Test func `patching an unknown or recalled message is 404, an expired one 409`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            #expect(try await patch("m0000000000000", ["title": "x"], on: server).status == 404)
            #expect(try await patch("x", ["title": "x"], on: server).status == 404)
            let recalled = try await server.send(to: ["person": "ann"])
            _ = try await server.rest("DELETE", "/v1/messages/\(recalled)")
            #expect(try await patch(recalled, ["title": "x"], on: server).status == 404)
            let content: JSON = ["title": "x", "expiresAt": "2026-05-01T08:01:00Z"]
            let expired = try await server.send(to: ["person": "ann"], content)
            clock.advance(by: 60)
            let answer = try await patch(expired, ["title": "y"], on: server)
            #expect(answer.status == 409)
            #expect(answer.json.type?.hasSuffix("message-expired") == true)
        }
    }
}
