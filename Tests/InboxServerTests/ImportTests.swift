import Eventually
import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct ImportTests {
    /// 2026-05-01T08:00:00Z, the clock's start, in seconds.
    private static let now = 1_777_622_400

    private func take(_ system: String, _ messages: [JSON], for person: String = "ann", on server: TestServer)
        async throws -> JSON
    {
        let body: JSON = ["person": .string(person), "messages": .array(messages)]
        let answer = try await server.rest("POST", "/v1/import/\(system)", body)
        guard answer.status == 200 else {
            throw UnexpectedResponse(answer: String(decoding: answer.bytes, as: UTF8.self))
        }
        return answer.json
    }

    private func push(_ id: String, _ more: [(String, JSON)] = [], content: JSON = ["title": "T"]) -> JSON {
        .object(JSONObject([("id", .string(id)), ("type", "push"), ("content", content)] + more))
    }

    private func zeta(_ id: String, _ more: [(String, JSON)] = []) -> JSON {
        .object(JSONObject([("messageId", .string(id)), ("title", .string(id))] + more))
    }

    @Test func `a Bloomreach message is imported with its content, times and read state`() async throws {
        try await withServer { server in
            let content: JSON = [
                "title": "Sale", "message": "Today", "image": "https://a.example/i.png", "has_tracking_consent": false,
                "actions": [["action": "browser", "title": "Go", "url": "https://a.example"]],
                "attributes": ["campaign_id": "c1", "n": 1],
            ]
            let (created, expires): (JSON, JSON) = (JSON(Self.now - 86_400), JSON(Self.now + 60))
            let answer = try await take(
                "bloomreach",
                [
                    push(
                        "b1",
                        [("is_read", true), ("create_time", created), ("expire_time", expires)],
                        content: content
                    )
                ],
                on: server
            )
            let id = try #require(answer["results"]?.arrayValue?.first?["id"]?.stringValue)
            let expected: JSON = [
                "imported": 1, "known": 0, "expired": 0, "refused": 0,
                "results": [["index": 0, "status": "imported", "externalId": "b1", "id": .string(id)]],
            ]
            #expect(answer == expected)
            let shown = try #require(try await server.device(of: "ann").message(id))
            #expect(shown["title"] == "Sale" && shown["body"] == "Today" && shown["campaignId"] == "c1")
            #expect(shown["actions"]?.arrayValue?.first?["actionType"] == "externalBrowser")
            #expect(shown["consentCategory"] == "has_tracking_consent")
            #expect(shown["additionalData"]?["attributes"] == #"{"campaign_id":"c1","n":1}"#)
            #expect(shown["deliverAt"] == "2026-04-30T08:00:00Z" && shown["expiresAt"] == "2026-05-01T08:01:00Z")
            #expect(shown["readAt"] == "2026-05-01T08:00:00Z" && shown["seenAt"] == "2026-05-01T08:00:00Z")
            #expect(shown["deletedAt"] == .null)
            let stored = try await server.rest("GET", "/v1/messages/\(id)").json
            #expect(stored["audience"] == "people" && stored["recipients"] == 1)
        }
    }

    @Test func `dates of an imported message without tracking consent are withheld`() async throws {
        try await withServer { server in
            let contents: [JSON] = [
                ["title": "Offer", "has_tracking_consent": false],
                ["title": "Offer", "has_tracking_consent": true, "consent_category_tracking": "news"],
            ]
            for (number, content) in contents.enumerated() {
                let read = push("b\(number)", [("is_read", true)], content: content)
                let answer = try await take("bloomreach", [read], on: server)
                let id = try #require(answer["results"]?.arrayValue?.first?["id"]?.stringValue)
                try await server.device(of: "ann").update(id, ["archivedAt": "2026-05-01T08:00:00Z"])
                let messages = try await server.rest("GET", "/v1/people/ann/export").json["messages"]?.arrayValue
                let withheld = messages?.first { $0["id"] == .string(id) }?["withheld"]
                #expect(withheld == (number == 0 ? ["seenAt", "readAt", "archivedAt"] : nil))
                let figures = try await server.rest("GET", "/v1/messages/\(id)/figures").json
                #expect(figures["delivered"]?.intValue == number)
            }
        }
    }

    @Test func `Zeta messages keep their order and their read and deleted states`() async throws {
        try await withServer { server in
            let answer = try await take(
                "zeta",
                [
                    zeta("new"), zeta("read", [("status", "READ")]), zeta("old"),
                    zeta("deleted", [("status", "DELETED")]),
                ],
                on: server
            )
            #expect(answer["imported"] == 4)
            let ids = (answer["results"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
            let device = try await server.device(of: "ann")
            #expect(try await device.ids() == ids)
            let messages = try await device.call("get", ["ids": JSON(ids)])["list"]?.arrayValue ?? []
            #expect(messages.map { $0["title"] } == ["new", "read", "old", "deleted"])
            #expect(messages.map { $0["readAt"] != .null } == [false, true, false, false])
            #expect(messages.map { $0["deletedAt"] != .null } == [false, false, false, true])
        }
    }

    @Test func `an imported deleted message is destroyed after 30 days`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            _ = try await take("zeta", [zeta("a", [("status", "DELETED")])], on: server)
            clock.advance(by: 30 * 86_400)
            let device = try await server.device(of: "ann")
            #expect(try await eventually { try await device.ids() == [] })
        }
    }

    @Test func `an imported expiry is kept, and an expired message is reported`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            func expiry(_ seconds: Int) -> (String, JSON) { ("expire_time", JSON(Self.now + seconds)) }
            let answer = try await take(
                "bloomreach",
                [push("past", [expiry(-1)]), push("now", [expiry(0)]), push("soon", [expiry(1)])],
                on: server
            )
            #expect(statuses(answer) == ["expired", "expired", "imported"])
            #expect(answer["expired"] == 2)
            #expect(answer["results"]?.arrayValue?.first == ["index": 0, "status": "expired", "externalId": "past"])
            let device = try await server.device(of: "ann")
            #expect(try await device.ids().count == 1)
            clock.advance(by: 1)
            #expect(try await eventually { try await device.ids() == [] })
        }
    }

    @Test func `an imported message with a future date is delivered now`() async throws {
        try await withServer { server in
            _ = try await take("bloomreach", [push("a", [("create_time", JSON(Self.now + 3_600))])], on: server)
            let device = try await server.device(of: "ann")
            let id = try #require(try await device.ids().first)
            #expect(try await device.message(id)?["deliverAt"] == "2026-05-01T08:00:00Z")
        }
    }

    @Test func `importing a message twice, in one or two requests, changes nothing`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let first = try await take("zeta", [zeta("a"), zeta("a", [("body", "other")]), zeta("b")], on: server)
            #expect(statuses(first) == ["imported", "known", "imported"])
            let ids = (first["results"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
            #expect(ids.count == 3 && ids[0] == ids[1])
            let device = try await server.device(of: "ann")
            try await device.update(ids[0], ["readAt": "2026-05-01T08:00:00Z"])
            clock.advance(by: 60)
            let (state, message) = (try await device.state(), try await device.message(ids[0]))
            let again = try await take("zeta", [zeta("b"), zeta("a", [("status", "DELETED")])], on: server)
            #expect(statuses(again) == ["known", "known"])
            #expect((again["results"]?.arrayValue ?? []).map { $0["id"]?.stringValue } == [ids[2], ids[0]])
            #expect(try await device.state() == state)
            #expect(try await device.message(ids[0]) == message)
            // The same id of another person or another system is another message.
            #expect(try await statuses(take("zeta", [zeta("a")], for: "bob", on: server)) == ["imported"])
            #expect(try await statuses(take("bloomreach", [push("a")], on: server)) == ["imported"])
            #expect(try await device.ids().count == 3)
        }
    }

    @Test func `a repeat is known, also where it couldn't be imported as it is`() async throws {
        try await withServer { server in
            let long = JSON.string(String(repeating: "x", count: 1_001))
            let first = try await take("zeta", [zeta("1")], on: server)
            let id = try #require(first["results"]?.arrayValue?.first?["id"])
            let repeats: [JSON] = [
                ["messageId": "1", "title": long], ["id": "1"], zeta("1", [("expirationTimestamp", "soon")]),
            ]
            let again = try await take("zeta", repeats + [["messageId": "2", "title": long]], on: server)
            #expect(statuses(again) == ["known", "known", "known", "refused"])
            let known: JSON = ["index": 0, "status": "known", "externalId": "1", "id": id]
            #expect(again["results"]?.arrayValue?.first == known)
            #expect(try await statuses(take("bloomreach", [push("b")], on: server)) == ["imported"])
            let others = [push("b", [("create_time", "soon")]), push("b", content: ["title": long]), ["id": "b"]]
            #expect(try await statuses(take("bloomreach", others, on: server)) == ["known", "known", "known"])
            // Another person's message isn't known, and an unknown person stays unknown.
            #expect(try await statuses(take("zeta", [["id": "1"]], for: "bob", on: server)) == ["refused"])
            #expect(try await server.rest("GET", "/v1/people/bob").status == 404)
        }
    }

    @Test func `an error of additional data names it, and the beginning of a long name`() async throws {
        try await withServer { server in
            let many = JSONObject((0..<101).map { ("key\($0)", "value") })
            let long = JSONObject([(String(repeating: "n", count: 300), "value")])
            let name = String(repeating: "n", count: 32)
            let answer = try await take(
                "zeta",
                [zeta("a", [("additionalData", .object(many))]), zeta("b", [("additionalData", .object(long))])],
                on: server
            )
            #expect(
                (answer["results"]?.arrayValue ?? []).map { $0["detail"]?.stringValue } == [
                    "The request's /messages/0 has more than 100 pairs in additionalData.",
                    "The request's /messages/1 has the name \"\(name)…\" of more than 256 bytes in additionalData.",
                ]
            )
        }
    }

    @Test func `a time that isn't a decimal number is refused`() async throws {
        let cases: [String] = ["0x10", "0x1p4", "nan", "inf", "1_000", " 16", ""]
        try await withServer { server in
            for (number, time) in cases.enumerated() {
                let messages = [
                    push("a\(number)", [("expire_time", .string(time))]),
                    push("b\(number)", [("expire_time", "4102444800")]),
                ]
                let answer = try await take("bloomreach", messages, on: server)
                // An empty text is no time.
                #expect(statuses(answer) == [time.isEmpty ? "imported" : "refused", "imported"], "\(time)")
                let pointer = answer["results"]?.arrayValue?.first?["pointer"]
                #expect(pointer == (time.isEmpty ? nil : "/messages/0/expire_time"), "\(time)")
            }
        }
    }

    @Test func `a recalled or expired message isn't imported again`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let soon: (String, JSON) = ("expirationTimestamp", JSON((Self.now + 1) * 1_000))
            let first = try await take("zeta", [zeta("a"), zeta("b", [soon])], on: server)
            let id = try #require(first["results"]?.arrayValue?.first?["id"]?.stringValue)
            #expect(try await server.rest("DELETE", "/v1/messages/\(id)").status == 204)
            clock.advance(by: 2)
            #expect(
                try await statuses(take("zeta", [zeta("a"), zeta("b", [soon])], on: server)) == ["known", "known"]
            )
            let device = try await server.device(of: "ann")
            #expect(try await eventually { try await device.ids() == [] })
        }
    }

    @Test func `each invalid message is rejected with its pointer, the others are imported`() async throws {
        try await withServer { server in
            let long = JSON.string(String(repeating: "x", count: 1_001))
            let answer = try await take(
                "bloomreach",
                [
                    push("a"), 7, [:], push("", []), push("b", [("create_time", "soon")]),
                    push("c", content: ["title": "T", "actions": [["action": "browser", "url": "javascript:x"]]]),
                    push("d", content: ["title": long]), push("e\u{0}"), push(String(repeating: "i", count: 257)),
                    push("f"),
                ],
                on: server
            )
            let results = answer["results"]?.arrayValue ?? []
            #expect(
                results.map { $0["pointer"]?.stringValue } == [
                    nil, "/messages/1", "/messages/2/id", "/messages/3/id", "/messages/4/create_time",
                    nil, "/messages/6/content/title", "/messages/7/id", "/messages/8/id", nil,
                ]
            )
            #expect(answer["imported"] == 3 && answer["refused"] == 7)
            #expect(results.map { $0["index"]?.intValue } == Array(0..<10))
            #expect(results[4]["detail"]?.stringValue?.contains("has to be a number of seconds since 1970") == true)
            #expect(answer.description.utf8.count < 2_048)
            // An action that a message can't have is left out alone.
            let device = try await server.device(of: "ann")
            let id = try #require(results[5]["id"]?.stringValue)
            let shown = try #require(try await device.message(id))
            #expect(shown["title"] == "T" && shown["actions"]?.arrayValue?.isEmpty ?? true)
            #expect(shown["additionalData"]?["actions"] == #"{"1":{"action":"browser","url":"javascript:x"}}"#)
            #expect(try await device.ids().count == 3)
        }
    }

    @Test func `an import without messages creates no person`() async throws {
        try await withServer { server in
            let (empty, wrong) = (try await take("zeta", [], on: server), try await take("zeta", [[:]], on: server))
            #expect(empty["results"] == [])
            #expect(statuses(wrong) == ["refused"])
            #expect(try await server.rest("GET", "/v1/people/ann").status == 404)
        }
    }

    @Test func `a complete Bloomreach response is imported, a failed one is rejected`() async throws {
        try await withServer { server in
            func post(_ answer: JSON) async throws -> Answer {
                try await server.rest("POST", "/v1/import/bloomreach", ["person": "ann", "answer": answer])
            }
            let taken = try await post(["success": true, "messages": [push("a"), 1], "sync_token": "t"])
            #expect(taken.status == 200 && taken.json["imported"] == 1)
            #expect(taken.json["results"]?.arrayValue?.last?["pointer"] == "/answer/messages/1")
            #expect(try await post(["success": true]).json["results"] == [])
            #expect(try await post(["messages": [push("b")], "more": 1]).json["imported"] == 1)
            let failed = try await post(["success": false, "messages": [push("c")]])
            #expect(failed.status == 400 && failed.json["pointer"] == "/answer/success")
            #expect(try await server.device(of: "ann").ids().count == 2)
        }
    }

    @Test func `an invalid import request is 400 with its pointer`() async throws {
        let cases: [(String, String, String?)] = [
            ("zeta", "{", nil), ("zeta", "[]", ""), ("zeta", "{}", "/person"), ("zeta", #"{"person":"ann"}"#, ""),
            ("zeta", #"{"messages":[]}"#, "/person"), ("zeta", #"{"person":"","messages":[]}"#, "/person"),
            ("zeta", #"{"person":"a\u0000","messages":[]}"#, "/person"),
            ("zeta", #"{"person":"ann","messages":{}}"#, "/messages"),
            ("zeta", #"{"person":"ann","messages":null}"#, "/messages"),
            ("zeta", #"{"person":"ann","answer":{"messages":[]}}"#, "/answer"),
            ("zeta", #"{"person":"ann","messages":[],"to":1}"#, "/to"),
            ("adobe", #"{"person":"ann","messages":[]}"#, "/messages"),
            ("adobe", #"{"person":"ann","propositions":{}}"#, "/propositions"),
            ("adobe", #"{"person":"ann","propositions":[],"importsUndecided":1}"#, "/importsUndecided"),
            ("adobe", #"{"person":"ann","importsUndecided":true}"#, ""),
            ("adobe", #"{"person":"ann","propositions":[],"answer":{"handle":[]}}"#, ""),
            ("adobe", #"{"person":"ann","answer":[]}"#, "/answer"),
            ("adobe", #"{"person":"ann","answer":{}}"#, "/answer/handle"),
            ("adobe", #"{"person":"ann","answer":{"handle":[1]}}"#, "/answer/handle/0"),
            ("adobe", #"{"person":"ann","answer":{"handle":[{"type":1}]}}"#, "/answer/handle/0/type"),
            ("adobe", #"{"person":"ann","answer":{"handle":[{"payload":{}}]}}"#, "/answer/handle/0/payload"),
            ("zeta", #"{"person":"ann","messages":[],"importsUndecided":true}"#, "/importsUndecided"),
            (
                "adobe", #"{"person":"ann","propositions":[\#(String(repeating: "1,", count: 10_000))1]}"#,
                "/propositions"
            ),
            (
                "adobe",
                #"{"person":"ann","propositions":[{"id":"p","scope":"s","scopeDetails":{"a":1},"items":[\#(String(repeating: "1,", count: 10_000))1]}]}"#,
                "/propositions"
            ),
            ("zeta", #"{"person":"ann","messages":[\#(String(repeating: "1,", count: 10_000))1]}"#, "/messages"),
            ("bloomreach", #"{"person":"ann","answer":[]}"#, "/answer"),
            ("bloomreach", #"{"person":"ann","answer":{"messages":{}}}"#, "/answer/messages"),
            ("bloomreach", #"{"person":"ann","answer":{"success":"no","messages":[]}}"#, "/answer/success"),
            ("bloomreach", #"{"person":"ann","answer":{"success":true},"messages":[]}"#, ""),
            (
                "bloomreach",
                #"{"person":"ann","answer":{"messages":[\#(String(repeating: "1,", count: 10_000))1]}}"#,
                "/answer/messages"
            ),
        ]
        try await withServer { server in
            let headers = ["Authorization": "Bearer \(TestServer.adminKey)"]
            for (system, body, pointer) in cases {
                let path = "/v1/import/\(system)"
                let answer = try await server.request("POST", path, body: Array(body.utf8), headers: headers)
                #expect(answer.status == 400, "\(system) \(body.prefix(100))")
                #expect(answer.header("Content-Type") == "application/problem+json", "\(system) \(body.prefix(100))")
                #expect(answer.json["pointer"]?.stringValue == pointer, "\(system) \(body.prefix(100))")
            }
        }
    }

    @Test func `an import needs the scope, JSON and at most 16 MiB`() async throws {
        try await withServer { server in
            let made = try await server.rest("POST", "/v1/keys", ["name": "x", "scopes": ["people"]])
            let key = try #require(made.json["key"]?.stringValue)
            for path in ["/v1/import/zeta", "/v1/import/bloomreach"] {
                let body: JSON = ["person": "ann", "messages": []]
                let other = ["Authorization": "Bearer \(key)"]
                #expect(try await server.rest("POST", path, body, headers: other).status == 403)
                #expect(try await server.request("POST", path, body: body.utf8).status == 401)
                #expect(
                    try await server.rest("POST", path, body, headers: ["Content-Type": "text/plain"]).status == 415
                )
                let large = body.utf8 + [UInt8](repeating: 0x20, count: 16 * 1_048_576)
                let admin = ["Authorization": "Bearer \(TestServer.adminKey)"]
                #expect(try await server.request("POST", path, body: large, headers: admin).status == 413)
                #expect(try await server.rest("GET", path).status == 405)
            }
            #expect(try await server.rest("POST", "/v1/import/other", ["person": "ann", "messages": []]).status == 404)
        }
    }

    @Test func `an import of 10000 messages keeps their order`() async throws {
        try await withServer { server in
            let messages = (0..<10_000).map { zeta("z\($0)") }
            let answer = try await take("zeta", messages, on: server)
            #expect(answer["imported"] == 10_000)
            let device = try await server.device(of: "ann")
            let first = try await device.ids(["limit": 300])
            #expect(first == (answer["results"]?.arrayValue ?? []).prefix(300).compactMap { $0["id"]?.stringValue })
            #expect(try await take("zeta", messages, on: server)["known"] == 10_000)
        }
    }

    @Test func `an import isn't counted in figures and sends no webhook events`() async throws {
        try await withServer { server in
            // No server listens on this port.
            let hook = try await server.addWebhook("http://127.0.0.1:9/").id
            let answer = try await take("zeta", [zeta("a", [("status", "READ")])], on: server)
            let id = try #require(answer["results"]?.arrayValue?.first?["id"]?.stringValue)
            let figures = try await server.rest("GET", "/v1/messages/\(id)/figures").json
            #expect(figures["sent"] == 1 && figures["delivered"] == 0 && figures["read"] == 0)
            #expect(try await server.webhook(hook)["pending"] == 0)
        }
    }

    @Test func `the export lists each message's source, and erasure deletes it`() async throws {
        try await withServer { server in
            let answer = try await take("zeta", [zeta("a")], on: server)
            let id = answer["results"]?.arrayValue?.first?["id"] ?? .null
            let export = try await server.rest("GET", "/v1/people/ann/export").json
            #expect(export["imports"] == [["message": id, "source": "zeta", "externalId": "a"]])
            #expect(try await server.rest("DELETE", "/v1/people/ann").json["removed"]?["imports"] == 1)
            let rows: Int? = try await server.storage().readTables {
                try $0.value("SELECT count(*) FROM imported")
            }
            #expect(rows == 0)
            #expect(try await statuses(take("zeta", [zeta("a")], on: server)) == ["imported"])
        }
    }

    @Test func `an import is in the changes of open devices`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let state = try await device.state()
            _ = try await take("zeta", [zeta("a"), zeta("b")], on: server)
            #expect(try await device.changes(since: state).created.count == 2)
        }
    }

    @Test(arguments: OpenAPI.importOperations)
    func `the OpenAPI examples of imports are accepted`(_ operation: OpenAPI.Operation) async throws {
        try await withServer { server in
            let examples = operation.json["requestBody"]?["content"]?["application/json"]?["examples"]?.objectValue
            let bodies = try #require(examples).members.map { $0.value["value"] ?? .null }
            for (number, body) in bodies.enumerated() {
                let answer = try await server.rest("POST", operation.path, body)
                #expect(statuses(answer.json) == [number == 0 ? "imported" : "known"])
            }
        }
    }
}

/// Returns the status of each result of an import.
func statuses(_ answer: JSON) -> [String?] {
    (answer["results"]?.arrayValue ?? []).map { $0["status"]?.stringValue }
}
