import Eventually
import Foundation
import Groundwork
import Hummingbird
import JMAP
import Testing

@testable import InboxServer
@testable import InboxService

/// The limits of the core capability (RFC 8620 §2) on concurrent requests.
@Suite(.timeLimit(.minutes(10))) struct LimitTests {
    private let ann = Person(id: 1, name: "ann", account: "a")
    private let bob = Person(id: 2, name: "bob", account: "b")

    @Test func `one concurrent request past a person's limit is 429, other people's work`() async throws {
        let limit = ConcurrencyLimit("maxConcurrentRequests", 2)
        let (release, releasing) = AsyncStream<Void>.makeStream()
        let begun = Locked(0)
        let ok = Response(status: .ok)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    _ = try await limit.run(for: ann) {
                        begun.withLock { $0 += 1 }
                        for await _ in release {}
                        return ok
                    }
                }
            }
            #expect(try await eventually { begun.withLock { $0 } == 2 })
            let problem = await #expect(throws: Problem.self) { try await limit.run(for: ann) { ok } }
            #expect(problem?.status == .tooManyRequests)
            #expect(problem?.json["type"] == "urn:ietf:params:jmap:error:limit")
            #expect(problem?.json["limit"] == "maxConcurrentRequests")
            #expect(problem?.json["status"] == 429)
            #expect(problem?.headers[.retryAfter] == "1")
            #expect(try await limit.run(for: bob) { ok }.status == .ok)
            releasing.finish()
            try await group.waitForAll()
        }
        #expect(try await limit.run(for: ann) { ok }.status == .ok)
    }

    @Test func `a request that fails frees its place`() async throws {
        let limit = ConcurrencyLimit("maxConcurrentUpload", 1)
        for _ in 0..<3 {
            await #expect(throws: CancellationError.self) {
                try await limit.run(for: ann) { throw CancellationError() }
            }
        }
        #expect(try await limit.run(for: ann) { Response(status: .ok) }.status == .ok)
    }

    /// A request counts while its body is still arriving.
    @Test func `slow requests and uploads count until they end`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let other = try await server.device(of: "bob")
            let port = try #require(server.url.port)
            for (path, most, limit) in [
                ("/jmap/api", 16, "maxConcurrentRequests"),
                ("/jmap/upload/\(device.account)", 4, "maxConcurrentUpload"),
            ] {
                var slow: [HalfRequest] = []
                func post(_ device: Device, _ path: String) async throws -> Answer {
                    try await server.request("POST", path, body: Array("{}".utf8), headers: device.authorization)
                }
                #expect(
                    try await eventually {
                        if try await post(device, path).status == 429 { return true }
                        slow.append(try HalfRequest(port: port, path: path, token: device.token))
                        return false
                    }
                )
                #expect(slow.count >= most)
                let refused = try await post(device, path)
                #expect(refused.json.type == "urn:ietf:params:jmap:error:limit")
                #expect(refused.json["limit"] == .string(limit))
                #expect(refused.header("Retry-After") == "1")
                let own = path.replacing(device.account, with: other.account)
                #expect(try await post(other, own).status != 429)
                for request in slow { request.close() }
                #expect(try await eventually { try await post(device, path).status != 429 })
            }
        }
    }
}
