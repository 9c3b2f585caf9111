import Coverage
import Foundation
import GRDB
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct PeopleTests {
    @Test func `setting attributes creates the person and replaces earlier attributes`() async throws {
        try await withServer { server in
            #expect(try await server.rest("GET", "/v1/people/ann").status == 404)
            let first: JSON = ["attributes": ["plan": "pro", "age": 30, "tags": ["a", .null], "deep": ["x": true]]]
            let made = try await server.rest("PUT", "/v1/people/ann", first)
            #expect(made.status == 201)
            let expected: JSON = [
                "id": "ann", "createdAt": "2026-05-01T08:00:00Z", "attributes": first["attributes"] ?? .null,
            ]
            #expect(made.json == expected)
            let again = try await server.rest("PUT", "/v1/people/ann", first)
            #expect(again.status == 200)
            #expect(again.json == expected)
            #expect(try await server.rest("PUT", "/v1/people/ann", ["attributes": ["plan": "free"]]).status == 200)
            #expect(try await server.rest("GET", "/v1/people/ann").json["attributes"] == ["plan": "free"])
        }
    }

    @Test func `a recipient exists without attributes`() async throws {
        try await withServer { server in
            try await server.send(to: ["person": "a/b ü"])
            let person = try await server.rest("GET", "/v1/people/a%2Fb%20%C3%BC")
            #expect(person.json["id"] == "a/b ü")
            #expect(person.json["attributes"] == [:])
        }
    }

    @Test func `invalid attributes are rejected with their pointer`() async throws {
        let cases: [(String, String)] = [
            ("{}", "/attributes"), (#"{"attributes":[]}"#, "/attributes"), (#"{"attributes":{},"name":1}"#, "/name"),
            (#"{"attributes":{"":1}}"#, "/attributes"), (#"{"attributes":{"a\u0000":1}}"#, "/attributes"),
            (#"{"attributes":{"\#(String(repeating: "é", count: 33))":1}}"#, "/attributes"),
            (#"{"attributes":{"a":"\#(String(repeating: "x", count: 16_384))"}}"#, "/attributes"),
            ("{\"attributes\":{\((0...100).map { "\"a\($0)\":1" }.joined(separator: ","))}}", "/attributes"),
        ]
        try await withServer { server in
            let headers = ["Authorization": "Bearer \(TestServer.adminKey)"]
            for (body, pointer) in cases {
                let answer = try await server.request("PUT", "/v1/people/ann", body: Array(body.utf8), headers: headers)
                #expect(answer.status == 400, "\(body.prefix(100))")
                #expect(answer.json["pointer"]?.stringValue == pointer, "\(body.prefix(100))")
                #expect(try await server.rest("GET", "/v1/people/ann").status == 404, "\(body.prefix(100))")
            }
        }
    }

    @Test func `people are listed in byte order, by prefix and in pages`() async throws {
        try await withServer { server in
            let names = ["a", "ab", "abc", "abd", "b", "é", "e\u{301}", "ａ", "😀", "Z", "a/b", "a b"]
            try await server.send(to: ["people": JSON(names)])
            let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            for prefix in ["", "a", "ab", "abc", "e", "é", "😀", "zz", "Z"] {
                for limit in [1, 2, 100] {
                    let query = "prefix=\(Self.escaped(prefix))&limit=\(limit)"
                    let expected = sorted.filter { $0.utf8.starts(with: prefix.utf8) }
                    let all = try await Self.all(query, server)
                    #expect(all.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(prefix), \(limit)")
                }
            }
            // `after` may name a person who doesn't exist.
            let page = try await server.rest("GET", "/v1/people?prefix=ab&after=aba")
            #expect(page.json["people"]?.arrayValue?.map { $0["id"] } == ["abc", "abd"])
            let before = try await server.rest("GET", "/v1/people?prefix=ab&after=A&limit=1")
            #expect(before.json["people"]?.arrayValue?.map { $0["id"] } == ["ab"])
        }
    }

    @Test(.onlySQLite, .rulesOut(.novu2813, .novu2099)) func `a page of people is read from the index`() async throws {
        try await withFolder { folder in
            let storage = try Storage(file: folder.appending(path: "inbox.sqlite"))
            for (prefix, after) in [("", nil), ("a", nil), ("a", "ab"), ("a", "A")] as [(String, String?)] {
                let (sql, arguments) = PeopleList(prefix: prefix, page: Page(limit: 10, after: after)).statement
                let plan = try await storage.readFile { db in
                    try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql.sqlite, arguments: arguments.sqlite).map {
                        $0["detail"] as String
                    }
                }
                #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH person USING INDEX"), "\(plan)")
                #expect(prefix.isEmpty || plan[0].contains("name<?"), "\(plan)")
            }
        }
    }

    @Test func `an invalid query of people is 400`() async throws {
        let cases: [String] = [
            "limit=0", "limit=1001", "prefix=%00", "after=", "prefix=a&prefix=b", "name=a", "prefix=%FF",
        ]
        try await withServer { server in
            for query in cases {
                let answer = try await server.rest("GET", "/v1/people?\(query)")
                #expect(answer.status == 400, "\(query)")
            }
        }
    }

    @Test func `an export contains events, reach, webhook payloads and blobs`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let hook = try await server.addWebhook("http://127.0.0.1:1/")
            try await device.track("displayed", id, uid: "u1", data: ["from": "push"])
            let upload = try await server.request(
                "POST",
                "/jmap/upload/\(device.account)",
                body: [1, 2],
                headers: device.authorization
            )
            let export = try await server.rest("GET", "/v1/people/ann/export").json
            let now: JSON = "2026-05-01T08:00:00Z"
            #expect(
                export["events"] == [
                    [
                        "uid": "u1", "message": .string(id), "type": "displayed", "at": now, "data": ["from": "push"],
                        "receivedAt": now,
                    ]
                ]
            )
            #expect(export["reach"] == [["message": .string(id), "reach": "seen"]])
            let payload = try #require(export["webhookPayloads"]?.arrayValue?.first)
            #expect(payload["webhook"] == .string(hook.id) && payload["payload"]?["type"] == "event.displayed")
            let file: JSON = ["id": upload.json["blobId"] ?? .null, "size": 2, "at": now, "content": "AQI="]
            #expect(export["blobs"] == [file])
        }
    }

    @Test func `an export contains everything stored about the person`() async throws {
        try await withServer { server in
            _ = try await server.rest("PUT", "/v1/people/ann", ["attributes": ["plan": "pro"]])
            var ids: [String] = []
            for number in 0..<250 {
                ids.append(try await server.send(to: ["person": "ann"], ["title": .string("Message \(number)")]))
            }
            let later: JSON = ["title": "Later", "deliverAt": "2026-05-02T08:00:00Z", "category": "c"]
            ids.append(try await server.send(to: ["people": ["ann", "bob"]], later))
            let everyone = try await server.send(to: ["everyone": true])
            try await server.send(to: ["person": "bob"], ["title": "Not hers"])
            let device = try await server.device(of: "ann")
            let date: JSON = "2026-05-01T08:00:00.5Z"
            try await device.update(ids[1], ["readAt": date, "deletedAt": date], batch: ["epoch": "e", "number": 1])
            // No server listens on this port.
            let hook = try await server.addWebhook("http://127.0.0.1:9/", ["event.*"]).id
            try await device.update(everyone, ["seenAt": date])
            let data: JSON = ["from": "widget"]
            try await device.track("clicked", ids[0], uid: "u1", action: "open", at: "2026-05-01T08:00:00Z", data: data)
            try await device.track("shared", everyone, uid: "u2")
            let empty = try await device.upload("")
            let file = try await device.upload("Hi\0there")

            let answer = try await server.rest("GET", "/v1/people/ann/export")
            #expect(answer.status == 200)
            let export = answer.json
            #expect(export["id"] == "ann")
            #expect(export["account"] == .string(device.account))
            #expect(export["attributes"] == ["plan": "pro"])
            #expect(export["exportedAt"] == "2026-05-01T08:00:00Z")
            let messages = try #require(export["messages"]?.arrayValue)
            #expect(messages.map { $0["id"]?.stringValue } == ids + [everyone])
            #expect(messages[0]["title"] == "Message 0")
            #expect(messages[1]["readAt"] == date && messages[1]["deletedAt"] == date)
            #expect(messages[250]["state"] == "waiting" && messages[250]["category"] == "c")
            #expect(messages[251]["everyone"] == true && messages[251]["seenAt"] == date)
            #expect(export["batches"]?.arrayValue?.map { $0["epoch"] } == ["e"])
            #expect(export["purges"]?.arrayValue?.map { $0["message"] } == [.string(ids[1])])
            let now: JSON = "2026-05-01T08:00:00Z"
            let events: JSON = [
                [
                    "uid": "u1", "message": .string(ids[0]), "type": "clicked", "action": "open", "at": now,
                    "data": data,
                    "receivedAt": now,
                ],
                ["uid": "u2", "message": .string(everyone), "type": "shared", "at": now, "receivedAt": now],
            ]
            #expect(export["events"] == events)
            let reach: JSON = [
                ["message": .string(ids[0]), "reach": "clicked"], ["message": .string(ids[1]), "reach": "read"],
                ["message": .string(everyone), "reach": "seen"],
            ]
            #expect(export["reach"] == reach)
            let payloads = try #require(export["webhookPayloads"]?.arrayValue)
            #expect(payloads.map { $0["payload"]?["event"]?["uid"] } == ["u1", "u2"])
            #expect(payloads.allSatisfy { $0["webhook"] == .string(hook) && $0["payload"]?["person"] == "ann" })
            #expect(
                Dictionary(grouping: try #require(export["blobs"]?.arrayValue)) { $0["id"]?.stringValue ?? "" } == [
                    empty: [["id": .string(empty), "size": 0, "at": now, "content": ""]],
                    file: [["id": .string(file), "size": 8, "at": now, "content": "SGkAdGhlcmU="]],
                ]
            )
            #expect(!String(decoding: answer.bytes, as: UTF8.self).contains("Not hers"))
            #expect(try await server.rest("GET", "/v1/people/unknown/export").status == 404)
        }
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// The ids of all pages.
    private static func all(_ query: String, _ server: TestServer) async throws -> [String] {
        var names: [String] = []
        var after = ""
        for _ in 0..<1_000 {
            let page = try await server.rest("GET", "/v1/people?\(query)\(after)").json
            names += page["people"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
            guard let next = page["next"]?.stringValue else { return names }
            after = "&after=\(escaped(next))"
        }
        Issue.record("the list has no end")
        return names
    }
}
