import Dispatch
import Eventually
import Foundation
import GRDB
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct IdempotencyTests {
    private let body: JSON = ["to": ["person": "ann"], "message": ["title": "Once"]]

    @Test func `the same key and body are sent once and answered alike`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let first = try await server.rest("POST", "/v1/messages", body, headers: ["Idempotency-Key": "k-1"])
            clock.advance(by: 60)
            let second = try await server.rest("POST", "/v1/messages", body, headers: ["Idempotency-Key": "k-1"])
            #expect(first.status == 201)
            #expect(second.status == 201)
            #expect(first.bytes == second.bytes)
            #expect(try await server.device(of: "ann").ids().count == 1)
        }
    }

    @Test func `the same key with another body is 409`() async throws {
        try await withServer { server in
            _ = try await server.rest("POST", "/v1/messages", body, headers: ["Idempotency-Key": "k-1"])
            let other: JSON = ["to": ["person": "ann"], "message": ["title": "Twice"]]
            let answer = try await server.rest("POST", "/v1/messages", other, headers: ["Idempotency-Key": "k-1"])
            #expect(answer.status == 409)
            #expect(answer.json["type"] == "https://swift-inbox.example/problems/idempotency-key-reused")
            #expect(answer.json["title"] == "Idempotency-Key used for another body")
            #expect(answer.header("Retry-After") == nil)
            #expect(try await server.device(of: "ann").ids().count == 1)
        }
    }

    @Test func `the same JSON in other bytes is another body, and the same bytes are a repeat`() async throws {
        try await withServer { server in
            let headers = ["Idempotency-Key": "k-1", "Authorization": "Bearer \(TestServer.adminKey)"]
            let texts = [
                (#"{"to":{"person":"ann"},"message":{"title":"Once"}}"#, 201),
                (#"{"to":{"person":"ann"}, "message":{"title":"Once"}}"#, 409),
                (#"{"message":{"title":"Once"},"to":{"person":"ann"}}"#, 409),
                (#"{"to":{"person":"ann"},"message":{"title":"Once"}}"#, 201),
            ]
            for (text, status) in texts {
                let path = "/v1/messages"
                let answer = try await server.request("POST", path, body: Array(text.utf8), headers: headers)
                #expect(answer.status == status, "\(text)")
                guard status == 409 else { continue }
                #expect(answer.json["type"] == "https://swift-inbox.example/problems/idempotency-key-reused")
            }
        }
    }

    @Test func `two keys in one request are 400, and nothing is sent`() async throws {
        try await withServer { server in
            let port = server.url.port ?? 0
            let body = self.body.utf8
            func send(_ keys: [String]) async -> RawConnection.Answer {
                let lines = [
                    "POST /v1/messages HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close",
                    "Authorization: Bearer \(TestServer.adminKey)", "Content-Type: application/json",
                    "Content-Length: \(body.count)",
                ]
                let head = (lines + keys.map { "Idempotency-Key: \($0)" }).joined(separator: "\r\n") + "\r\n\r\n"
                return await RawConnection.send(Array(head.utf8) + body, to: port)
            }
            for keys in [["k-1", "k-2"], ["k-1", "k-1"]] {
                let answer = await send(keys)
                #expect(answer.statuses == [400])
                #expect(answer.text.contains("the header Idempotency-Key 2 times"))
            }
            #expect(await send(["k-1"]).statuses == [201])
            let count = try await server.device(of: "ann").ids().count
            #expect(count == 1)
        }
    }

    @Test func `a repeat gets the first answer also once its message has expired`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            func send(_ title: String, key: String) async throws -> Answer {
                let message: JSON = ["title": .string(title), "expiresAt": "2026-05-01T08:00:03Z"]
                let body: JSON = ["to": ["person": "ann"], "message": message]
                return try await server.rest("POST", "/v1/messages", body, headers: ["Idempotency-Key": key])
            }
            let first = try await send("Once", key: "k-1")
            clock.advance(by: 4)
            let second = try await send("Once", key: "k-1")
            #expect(first.status == 201 && second.status == 201)
            #expect(first.bytes == second.bytes)
            #expect(try await send("Twice", key: "k-1").status == 409)
            let new = try await send("Once", key: "k-2")
            #expect(new.status == 400 && new.json["pointer"] == "/message/expiresAt")
        }
    }

    /// Documented under "What stays after an erasure": a key is no person's, so it must not name one.
    @Test func `a key outlives the erasure of a person by its day, and is deleted then`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            _ = try await server.rest("POST", "/v1/messages", body, headers: ["Idempotency-Key": "k-1"])
            #expect(try await server.rest("DELETE", "/v1/people/ann").status == 200)
            let storage = try await server.storage()
            func keys() async throws -> [String] {
                try await storage.readTables { try $0.values("SELECT key FROM idempotency") }
            }
            #expect(try await keys() == ["k-1"])
            clock.advance(by: 86_400)
            #expect(
                try await eventually {
                    clock.advance(by: 3_600)
                    return try await keys().isEmpty
                }
            )
        }
    }

    @Test func `a key can be reused after a day`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            _ = try await server.rest("POST", "/v1/messages", body, headers: ["Idempotency-Key": "k-1"])
            clock.advance(by: 86_401)
            let other: JSON = ["to": ["person": "ann"], "message": ["title": "Tomorrow"]]
            let answer = try await server.rest("POST", "/v1/messages", other, headers: ["Idempotency-Key": "k-1"])
            #expect(answer.status == 201)
        }
    }

    @Test func `concurrent requests with one key send once, each gets the same answer or 409`() async throws {
        try await withServer { server in
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        try await server.rest("POST", "/v1/messages", body, headers: ["Idempotency-Key": "k-1"])
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 201 || $0.status == 409 })
            #expect(Set(answers.filter { $0.status == 201 }.map(\.bytes)).count == 1)
            #expect(try await server.device(of: "ann").ids().count == 1)
        }
    }

    @Test func `while the first request runs, the second gets 409 with Retry-After`() async throws {
        try await withServer { server in
            // While another connection holds the file, nothing can be written and the first request isn't answered.
            let storage = try await server.storage()
            let release = DispatchSemaphore(value: 0)
            let (held, hold) = AsyncStream<Void>.makeStream()
            let holder = Task {
                try await storage.writeTables { db in
                    if db.sqlite == nil { _ = try db.changed("LOCK TABLE message IN EXCLUSIVE MODE") }
                    hold.finish()
                    release.wait()
                }
            }
            for await _ in held {}
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                defer { release.signal() }
                for _ in 0..<2 {
                    group.addTask {
                        try await server.rest("POST", "/v1/messages", body, headers: ["Idempotency-Key": "k-1"])
                    }
                }
                let early = try #require(try await group.next())
                release.signal()
                return [early, try #require(try await group.next())]
            }
            try await holder.value
            #expect(answers.map(\.status) == [409, 201])
            #expect(answers[0].json["type"] == "https://swift-inbox.example/problems/idempotency-key-in-use")
            #expect(answers[0].header("Retry-After") == "1")
            #expect(try await server.device(of: "ann").ids().count == 1)
        }
    }

    @Test func `a key that is still in use throws a conflict`() async throws {
        let running = RunningKeys()
        let key = try #require(IdempotencyKey(apiKey: 1, header: "k", body: []))
        _ = try await running.run(key) {
            await #expect(throws: IdempotencyConflict.stillRunning) { _ = try await running.run(key) { 1 } }
        }
        #expect(try await running.run(key) { 1 } == 1)
    }

    @Test(arguments: ["a b", "é", String(repeating: "k", count: 256)])
    func `a malformed key is rejected`(_ key: String) {
        #expect(IdempotencyKey(apiKey: 1, header: key, body: []) == nil)
    }
}
