import Eventually
import Foundation
import Groundwork
import ReplicaTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct PictureFetcherTests {
    private let web = PictureWeb()
    private let clock = ManualClock()
    private static let host = "https://cdn.example.com/"

    private func fetch(
        _ names: [String],
        used: Int = 0,
        _ change: (inout PictureLimits) -> Void = { _ in }
    ) async throws -> [String: PictureFetcher.Outcome] {
        var limits = PictureLimits()
        change(&limits)
        let addresses = names.map { $0.contains(":") ? $0 : Self.host + $0 }
        let fetcher = PictureFetcher(web.transport, clock: clock, limits: limits)
        let outcomes = try await fetcher.fetch(addresses, used: used)
        return outcomes.reduce(into: [:]) { $0[$1.key.replacing(Self.host, with: "")] = $1.value }
    }

    @Test func `a request has no token, cookie or referrer`() async throws {
        web.put(Self.host + "a")
        #expect(try await fetch(["a"]) == ["a": .picture(.gif, gif(20))])
        let request = try #require(web.transport.requests.first)
        #expect(request.method == "GET" && request.body == nil)
        #expect(Array(request.headers.keys) == ["Accept"])
    }

    @Test func `a picture of 5 MiB is fetched, and one with a byte more isn't`() async throws {
        web.put(Self.host + "a", size: 5 << 20)
        web.put(Self.host + "b", size: (5 << 20) + 1)
        let outcomes = try await fetch(["a", "b"])
        #expect(outcomes["a"] == .picture(.gif, gif(5 << 20)))
        #expect(outcomes["b"] == .failed(.tooLarge))
    }

    @Test func `a response that a transport didn't limit is too large all the same`() async throws {
        struct Careless: Transport {
            func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
                TransportResponse(status: 200, body: gif(maxBytes + 1), url: request.url)
            }

            func stream(_ request: TransportRequest) async throws -> TransportStream {
                throw TransportError.unreachable("not asked for")
            }
        }
        let address = Self.host + "a"
        let outcomes = try await PictureFetcher(Careless(), clock: clock).fetch([address], used: 0)
        #expect(outcomes == [address: .failed(.tooLarge)])
    }

    @Test func `a message's pictures have 20 MiB together`() async throws {
        let names = (1...6).map { "\($0)" }
        for name in names { web.put(Self.host + name, size: 4 << 20) }
        let outcomes = try await fetch(names)
        #expect(outcomes.count { if case .picture = $0.value { true } else { false } } == 5)
        #expect(outcomes["6"] == nil && web.requested.count == 5)
        // With a byte less left, the last one doesn't fit.
        let fewer = try await fetch(Array(names.prefix(5)), used: 1)
        #expect(fewer["5"] == .failed(.tooLarge))
    }

    @Test func `four pictures are fetched at a time`() async throws {
        let names = (1...9).map { "\($0)" }
        for name in names { web.put(Self.host + name) }
        web.hold(true)
        async let outcomes = fetch(names)
        #expect(try await eventually { web.held == 4 })
        #expect(web.requested.count == 4)
        web.hold(false)
        #expect(try await outcomes.count == 9)
        #expect(web.mostRunning == 4)
    }

    @Test func `a picture has 10 seconds, and the others are fetched meanwhile`() async throws {
        let clock = clock
        let transport = ScriptedTransport { request in
            if request.url.path == "/slow" { try await clock.sleep(seconds: 3_600) }
            return TransportResponse(status: 200, body: gif(20), url: request.url)
        }
        let addresses = ["slow", "a", "b", "c", "d"].map { Self.host + $0 }
        async let fetched = PictureFetcher(transport, clock: clock).fetch(addresses, used: 0)
        // The slow request and its deadline wait.
        #expect(try await eventually { clock.sleeperCount == 2 && transport.requests.count == 5 })
        clock.advance(by: 9.9)
        #expect(clock.sleeperCount == 2)
        clock.advance(by: 0.1)
        let outcomes = try await fetched
        #expect(outcomes[Self.host + "slow"] == .failed(.unreachable))
        #expect(outcomes.count == 5)
        #expect(outcomes.count { if case .picture = $0.value { true } else { false } } == 4)
    }

    @Test func `a picture's type is that of its bytes, not of the header`() async throws {
        let types = ["content-type": "image/png"]
        web.put(Self.host + "page", .init(headers: types, body: Array("<html><script>".utf8)))
        web.put(Self.host + "svg", .init(headers: ["content-type": "image/svg+xml"], body: Array("<svg/>".utf8)))
        web.put(Self.host + "gif", .init(headers: ["content-type": "text/html"], body: gif(20)))
        web.put(Self.host + "empty", .init())
        #expect(
            try await fetch(["page", "svg", "gif", "empty"]) == [
                "page": .failed(.otherType), "svg": .failed(.otherType), "gif": .picture(.gif, gif(20)),
                "empty": .failed(.otherType),
            ]
        )
    }

    @Test func `errors of servers are retried soon if they may end soon`() async throws {
        for status in [204, 206, 304, 400, 401, 403, 404, 408, 410, 429, 500, 503] {
            web.put(Self.host + "\(status)", .init(status: status, body: gif(20)))
        }
        let outcomes = try await fetch(
            ["204", "206", "304", "400", "401", "403", "404", "408", "410", "429", "500", "503", "none"]
        )
        let retried = outcomes.filter { $0.value == .failed(.unreachable) }.keys
        #expect(Set(retried) == ["408", "429", "500", "503", "none"])
        #expect(outcomes.values.count { $0 == .failed(.notFound) } == 8)
    }

    @Test func `a redirect is followed on the public web only`() async throws {
        func redirect(_ name: String, to target: String?) {
            web.put(Self.host + name, .init(status: 302, headers: target.map { ["location": $0] } ?? [:]))
        }
        web.put("https://other.example.com/a")
        redirect("other", to: "https://other.example.com/a")
        redirect("relative", to: "/target")
        web.put(Self.host + "target")
        redirect("private", to: "http://192.168.1.1/admin")
        redirect("name", to: "http://router/admin")
        redirect("file", to: "file:///etc/passwd")
        redirect("nowhere", to: nil)
        let outcomes = try await fetch(["other", "relative", "private", "name", "file", "nowhere"])
        #expect(outcomes["other"] == .picture(.gif, gif(20)) && outcomes["relative"] == .picture(.gif, gif(20)))
        for name in ["private", "name", "file", "nowhere"] { #expect(outcomes[name] == .failed(.forbidden)) }
        #expect(!web.requested.contains { $0.contains("admin") || $0.hasPrefix("file") })
    }

    @Test func `three redirects are followed, and not four`() async throws {
        for number in 1...4 {
            web.put(Self.host + "\(number)", .init(status: 301, headers: ["location": "/\(number - 1)"]))
        }
        web.put(Self.host + "0")
        #expect(try await fetch(["3"]) == ["3": .picture(.gif, gif(20))])
        #expect(try await fetch(["4"]) == ["4": .failed(.forbidden)])
    }

    @Test func `a picture that a redirect leads to on a private address isn't used`() async throws {
        web.put(Self.host + "a", .init(body: gif(20), url: "http://10.0.0.1/a"))
        #expect(try await fetch(["a"]) == ["a": .failed(.forbidden)])
    }

    @Test func `an address within a network isn't requested`() async throws {
        #expect(try await fetch(["http://127.0.0.1/a"]) == ["http://127.0.0.1/a": .failed(.forbidden)])
        #expect(web.requested.isEmpty)
    }

    @Test func `a cancelled fetch throws and reports no failure`() async throws {
        let clock = clock
        let transport = ScriptedTransport { request in
            try await clock.sleep(seconds: 3_600)
            return TransportResponse(status: 200, url: request.url)
        }
        let task = Task { try await PictureFetcher(transport, clock: clock).fetch([Self.host + "a"], used: 0) }
        #expect(try await eventually { transport.requests.count == 1 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
