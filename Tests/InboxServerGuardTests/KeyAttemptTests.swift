import Foundation
import Groundwork
import RawSockets
import RecordedLogs
import Testing

@testable import InboxServer
@testable import InboxService

/// Attempts with wrong API keys are limited by address, and valid keys keep working.
@Suite(.timeLimit(.minutes(5))) struct KeyAttemptTests {
    private static let start = Date(timeIntervalSince1970: 1_777_622_400)

    private func client(_ text: String) throws -> ClientAddress { ClientAddress(try #require(IPAddress(text))) }

    @Test func `an address has ten attempts at once and then one every six seconds`() throws {
        var pace = AttemptLimiter(AttemptLimit())
        let (mallory, ann) = (try client("192.0.2.1"), try client("192.0.2.2"))
        func admit(_ key: Int?, _ client: ClientAddress, _ seconds: Double) -> TimeInterval? {
            pace.admit(key, from: client, at: Self.start.addingTimeInterval(seconds))
        }
        #expect(admit(7, ann, 0) == nil)
        for _ in 0..<10 { #expect(admit(nil, mallory, 0) == nil) }
        #expect(admit(nil, mallory, 0) == 6)
        #expect(admit(nil, mallory, 1.5) == 4.5)
        #expect(admit(1, mallory, 2) == 4, "a valid key isn't distinguished")
        #expect(admit(nil, ann, 2) == nil, "other addresses have their own limit")
        #expect(admit(nil, mallory, 6) == nil)
        #expect(admit(nil, mallory, 6) != nil)
        // A clock set back adds no attempts.
        #expect(admit(nil, mallory, -1_000) != nil)
        #expect(admit(1, mallory, 70) == nil)
        for _ in 0..<9 { _ = admit(nil, mallory, 70) }
        while admit(nil, mallory, 70) == nil {}
        #expect(admit(1, mallory, 70) == nil, "a key that was valid there before is always answered")
        #expect(admit(2, mallory, 70) != nil)
    }

    @Test func `IPv6 addresses count by 64 bits, mapped IPv4 addresses as IPv4`() throws {
        #expect(try client("2001:db8:1:2::1") == client("2001:db8:1:2:ffff:ffff:ffff:ffff"))
        #expect(try client("2001:db8:1:2::1") != client("2001:db8:1:3::1"))
        #expect(try client("::ffff:192.0.2.1") == client("192.0.2.1"))
        #expect(try client("192.0.2.1") != client("192.0.2.2"))
        #expect("\(try client("2001:db8:1:2::1"))" == "2001:db8:1:2::/64")
        #expect("\(try client("::ffff:192.0.2.1"))" == "192.0.2.1")
        for text in ["", "x", "1.2.3", "1.2.3.4.5", "256.1.1.1", "::g", "1.2.3.4 "] {
            #expect(IPAddress(text) == nil)
        }
    }

    @Test func `the number of tracked addresses is bounded, and those with a valid key stay`() throws {
        var pace = AttemptLimiter(AttemptLimit())
        let backend = try client("192.0.2.1")
        #expect(pace.admit(1, from: backend, at: Self.start) == nil)
        for _ in 0..<10 { _ = pace.admit(nil, from: backend, at: Self.start) }
        for number in 0..<(3 * AttemptLimiter.maxAddresses) {
            let (high, low) = (String(number / 65_536, radix: 16), String(number % 65_536, radix: 16))
            let address = try client("2001:db8:\(high):\(low)::")
            _ = pace.admit(nil, from: address, at: Self.start.addingTimeInterval(Double(number) / 1e6))
            #expect(pace.count <= AttemptLimiter.maxAddresses)
        }
        #expect(pace.admit(1, from: backend, at: Self.start) == nil, "its key is still known")
        #expect(pace.admit(nil, from: backend, at: Self.start) != nil, "its attempts are still counted")
    }

    private func get(_ server: TestServer, _ key: String, forwarded: String? = nil) async -> (status: Int, text: String)
    {
        var head = ["GET /v1/keys HTTP/1.1", "Host: a", "Connection: close", "Authorization: Bearer \(key)"]
        if let forwarded { head.append("X-Forwarded-For: \(forwarded)") }
        let answer = await RawConnection.send(
            Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8),
            to: server.url.port ?? 0
        )
        return (answer.statuses.first ?? 0, answer.text)
    }

    @Test func `too many wrong keys get 429, a key valid there before still works`() async throws {
        let clock = ManualClock()
        try await withFolder { folder in
            let log = RecordedLog()
            let server = try await TestServer.start(
                file: folder.appending(path: "inbox.sqlite"),
                clock: clock,
                logger: log.logger
            ) { $0.attemptLimit = AttemptLimit() }
            // A second key that hasn't been used yet.
            let made = try await server.rest("POST", "/v1/keys", ["name": "x", "scopes": ["keys"]])
            let unused = try #require(made.json["key"]?.stringValue)
            for _ in 0..<10 { #expect(await get(server, "wrong-key").status == 401) }
            for _ in 0..<30 {
                let answer = await get(server, "wrong-key")
                #expect(answer.status == 429)
                #expect(answer.text.lowercased().contains("retry-after: 6"))
                #expect(answer.text.contains("too-many-attempts"))
            }
            #expect(await get(server, TestServer.adminKey).status == 200, "the admin key still works")
            #expect(await get(server, unused).status == 429, "a key unknown there isn't verified")
            // Device tokens aren't affected.
            let token = try await server.token(for: "ann")
            let session = try await server.request(
                "GET",
                "/.well-known/jmap",
                headers: ["Authorization": "Bearer \(token)"]
            )
            #expect(session.status == 200)
            clock.advance(by: 6)
            #expect(await get(server, unused).status == 200)
            let logged = log.lines.filter { $0.contains("an API key was rejected") }
            #expect(logged.count == 10, "a burst of ten, then one a minute")
            #expect(logged.allSatisfy { $0.contains("127.0.0.1") && !$0.contains("wrong-key") })
            try await server.stop()
        }
    }

    @Test func `X-Forwarded-For counts only from trusted proxies`() async throws {
        for (trusted, isBelieved) in [([], false), (["10.0.0.0/8"], false), (["127.0.0.0/8", "10.0.0.0/8"], true)] {
            try await withServer { configuration in
                configuration.attemptLimit = AttemptLimit(burst: 2)
                configuration.trustedProxies = trusted
            } _: { server in
                for _ in 0..<2 { #expect(await get(server, "wrong", forwarded: "192.0.2.1").status == 401) }
                // The client's own addresses come before the one that the proxy appends.
                let forged = await get(server, "wrong", forwarded: "198.51.100.7, 192.0.2.1").status
                #expect(forged == 429)
                let through = await get(server, "wrong", forwarded: "192.0.2.1:4711, 10.1.2.3").status
                #expect(through == 429)
                let other = await get(server, "wrong", forwarded: "192.0.2.2").status
                #expect(other == (isBelieved ? 401 : 429), "\(trusted)")
                let six = await get(server, "wrong", forwarded: "[2001:db8::1]:80").status
                #expect(six == (isBelieved ? 401 : 429), "\(trusted)")
            }
        }
    }

    @Test(arguments: ["x", "10.0.0.0/33", "10.0.0.0/", "/8", "10.0.0.0/8/8", "::/129", ""])
    func `an invalid trusted proxy is rejected at startup`(_ text: String) async throws {
        #expect(throws: ServerSetupError.self) { try TrustedProxies([text]) }
    }

    @Test func `an address range is compared by bits`() throws {
        let range = try #require(AddressRange("10.128.0.0/9"))
        for (text, isIn) in [("10.128.0.1", true), ("10.255.255.255", true), ("10.127.0.1", false), ("::1", false)] {
            #expect(range.contains(try #require(IPAddress(text))) == isIn, "\(text)")
        }
        #expect(try #require(AddressRange("::/0")).contains(try #require(IPAddress("2001:db8::1"))))
        #expect(try #require(AddressRange("192.0.2.1")).contains(try #require(IPAddress("192.0.2.1"))))
    }
}
