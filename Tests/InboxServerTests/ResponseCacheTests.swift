import Foundation
import Groundwork
import Hummingbird
import JMAP
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct ResponseCacheTests {
    private func key(
        _ request: String,
        account: String = "a",
        own: Int = 1,
        surface: Int = 1
    ) throws -> ResponseCache.Key {
        let state = PersonState(own: own, broadcast: 0)
        return try #require(
            ResponseCache.Key(account: account, state: state, surface: surface, request: Array(request.utf8))
        )
    }

    @Test func `a cached response is found only for its account, states and request bytes`() throws {
        let cache = ResponseCache()
        cache.add(ByteBuffer(string: "answer"), for: try key("request"), after: 0)
        #expect(cache[try key("request"), at: Date()] == ByteBuffer(string: "answer"))
        #expect(cache[try key("request", account: "b"), at: Date()] == nil)
        #expect(cache[try key("request", own: 2), at: Date()] == nil)
        #expect(cache[try key("request", surface: 2), at: Date()] == nil)
        #expect(cache[try key("request "), at: Date()] == nil)
    }

    @Test func `a response in use outlives an unused one`() throws {
        let cache = ResponseCache(limit: 20_000)
        let answer = ByteBuffer(repeating: 0, count: 1_000)
        cache.add(answer, for: try key("often"), after: 0)
        cache.add(answer, for: try key("once"), after: 0)
        for number in 0..<40 {
            cache.add(answer, for: try key("other \(number)"), after: 0)
            #expect(cache[try key("often"), at: Date()] != nil)
        }
        #expect(cache[try key("once"), at: Date()] == nil)
    }

    @Test func `a response that was begun before an erasure isn't kept after it`() throws {
        let cache = ResponseCache()
        let (answer, start) = (ByteBuffer(string: "answer"), cache.removals)
        cache.add(answer, for: try key("earlier"), after: start)
        cache.remove(of: "a")
        cache.add(answer, for: try key("late"), after: start)
        cache.add(answer, for: try key("new", account: "b"), after: cache.removals)
        let kept = try [key("earlier"), key("late"), key("new", account: "b")].map { cache[$0, at: Date()] != nil }
        #expect(kept == [false, false, true])
    }

    @Test func `the cache never holds more than its limit`() throws {
        let cache = ResponseCache(limit: 20_000)
        for number in 0..<1_000 {
            cache.add(ByteBuffer(repeating: 0, count: 1_000), for: try key("\(number)"), after: 0)
        }
        let kept = try (0..<1_000).filter { cache[try key("\($0)"), at: Date()] != nil }
        #expect((8...20).contains(kept.count))
        #expect(kept.last == 999)
    }

    @Test func `removed responses of an account leave their room to others`() throws {
        let cache = ResponseCache(limit: 20_000)
        let answer = ByteBuffer(repeating: 0, count: 1_000)
        cache.add(answer, for: try key("kept"), after: 0)
        for round in 0..<20 {
            for number in 0..<5 {
                let new = try key("\(round) \(number)", account: "erased")
                cache.add(answer, for: new, after: cache.removals)
                #expect(cache[new, at: Date()] != nil)
            }
            cache.remove(of: "erased")
        }
        #expect(cache[try key("kept"), at: Date()] != nil)
        #expect(cache[try key("19 4", account: "erased"), at: Date()] == nil)
    }

    @Test func `a response or request over the size limit isn't cached`() throws {
        let cache = ResponseCache()
        cache.add(ByteBuffer(repeating: 0, count: ResponseCache.entryLimit + 1), for: try key("large"), after: 0)
        #expect(cache[try key("large"), at: Date()] == nil)
        let request = Array(repeating: UInt8(0), count: ResponseCache.requestLimit + 1)
        #expect(
            ResponseCache.Key(
                account: "a",
                state: PersonState(own: 1, broadcast: 0),
                surface: 1,
                request: request
            ) == nil
        )
    }

    @Test func `a repeated request returns each change: send, broadcast, read, delete`() async throws {
        try await withServer { server in
            let alice = try await server.device(of: "alice")
            #expect(try await alice.ids() == [])
            let first = try await server.send(to: ["person": "alice"])
            #expect(try await alice.ids() == [first])
            let broadcast = try await server.send(to: ["everyone": true])
            #expect(try await alice.ids() == [broadcast, first])
            #expect(try await alice.message(first)?["readAt"] == .null)
            try await alice.update(first, ["readAt": "2026-05-01T08:00:00Z"])
            #expect(try await alice.message(first)?["readAt"] == "2026-05-01T08:00:00Z")
            _ = try await server.rest("DELETE", "/v1/messages/\(broadcast)")
            #expect(try await alice.ids() == [first])
        }
    }

    @Test func `the same request bytes from another person don't return the first one's data`() async throws {
        try await withServer { server in
            let (alice, bob) = (try await server.device(of: "alice"), try await server.device(of: "bob"))
            try await server.send(to: ["person": "alice"])
            // The same bytes as a request of Alice's.
            let body: JSON = [
                "using": [.string(CoreCapability.uri), "https://swift-inbox.example/jmap/messages"],
                "methodCalls": [["InboxMessage/query", ["accountId": .string(alice.account)], "0"]],
            ]
            #expect(try await alice.post(body).json["methodResponses"]?.arrayValue?[0].arrayValue?[0] != "error")
            let answer = try await bob.post(body).json["methodResponses"]?.arrayValue?[0].arrayValue
            #expect(answer?[0] == "error")
            #expect(answer?[1].type == "accountNotFound")
        }
    }

    @Test func `a request that writes is executed every time`() async throws {
        try await withServer { server in
            let alice = try await server.device(of: "alice")
            let id = try await server.send(to: ["person": "alice"])
            for _ in 1...2 {
                try await alice.update(id, ["readAt": "2026-05-01T08:00:00Z"])
                #expect(try await alice.message(id)?["readAt"] == "2026-05-01T08:00:00Z")
                try await alice.update(id, ["readAt": .null])
                #expect(try await alice.message(id)?["readAt"] == .null)
            }
        }
    }
}
