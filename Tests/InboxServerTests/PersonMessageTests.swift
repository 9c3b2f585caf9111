import Eventually
import Foundation
import Groundwork
import InboxModel
import Testing

@testable import InboxServer
@testable import InboxService

/// `/v1/people/{id}/messages`: a person's inbox as the backend may read and change it.
@Suite(.timeLimit(.minutes(5))) struct PersonMessageTests {
    private static let audiences: [JSON] = [["person": "ann"], ["everyone": true]]

    private func path(_ id: String, of person: String = "ann") -> String { "/v1/people/\(person)/messages/\(id)" }

    private func ids(_ query: String = "", limit: Int = 50, on server: TestServer) async throws -> [String] {
        try await server.pagedIds("/v1/people/ann/messages", query, limit: limit)
    }

    private func figures(_ id: String, on server: TestServer) async throws -> [JSON?] {
        let figures = try await server.rest("GET", "/v1/messages/\(id)/figures").json
        return ["delivered", "seen", "read", "clicked"].map { figures[$0] }
    }

    @Test func `a person's messages are listed newest first and filtered by shown state`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let ann = try await server.device(of: "ann")
            func send(_ to: JSON, _ more: [(String, JSON)] = []) async throws -> String {
                clock.advance(by: 1)
                return try await server.send(to: to, .object(JSONObject([("title", "x")] + more)))
            }
            let (unread, read) = (try await send(["person": "ann"]), try await send(["everyone": true]))
            let (archived, snoozed) = (try await send(["everyone": true]), try await send(["person": "ann"]))
            let (deleted, hidden) = (
                try await send(["people": ["ann", "bob"]]),
                try await send(["person": "ann"], [("consentCategory", "offers")])
            )
            let (back, other) = (try await send(["person": "ann"]), try await send(["everyone": true]))
            _ = try await send(["person": "bob"])
            _ = try await send(["person": "ann"], [("deliverAt", "2026-05-02T00:00:00Z")])
            _ = try await server.rest("DELETE", "/v1/messages/\(try await send(["person": "ann"]))")
            let date: JSON = "2026-05-01T08:00:09Z"
            try await ann.update(read, ["readAt": date, "seenAt": date])
            try await ann.update(archived, ["archivedAt": date])
            try await ann.update(snoozed, ["snoozedUntil": "2026-05-02T00:00:00Z"])
            try await ann.update(deleted, ["deletedAt": date, "archivedAt": date])
            try await ann.update(hidden, ["readAt": date, "deletedAt": date])
            try await ann.update(back, ["snoozedUntil": date, "readAt": date])

            let all = [other, back, hidden, deleted, snoozed, archived, read, unread]
            for limit in [1, 3, 8, 9] { #expect(try await ids(limit: limit, on: server) == all, "\(limit)") }
            for (state, expected) in [
                ("inbox", [other, back, hidden, read, unread]), ("unread", [other, hidden, unread]),
                ("archived", [archived]), ("snoozed", [snoozed]), ("deleted", [deleted]),
            ] {
                for limit in [1, 2, 50] {
                    #expect(try await ids("&state=\(state)", limit: limit, on: server) == expected, "\(state)")
                }
            }
            let list = try await server.rest("GET", "/v1/people/ann/messages").json["messages"]?.arrayValue ?? []
            for item in list {
                let id = item["id"]?.stringValue ?? ""
                #expect(try await server.rest("GET", path(id)).json == item)
                let own = try #require(try await ann.message(id))
                for field in MessageField.personal {
                    #expect(item[field.rawValue] == (id == hidden ? .null : own[field.rawValue]), "\(field)")
                }
                #expect(item["title"] == "x" && item["deliverAt"] == own["deliverAt"])
            }
            #expect(list.first?["audience"] == "everyone" && list.last?["audience"] == "people")
        }
    }

    @Test func `unknown people and messages are 404, invalid queries 400`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "bob"])
            for path in ["/v1/people/ann/messages", path(id), path(id, of: "carl")] {
                #expect(try await server.rest("GET", path).status == 404, "\(path)")
            }
            _ = try await server.device(of: "ann")
            #expect(try await server.rest("GET", "/v1/people/ann/messages").json == ["messages": []])
            for id in [id, "x", "m0000000000000"] {
                #expect(try await server.rest("GET", path(id)).status == 404)
                #expect(try await server.rest("PATCH", path(id), ["readAt": "now"]).status == 404)
                #expect(try await server.rest("DELETE", path(id)).status == 404)
            }
            for query in ["state=all", "limit=101", "after=x", "prefix=x"] {
                #expect(try await server.rest("GET", "/v1/people/ann/messages?\(query)").status == 400, "\(query)")
            }
        }
    }

    @Test(arguments: audiences)
    func `marks by the backend reach the devices and aren't counted in figures`(_ to: JSON) async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let ann = try await server.device(of: "ann")
            let id = try await server.send(to: to)
            let state = try await ann.state()
            let answer = try await server.rest("PATCH", path(id), ["readAt": "now", "seenAt": "2026-05-01T07:00:00Z"])
            #expect(answer.status == 200)
            #expect(answer.json["readAt"] == "2026-05-01T08:00:00Z" && answer.json["archivedAt"] == .null)
            let message = try #require(try await ann.message(id))
            #expect(message["readAt"] == "2026-05-01T08:00:00Z" && message["seenAt"] == "2026-05-01T07:00:00Z")
            #expect(try await ann.changes(since: state).updated == [id])
            // The same mark later changes nothing.
            let after = try await ann.state()
            clock.advance(by: 60)
            let again = try await server.rest("PATCH", path(id), ["readAt": "now"])
            #expect(again.json == answer.json)
            #expect(try await ann.state() == after)
            #expect(try await figures(id, on: server) == [0, 0, 0, 0])

            // The person's next action is counted by itself.
            try await ann.update(id, ["archivedAt": "2026-05-01T08:01:00Z"])
            #expect(try await figures(id, on: server) == [1, 0, 0, 0])
            let cleared = try await server.rest("PATCH", path(id), ["readAt": .null, "archivedAt": .null])
            #expect(cleared.json["readAt"] == .null && cleared.json["archivedAt"] == .null)
            #expect(try await ann.message(id)?["readAt"] == .null)
            try await ann.update(id, ["readAt": "2026-05-01T08:01:00Z"])
            #expect(try await figures(id, on: server) == [1, 1, 1, 0])
        }
    }

    @Test func `invalid marks are rejected with their pointer`() async throws {
        let cases: [(String, String)] = [
            (#"{"deletedAt":"now"}"#, "/deletedAt"), (#"{"snoozedUntil":null}"#, "/snoozedUntil"),
            (#"{"readAt":1}"#, "/readAt"),
            (#"{"readAt":"later"}"#, "/readAt"), (#"{"title":"x"}"#, "/title"), ("[]", ""),
        ]
        try await withServer { server in
            let path = path(try await server.send(to: ["person": "ann"]))
            let headers = ["Authorization": "Bearer \(TestServer.adminKey)"]
            let text = headers.merging(["Content-Type": "text/plain"]) { first, _ in first }
            #expect(try await server.request("PATCH", path, body: Array("{}".utf8), headers: text).status == 415)
            for (body, pointer) in cases {
                let answer = try await server.request("PATCH", path, body: Array(body.utf8), headers: headers)
                #expect(answer.status == 400, "\(body)")
                #expect(answer.json["pointer"]?.stringValue == pointer, "\(body)")
            }
        }
    }

    @Test(arguments: audiences)
    func `a message recalled for one person is destroyed there only`(_ to: JSON) async throws {
        try await withServer { server in
            let (ann, bob) = (try await server.device(of: "ann"), try await server.device(of: "bob"))
            let to: JSON = to["everyone"] == nil ? ["people": ["ann", "bob"]] : to
            let id = try await server.send(to: to)
            let (stateOfAnn, stateOfBob) = (try await ann.state(), try await bob.state())
            #expect(try await server.rest("DELETE", path(id)).status == 204)
            #expect(try await ann.changes(since: stateOfAnn).destroyed == [id])
            #expect(try await ann.ids() == [])
            #expect(try await bob.ids() == [id])
            #expect(try await bob.state() == stateOfBob)
            #expect(try await server.rest("DELETE", path(id)).status == 404)
            #expect(try await server.rest("GET", path(id)).status == 404)
            #expect(try await server.rest("GET", "/v1/messages/\(id)").status == 200)
            #expect(try await figures(id, on: server) == [0, 0, 0, 0])
            // An edit doesn't restore it.
            _ = try await server.rest("PATCH", "/v1/messages/\(id)", ["message": ["title": "New"]])
            #expect(try await ann.ids() == [])
            #expect(try await bob.message(id)?["title"] == "New")
        }
    }

    @Test(arguments: audiences)
    func `a due message recalled for one person never appears there`(_ to: JSON) async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let (ann, bob) = (try await server.device(of: "ann"), try await server.device(of: "bob"))
            let to: JSON = to["everyone"] == nil ? ["people": ["ann", "bob"]] : to
            let id = try await server.send(to: to, ["title": "x", "deliverAt": "2026-05-01T09:00:00Z"])
            #expect(try await server.rest("DELETE", path(id)).status == 204)
            #expect(try await server.rest("DELETE", path(id)).status == 404)
            #expect(try await server.rest("DELETE", path(id, of: "carl")).status == 404)
            clock.advance(by: 3_600)
            #expect(try await eventually { try await bob.ids() == [id] })
            #expect(try await ann.ids() == [])
            #expect(try await ann.changes(since: "0-0").created == [])
        }
    }

    @Test func `webhook events name their source and omit withheld actions`() async throws {
        let clock = ManualClock()
        try await withReceiver(clock: clock) { _ in
        } _: { server, receiver in
            _ = try await server.addWebhook(receiver.url, ["*"])
            let ann = try await server.device(of: "ann")
            let id = try await server.send(to: ["person": "ann"])
            let content: JSON = ["title": "x", "consentCategory": "offers"]
            let hidden = try await server.send(to: ["person": "ann"], content)
            // Read by the person without consent, then marked by the backend, which doesn't see the person's date.
            try await ann.update(hidden, ["readAt": "2026-05-01T07:00:00Z"])
            let marked = try await server.rest("PATCH", path(hidden), ["readAt": "now"])
            #expect(marked.json["readAt"] == "2026-05-01T08:00:00Z" && marked.json["seenAt"] == .null)
            _ = try await server.rest("PATCH", path(id), ["readAt": "now"])
            try await ann.update(id, ["archivedAt": "2026-05-01T08:00:00Z"])
            try await ann.track("displayed", id, uid: "u")
            _ = try await server.rest("DELETE", path(id))
            let sent = try await receiver.deliveries(5).map(\.json).map { json in
                "\(json.type ?? "") \(json["source"]?.stringValue ?? "none") \(json["message"] == .string(id))"
            }
            #expect(
                sent.sorted() == [
                    "event.displayed none true", "message.archived person true", "message.destroyed backend true",
                    "message.read backend false", "message.read backend true",
                ]
            )
        }
    }
}
