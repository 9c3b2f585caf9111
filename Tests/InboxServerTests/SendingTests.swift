import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct SendingTests {
    @Test func `a message to a person appears in the inbox with all its fields`() async throws {
        try await withServer { server in
            let message: JSON = [
                "title": "Shipped", "body": "Your shoes 👟", "surface": "news", "priority": 5, "pinned": true,
                "media": ["url": "https://example.com/a.png", "alt": "Shoes"],
                "actions": [["text": "Track", "link": "app://track/1", "actionType": "open"]],
                "additionalData": ["order": "7"], "expiresAt": "2026-06-01T00:00:00Z",
            ]
            let answer = try await server.rest("POST", "/v1/messages", ["to": ["person": "ann"], "message": message])
            #expect(answer.status == 201)
            #expect(answer.json["deliverAt"] == "2026-05-01T08:00:00Z")
            #expect(answer.json["recipients"] == 1)
            let id = try #require(answer.json["id"]?.stringValue)

            let shown = try #require(try await server.device(of: "ann").message(id))
            #expect(shown["id"] == .string(id))
            #expect(shown["title"] == "Shipped")
            #expect(shown["body"] == "Your shoes 👟")
            #expect(shown["surface"] == "news")
            #expect(shown["priority"] == 5)
            #expect(shown["pinned"] == true)
            #expect(shown["media"] == message["media"])
            #expect(shown["actions"]?.arrayValue?.first?["link"] == "app://track/1")
            #expect(shown["actions"]?.arrayValue?.first?["id"] == "1")
            #expect(shown["additionalData"] == ["order": "7"])
            #expect(shown["deliverAt"] == "2026-05-01T08:00:00Z")
            #expect(shown["expiresAt"] == "2026-06-01T00:00:00Z")
            #expect(shown["readAt"] == .null)
        }
    }

    @Test func `a text's limit is that of the form in which it is stored`() async throws {
        try await withServer { server in
            // 1,200 bytes, of which 800 are stored; 999 bytes, of which 1,998 are.
            for (title, status) in [("e\u{301}", 201), ("\u{958}", 400)] {
                let count = status == 201 ? 400 : 333
                let message: JSON = ["title": .string(String(repeating: title, count: count))]
                let body: JSON = ["to": ["person": "ann"], "message": message]
                let answer = try await server.rest("POST", "/v1/messages", body)
                #expect(answer.status == status)
                #expect(answer.json["pointer"] == (status == 201 ? nil : "/message/title"))
            }
            let device = try await server.device(of: "ann")
            let id = try #require(try await device.ids().first)
            #expect(try await device.message(id)?["title"]?.stringValue?.utf8.count == 800)
        }
    }

    @Test func `a message to people is stored once, with one delivery for each distinct id`() async throws {
        try await withServer { server in
            let to: JSON = ["people": ["ann", "bob", "ann", "e\u{301}", "é"]]
            let answer = try await server.rest("POST", "/v1/messages", ["to": to, "message": ["title": "Hi"]])
            #expect(answer.json["recipients"] == 4)
            for person in ["ann", "bob", "é", "e\u{301}"] {
                #expect(try await server.device(of: person).ids().count == 1)
            }
            #expect(try await server.device(of: "cid").ids() == [])
            let storage = try await server.storage()
            #expect(try await storage.readTables { try $0.value("SELECT count(*) FROM message") } == 1)
            #expect(try await storage.readTables { try $0.value("SELECT count(*) FROM delivery") } == 4)
        }
    }

    @Test func `a message to an unknown person is there when they first sign in`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "später / 100% 🙂"])
            #expect(try await server.device(of: "später / 100% 🙂").ids() == [id])
        }
    }

    @Test func `a sent message is returned by id`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["people": ["ann", "bob"]], ["title": "Hi"])
            let answer = try await server.rest("GET", "/v1/messages/\(id)")
            #expect(answer.status == 200)
            #expect(
                answer.json == [
                    "id": .string(id), "surface": "inbox", "title": "Hi", "deliverAt": "2026-05-01T08:00:00Z",
                    "createdAt": "2026-05-01T08:00:00Z", "state": "shown", "audience": "people", "recipients": 2,
                ]
            )
            let everyone = try await server.send(to: ["everyone": true])
            let broadcast = try await server.rest("GET", "/v1/messages/\(everyone)").json
            #expect(broadcast["audience"] == "everyone")
            #expect(broadcast["recipients"] == nil)
            #expect(broadcast["expiresAt"] == "2026-07-30T08:00:00Z")
            let missing = try await server.rest("GET", "/v1/messages/m0000000000000")
            #expect(missing.status == 404)
            #expect(missing.header("Content-Type") == "application/problem+json")
        }
    }

    @Test func `one request sends to 10000 people`() async throws {
        try await withServer { server in
            let people = (0..<10_000).map { "person-\($0)" }
            let answer = try await server.rest(
                "POST",
                "/v1/messages",
                ["to": ["people": JSON(people)], "message": ["title": "Hi"]]
            )
            #expect(answer.json["recipients"] == 10_000)
            #expect(try await server.device(of: "person-9999").ids().count == 1)
        }
    }

    @Test func `concurrent sends each appear once, and every state leads to the same inbox`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            // As many as one person's limit of concurrent requests.
            let (sent, states) = try await withThrowingTaskGroup(of: [(String, String)].self) { group in
                for _ in 0..<15 {
                    group.addTask {
                        var sent: [(String, String)] = []
                        for number in 0..<4 {
                            let id = try await server.send(to: number == 0 ? ["everyone": true] : ["person": "ann"])
                            // A confirmed send is visible to every later request.
                            let message = try await device.update(id, ["seenAt": "2026-05-01T08:00:00Z"])
                            #expect(message["notUpdated"] == .null)
                            sent.append((id, try await device.state()))
                        }
                        return sent
                    }
                }
                return try await group.reduce(into: (Set<String>(), Set<String>())) { all, sent in
                    for (id, state) in sent {
                        all.0.insert(id)
                        all.1.insert(state)
                    }
                }
            }
            #expect(sent.count == 60)
            #expect(Set(try await device.ids()) == sent)
            let latest = try await device.state()
            for state in states { #expect(try await device.changes(since: state, maxChanges: 7).state == latest) }
            #expect(Set(try await device.changes(since: "0-0").created) == sent)
        }
    }

    @Test func `the health check returns ok`() async throws {
        try await withServer { server in
            let answer = try await server.request("GET", "/health")
            #expect(answer.status == 200)
            #expect(answer.json == ["status": "ok"])
        }
    }
}
