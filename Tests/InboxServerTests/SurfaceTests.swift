import Eventually
import Foundation
import GRDB
import Groundwork
import InboxModel
import JMAP
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct SurfaceTests {
    private func call(_ method: String, _ arguments: JSON, _ device: Device) async throws -> JSON {
        var object = arguments.objectValue ?? JSONObject()
        object.add("accountId", .string(device.account))
        let answers = try await device.calls([[.string("InboxSurface/" + method), .object(object), "0"]])
        return answers.first?.arrayValue?[1] ?? .null
    }

    @Test func `replacing settings restores defaults and obeys the ETag`() async throws {
        try await withServer { server in
            #expect(try await server.rest("GET", "/v1/surfaces/inbox").status == 404)
            let made = try await server.rest("PUT", "/v1/surfaces/inbox", ["title": "News", "deviceLimit": "all"])
            #expect(made.status == 201)
            #expect(made.json["title"] == "News" && made.json["deviceLimit"] == "all")
            #expect(made.json["newDeviceLimit"] == 50 && made.json["layout"] == "vertical")
            let tag = try #require(made.header("ETag"))
            let same = try await server.rest("PUT", "/v1/surfaces/inbox", ["deviceLimit": "all", "title": "News"])
            #expect(same.status == 200 && same.header("ETag") == tag)

            let headers = ["If-Match": tag]
            let changed = try await server.rest("PUT", "/v1/surfaces/inbox", ["layout": "horizontal"], headers: headers)
            #expect(changed.status == 200 && changed.header("ETag") != tag)
            let late = try await server.rest("PUT", "/v1/surfaces/inbox", ["title": "Late"], headers: headers)
            #expect(late.status == 412)
            let unknown = try await server.rest("PUT", "/v1/surfaces/other", [:], headers: ["If-Match": "*"])
            #expect(unknown.status == 412)
            let read = try await server.rest("GET", "/v1/surfaces/inbox")
            #expect(read.json == changed.json && read.header("ETag") == changed.header("ETag"))
            #expect(read.json["title"] == nil && read.json["deviceLimit"] == 200)
            #expect(try await server.rest("GET", "/v1/surfaces").json == ["surfaces": [read.json]])
        }
    }

    @Test func `a message's surface can be set and opened: it has no control characters`() async throws {
        try await withServer { server in
            #expect(try await server.rest("PUT", "/v1/surfaces/a%0Ab", [:]).status == 400)
            let message: JSON = ["title": "T", "surface": "a\nb"]
            let sent = try await server.rest("POST", "/v1/messages", ["to": ["person": "ann"], "message": message])
            #expect(sent.status == 400 && sent.json["pointer"] == "/message/surface")
            let id = try await server.send(to: ["person": "ann"])
            for method in ["PUT", "PATCH"] {
                let edit = try await server.rest(method, "/v1/messages/\(id)", ["message": message])
                #expect(edit.status == 400 && edit.json["pointer"] == "/message/surface", "\(method)")
            }
            let card: JSON = [
                "contentType": "application/json", "meta": ["adobe": ["template": "SmallImage"]],
                "content": ["title": ["content": "T"]],
            ]
            let schema: JSON = "https://ns.adobe.com/personalization/message/content-card"
            let proposition: JSON = [
                "id": "p", "scope": "a\nb", "scopeDetails": ["rank": 1],
                "items": [["id": "i", "schema": schema, "data": card]],
            ]
            let request: JSON = ["person": "ann", "propositions": [proposition]]
            let imported = try await server.rest("POST", "/v1/import/adobe", request).json
            #expect(imported["results"]?.arrayValue?.first?["pointer"] == "/propositions/0/scope")
        }
    }

    @Test func `with If-None-Match, settings are set only where there are none`() async throws {
        try await withServer { server in
            func put(_ title: JSON, _ condition: String) async throws -> Int {
                let headers = ["If-None-Match": condition]
                return try await server.rest("PUT", "/v1/surfaces/a", ["title": title], headers: headers).status
            }
            #expect(try await put("First", "*") == 201)
            #expect(try await put("Second", "*") == 412)
            // Identical settings exist too.
            #expect(try await put("First", "*") == 412)
            let read = try await server.rest("GET", "/v1/surfaces/a")
            let tag = try #require(read.header("ETag"))
            #expect(read.json["title"] == "First")
            for condition in [tag, "W/\(tag)", "\"x\", \(tag)"] {
                #expect(try await put("Third", condition) == 412, "\(condition)")
                let headers = ["If-None-Match": condition]
                let deletion = try await server.rest("DELETE", "/v1/surfaces/a", headers: headers)
                #expect(deletion.status == 412 && deletion.json["detail"]?.stringValue?.contains("If-None") == true)
            }
            #expect(try await put("Third", "\"x\"") == 200)
        }
    }

    @Test func `settings that a reader has are 304, and changed ones are sent`() async throws {
        try await withServer { server in
            func read(_ headers: [String: String]) async throws -> Answer {
                try await server.rest("GET", "/v1/surfaces/a", headers: headers)
            }
            #expect(try await read(["If-None-Match": "*"]).status == 404)
            let first = try #require(try await server.rest("PUT", "/v1/surfaces/a", ["title": "A"]).header("ETag"))
            for condition in [first, "W/\(first)", "\"x\", \(first)", "*"] {
                let answer = try await read(["If-None-Match": condition])
                #expect(answer.status == 304 && answer.bytes.isEmpty, "\(condition)")
                #expect(answer.header("ETag") == first && answer.header("Cache-Control") == "no-store")
            }
            #expect(try await read(["If-None-Match": "\"x\""]).status == 200)
            #expect(try await read(["If-Match": first]).status == 200)
            #expect(try await read(["If-Match": "\"x\""]).status == 412)
            _ = try await server.rest("PUT", "/v1/surfaces/a", ["title": "B"])
            let second = try await read(["If-None-Match": first])
            #expect(second.status == 200 && second.json["title"] == "B" && second.header("ETag") != first)
        }
    }

    @Test func `devices get surfaces and their changes`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            _ = try await server.rest("PUT", "/v1/surfaces/b", ["title": "B"])
            let first = try await call("get", [:], device)
            #expect(first["list"]?.arrayValue?.map { $0["id"] } == ["b"])
            let since = first["state"] ?? .null
            // The same request after a change: the person's own state is equal, the surfaces' isn't.
            _ = try await server.rest("PUT", "/v1/surfaces/a", [:])
            _ = try await server.rest("PUT", "/v1/surfaces/b", ["title": "New"])
            #expect(try await call("get", [:], device)["list"]?.arrayValue?.map { $0["id"] } == ["a", "b"])
            let some = try await call("get", ["ids": ["b", "x", "x"], "properties": ["title"]], device)
            #expect(some["list"] == [["id": "b", "title": "New"]] && some["notFound"] == ["x"])

            let changes = try await call("changes", ["sinceState": since], device)
            #expect(changes["created"] == ["a"] && changes["updated"] == ["b"] && changes["hasMoreChanges"] == false)
            #expect(changes["newState"] == some["state"])
            let page = try await call("changes", ["sinceState": since, "maxChanges": 1], device)
            #expect(page["created"] == ["a"] && page["updated"] == [] && page["hasMoreChanges"] == true)
            let rest = try await call("changes", ["sinceState": page["newState"] ?? .null], device)
            #expect(rest["updated"] == ["b"] && rest["newState"] == some["state"])
            for state: JSON in ["9", "x", "-1", "01"] {
                #expect(try await call("changes", ["sinceState": state], device).type == "cannotCalculateChanges")
            }
        }
    }

    @Test func `a surface is requested by its name, whatever its characters are`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let since = try await call("get", ["ids": []], device)["state"] ?? .null
            for name in ["a.b", "%23a", "x%2Fy"] { _ = try await server.rest("PUT", "/v1/surfaces/\(name)", [:]) }
            let some = try await call("get", ["ids": ["x/y", "#a", "a/b", ""]], device)
            #expect(some["list"]?.arrayValue?.map { $0["id"] } == ["#a", "x/y"])
            #expect(some["notFound"] == ["a/b", ""])
            let changes = try await call("changes", ["sinceState": since], device)
            #expect(changes["created"] == ["a.b", "#a", "x/y"])
            let created = try await call("get", ["ids": changes["created"] ?? .null], device)
            #expect(created["list"]?.arrayValue?.count == 3 && created["notFound"] == [])
            #expect(try await call("get", ["ids": [7]], device).type == "invalidArguments")
        }
    }

    @Test func `a deleted surface is destroyed on devices, and its messages stay`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let id = try await server.send(to: ["person": "ann"], ["title": "x", "surface": "a"])
            let empty = try await call("get", [:], device)["state"] ?? .null
            _ = try await server.rest("PUT", "/v1/surfaces/a", ["title": "A"])
            _ = try await server.rest("PUT", "/v1/surfaces/b", ["title": "B"])
            let since = try await call("get", [:], device)["state"] ?? .null
            let (stream, _) = await EventStream.open(device, "types=InboxSurface&closeafter=no&ping=0")
            defer { stream.close() }
            #expect(try await eventually { server.watchers.count == 1 })
            #expect(try await server.rest("DELETE", "/v1/surfaces/a").status == 204)
            #expect(await stream.next() != nil)
            #expect(try await server.rest("DELETE", "/v1/surfaces/a").status == 404)
            #expect(try await server.rest("GET", "/v1/surfaces/a").status == 404)

            let changes = try await call("changes", ["sinceState": since], device)
            #expect(changes["destroyed"] == ["a"] && changes["created"] == [] && changes["updated"] == [])
            #expect(try await call("get", [:], device)["list"]?.arrayValue?.map { $0["id"] } == ["b"])
            // A surface that was created and deleted in between.
            #expect(try await call("changes", ["sinceState": empty], device)["destroyed"] == [])
            #expect(try await device.ids() == [id])

            _ = try await server.rest("PUT", "/v1/surfaces/a", ["title": "Again"])
            let again = try await call("changes", ["sinceState": since], device)
            #expect(again["created"] == ["a"] && again["destroyed"] == [])
            #expect(try await call("changes", ["sinceState": changes["newState"] ?? .null], device)["created"] == ["a"])
        }
    }

    @Test func `deleting a surface obeys the ETag as replacing does`() async throws {
        try await withServer { server in
            let made = try await server.rest("PUT", "/v1/surfaces/a", ["title": "A"])
            let tag = try #require(made.header("ETag"))
            _ = try await server.rest("PUT", "/v1/surfaces/a", ["title": "B"])
            let late = try await server.rest("DELETE", "/v1/surfaces/a", headers: ["If-Match": tag])
            #expect(late.status == 412)
            #expect(try await server.rest("DELETE", "/v1/surfaces/a", headers: ["If-Match": "*"]).status == 204)
        }
    }

    @Test func `the oldest deleted surfaces are forgotten, and older states can't be calculated`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            func set(_ id: String) async throws -> JSON {
                _ = try await server.rest("PUT", "/v1/surfaces/\(id)", [:])
                return try await call("get", ["ids": []], device)["state"] ?? .null
            }
            let first = try await set("first")
            let second = try await set("second")
            _ = try await server.rest("DELETE", "/v1/surfaces/first")
            let storage = try await server.storage()
            try await storage.writeTables { db in
                // As if other surfaces had been deleted since.
                try db.run(
                    """
                    WITH RECURSIVE n (i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                    INSERT INTO destroyedSurface (id, created, sequence) SELECT 's' || i, 0, i FROM n
                    """,
                    [StoredSurface.destroyedLimit + 2]
                )
                try db.run("UPDATE counter SET value = ? WHERE name = 'surface'", [StoredSurface.destroyedLimit + 2])
            }
            #expect(try await call("changes", ["sinceState": first], device).type == nil)
            _ = try await server.rest("DELETE", "/v1/surfaces/second")
            for state in [first, second] {
                #expect(try await call("changes", ["sinceState": state], device).type == "cannotCalculateChanges")
            }
            let kept = try await call("changes", ["sinceState": "3"], device)
            #expect(kept["destroyed"]?.arrayValue?.contains("second") == true)
        }
    }

    @Test func `a change of settings is sent to streams of its type`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let (stream, _) = await EventStream.open(device, "types=InboxSurface&closeafter=no&ping=0")
            let (other, _) = await EventStream.open(device, "types=InboxMessage&closeafter=no&ping=0")
            defer {
                stream.close()
                other.close()
            }
            #expect(try await eventually { server.watchers.count == 2 })
            _ = try await server.rest("PUT", "/v1/surfaces/inbox", ["title": "News"])
            try await server.send(to: ["person": "ann"])
            let state = try await call("get", ["ids": []], device)["state"]?.stringValue
            for (stream, expected) in [
                (stream, ["InboxSurface": state]), (other, ["InboxMessage": try await device.state()]),
            ] {
                let event = try #require(await stream.next())
                let change = try #require(StateChange(json: try JSON(parsing: Array(event.data.utf8))))
                #expect(change.changed[device.account] == expected.compactMapValues { $0 })
            }
        }
    }

    @Test func `invalid settings are rejected with their pointer`() async throws {
        let cases: [(String, String)] = [
            (#"{"titel":"x"}"#, "/titel"), (#"{"title":1}"#, "/title"), (#"{"layout":"diagonal"}"#, "/layout"),
            (#"{"deviceLimit":0}"#, "/deviceLimit"), (#"{"newDeviceLimit":"some"}"#, "/newDeviceLimit"),
            (#"{"unreadIndicator":{"placement":"middle"}}"#, "/unreadIndicator/placement"),
            (#"{"unreadIndicator":{"background":"red"}}"#, "/unreadIndicator/background"),
            (#"{"unreadIndicator":{"color":"red"}}"#, "/unreadIndicator/color"),
            (#"{"emptyImage":{"url":"javascript:x"}}"#, "/emptyImage/url"), (#"{"cardSpacing":201}"#, "/cardSpacing"),
            ("{\"title\":\"\(String(repeating: "é", count: 501))\"}", "/title"),
        ]
        try await withServer { server in
            let headers = ["Authorization": "Bearer \(TestServer.adminKey)"]
            for (body, pointer) in cases {
                let answer = try await server.request(
                    "PUT",
                    "/v1/surfaces/inbox",
                    body: Array(body.utf8),
                    headers: headers
                )
                #expect(answer.status == 400, "\(body.prefix(100))")
                #expect(answer.json["pointer"]?.stringValue == pointer, "\(body.prefix(100))")
            }
        }
    }

    @Test func `at most 100 surfaces can be created`() async throws {
        try await withServer { server in
            for number in 0..<100 { _ = try await server.rest("PUT", "/v1/surfaces/s\(number)", [:]) }
            #expect(try await server.rest("PUT", "/v1/surfaces/more", [:]).status == 409)
            #expect(try await server.rest("DELETE", "/v1/surfaces/s9").status == 204)
            #expect(try await server.rest("PUT", "/v1/surfaces/more", [:]).status == 201)
            #expect(try await server.rest("PUT", "/v1/surfaces/s7", ["title": "x"]).status == 200)
        }
    }
}
