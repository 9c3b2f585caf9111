import Foundation
import Groundwork
import InboxModel
import JMAP
import RawSockets
import Testing

@testable import InboxServer
@testable import InboxService

/// Attacks by a signed-in person on others.
@Suite(.timeLimit(.minutes(5))) struct HostilePersonTests {
    /// Opens connections with a request of 32 queries each; each query searches all bodies 60 times.
    private func attack(_ server: TestServer, _ attacker: Device, connections: Int) throws -> [RawSocket] {
        let port = try #require(server.url.port)
        return try (0..<connections).map { connection in
            let calls = (0..<32).map { number -> JSON in
                [
                    "InboxMessage/query",
                    [
                        "accountId": .string(attacker.account), "filter": FairUseTests.slowFilter,
                        "sort": FairUseTests.slowSort, "limit": JSON(connection * 32 + number + 1),
                    ], .string("\(number)"),
                ]
            }
            let body: JSON = [
                "using": [.string(CoreCapability.uri), .string(MessageCapability.uri)], "methodCalls": .array(calls),
            ]
            let socket = try RawSocket(port: port)
            try socket.send(
                "POST /jmap/api HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(attacker.token)\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            )
            try socket.send(body.utf8)
            return socket
        }
    }

    /// Has each of several people read without the cache and write.
    ///
    /// - Returns: The durations of all calls, in seconds, in ascending order.
    private func use(_ devices: [Device], round: Int) async throws -> [Double] {
        try await withThrowingTaskGroup(of: [Double].self) { group in
            for device in devices {
                group.addTask {
                    var times: [Double] = []
                    func time(_ work: () async throws -> Bool) async throws {
                        let start = ContinuousClock.now
                        #expect(try await work())
                        times.append((ContinuousClock.now - start) / .seconds(1))
                    }
                    try await time { try await device.ids(["limit": JSON(1_000 + round)]).count == 2 }
                    let id = try await device.ids(["limit": JSON(2_000 + round)]).first ?? ""
                    let date = "2026-05-01T08:00:0\(round)Z"
                    try await time { try await device.update(id, ["seenAt": .string(date)])["updated"] != nil }
                    return times
                }
            }
            var all: [Double] = []
            for try await times in group { all += times }
            return all.sorted()
        }
    }

    @Test func `one person's slow queries don't delay others`() async throws {
        try await withServer(configure: { $0.fairUse.readingTime = FairUse().readingTime }) { server in
            let attacker = try await server.device(of: "attacker")
            try await FairUseTests.fill(server, "attacker", count: 300, size: 60_000)
            var devices: [Device] = []
            for number in 0..<50 {
                for _ in 0..<2 { try await server.send(to: ["person": .string("p\(number)")]) }
                devices.append(try await server.device(of: "p\(number)"))
            }
            let quiet = try await use(devices, round: 0)
            let sockets = try attack(server, attacker, connections: 16)
            try await Task.sleep(for: .milliseconds(300))
            let attacked = try await use(devices, round: 1)
            print(
                "hostile person: 16 requests of 32 queries; 50 others' slowest of 100 calls \(Int(quiet[99] * 1_000)) ms before,"
                    + " \(Int(attacked[99] * 1_000)) ms meanwhile"
            )
            // The attacker's own queries take half a minute, one after the other; on a slow machine all takes longer.
            #expect(attacked[99] < max(8, 10 * quiet[99]))
            #expect(await sockets[15].read(within: 0.1).text.isEmpty)
            for socket in sockets { socket.close(abruptly: true) }
        }
    }
}
