import Coverage
import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxTesting
import Testing

/// A live inbox under all kinds of network and server failures. The state is visible, attempts are few, and the
/// connection recovers.
@Suite(.timeLimit(.minutes(5))) struct ConnectionTests {
    let server = ScriptedServer(person: "alice")

    /// A failure of every request.
    enum Fault: String, CaseIterable, Sendable {
        case unreachable, nothing, tooManyRequests, unavailable, unavailableFor10Minutes, broken, missing
        case emptyAnswer, garbage, halfAnAnswer, otherJSON, errorOfItsOwn

        func answer(_ request: TransportRequest, _ server: ScriptedServer) async throws -> TransportResponse {
            func status(_ status: Int, _ headers: [String: String] = [:], _ body: String = "") -> TransportResponse {
                TransportResponse(status: status, headers: headers, body: Array(body.utf8), url: request.url)
            }
            switch self {
            case .unreachable: throw TransportError.unreachable("no network")
            case .nothing:
                // The deadline by the inbox's clock cancels it.
                try await Task.sleep(for: .seconds(3_600))
                return status(500)
            case .tooManyRequests: return status(429)
            case .unavailable: return status(503)
            case .unavailableFor10Minutes: return status(503, ["retry-after": "600"])
            case .broken: return status(500, [:], "<html>Internal Server Error</html>")
            case .missing: return status(404)
            case .emptyAnswer: return status(200)
            case .garbage: return status(200, [:], "\u{0}\u{1}not JSON")
            case .halfAnAnswer:
                var answer = server.answer(request)
                answer.body = Array(answer.body.prefix(answer.body.count / 2))
                return answer
            case .otherJSON: return status(200, [:], "[]")
            // An app's transport may throw any error.
            case .errorOfItsOwn: throw URLError(.notConnectedToInternet)
            }
        }

        /// The result of opening an event stream.
        func stream() async throws -> TransportStream {
            let url = URL(string: "https://inbox.example/events")!
            let answer = try await answer(TransportRequest(url: url), ScriptedServer(person: "unknown"))
            let (body, stream) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
            stream.yield(answer.body)
            stream.finish()
            // A server without an event source answers 404. Here that fails too.
            return TransportStream(status: answer.status == 404 ? 502 : answer.status, body: body)
        }
    }

    /// A device's network, which counts requests.
    final class Network: Sendable {
        let source = EventSource()
        private let streams = Locked(0)

        func fail(_ phone: Device, _ fault: Fault) {
            phone.transport.answer { [server = phone.server] in try await fault.answer($0, server) }
            phone.transport.answerStreams { [streams] _ in
                streams.withLock { $0 += 1 }
                return try await fault.stream()
            }
            source.interrupt()
        }

        func recover(_ phone: Device) {
            phone.reconnect()
            phone.transport.answerStreams { [streams, source] _ in
                streams.withLock { $0 += 1 }
                return source.open()
            }
        }

        func count(_ phone: Device) -> Int { phone.transport.requests.count + streams.withLock { $0 } }
    }

    static let refused = ConnectionState.unauthorized(reason: TokenRefusal(.unspecified))

    /// Waits until the effects of the clock's last tick have ended.
    func settle(_ phone: Device, _ network: Network, checks: Int = 5) async throws {
        var last: [Int] = []
        var stable = 0
        while stable < checks {
            try await Task.sleep(for: .milliseconds(1))
            let now = [network.count(phone), phone.clock.sleeperCount]
            stable = now == last ? stable + 1 : 0
            last = now
        }
    }

    /// Advances the clock in ticks and returns the state after each one.
    @discardableResult
    func advance(_ seconds: Double, tick: Double = 15, _ phone: Device, _ network: Network) async throws
        -> [ConnectionState]
    {
        var states: [ConnectionState] = []
        for _ in 0..<Int(seconds / tick) {
            phone.clock.advance(by: tick)
            try await settle(phone, network)
            states.append(phone.inbox.connectionState)
        }
        return states
    }

    /// A live inbox with one message, or one that has never reached its server.
    func phone(_ network: Network, knowsServer: Bool, fault: Fault) async throws -> Device {
        server.deliver(.at(0, "a"))
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let tokens = Tokens {
            for await _ in gate {}
            return "token"
        }
        let phone = try await Device(server, stream: network.source, tokens: tokens) { $0.isLive = true }
        if knowsServer {
            open.finish()
            // The clock advances so that an attempt that fails once, such as on a busy machine, is repeated.
            #expect(
                try await eventually {
                    phone.clock.advance(by: 1)
                    return try await phone.ids() == ["a"] && phone.inbox.connectionState == .live
                }
            )
        }
        try await settle(phone, network)
        network.fail(phone, fault)
        open.finish()
        if knowsServer { try await phone.inbox.archive("a") }
        return phone
    }

    /// All pairs in a long run. Otherwise each fault once, every other one of a server that the device knows.
    private static let faults: [(Fault, Bool)] = {
        let isLong = ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] != nil
        var faults: [(Fault, Bool)] = []
        for (number, fault) in Fault.allCases.enumerated() {
            for knowsServer in [true, false] where isLong || knowsServer == (number % 2 == 0) {
                faults.append((fault, knowsServer))
            }
        }
        return faults
    }()

    @Test(arguments: faults)
    func `a failing server is asked with growing pauses until it recovers`(fault: Fault, knowsServer: Bool)
        async throws
    {
        let network = Network()
        let phone = try await phone(network, knowsServer: knowsServer, fault: fault)
        #expect(
            try await eventually {
                phone.clock.advance(by: 1)
                if case .offline = phone.inbox.connectionState { return true }
                return false
            }
        )
        let before = network.count(phone)
        let states = try await advance(3_600, phone, network)
        let requestCount = network.count(phone) - before
        // A server that answers receives requests for both types at each attempt.
        #expect((4...100).contains(requestCount), "an hour, \(requestCount) requests")
        for state in Set(states) {
            if case .offline = state { continue }
            #expect(state == .connecting, "during an attempt")
        }
        // The next attempt is announced and takes place.
        #expect(
            try await eventually {
                phone.clock.advance(by: 1)
                if case .offline(_, let next?) = phone.inbox.connectionState { return next <= phone.clock.after(600) }
                return false
            }
        )
        network.recover(phone)
        #expect(
            try await eventually {
                phone.clock.advance(by: 5)
                guard phone.inbox.connectionState == .live else { return false }
                guard try await phone.inbox.status().pendingWrites == 0 else { return false }
                return try await phone.ids(knowsServer ? .archived : .inbox) == ["a"]
            }
        )
        #expect(server.appliedWrites.count == (knowsServer ? 1 : 0))
    }

    @Test func `a manual sync reaches a recovered server at once, and so does the stream`() async throws {
        let network = Network()
        let phone = try await phone(network, knowsServer: true, fault: .unreachable)
        try await advance(3_600, phone, network)
        network.recover(phone)
        try await phone.inbox.sync()
        #expect(try await eventually { phone.inbox.connectionState == .live })
        #expect(server.messages.first?.archivedAt != nil)
    }

    @Test(.rulesOut(.novu2452, .novu5074, .courierReact512))
    func `a day of sleep with an open stream costs one reconnection and one sync`() async throws {
        let network = Network()
        server.deliver(.at(-1, "before"))
        let phone = try await Device(server, stream: network.source) { $0.isLive = true }
        network.recover(phone)
        #expect(try await eventually { phone.inbox.connectionState == .live })
        #expect(try await eventually { try await phone.ids() == ["before"] })
        // Whether the stream opens before or after the end of the first round is random, and so is the number of
        // requests so far.
        try await settle(phone, network, checks: 250)
        let before = network.count(phone)
        server.deliver(.at(0, "a"))
        phone.clock.advance(by: 86_400)
        try await settle(phone, network)
        try await advance(10, tick: 1, phone, network)
        #expect(try await eventually { network.source.opened == 2 && phone.inbox.connectionState == .live })
        #expect(try await eventually { try await phone.ids() == ["a", "before"] })
        #expect((2...3).contains(network.count(phone) - before), "a stream, and one or two requests")
    }

    @Test func `without an event source, polling slows down until messages are read`() async throws {
        let network = Network()
        let phone = try await Device(server) { $0.isLive = true }
        #expect(try await eventually { phone.inbox.connectionState == .polling })
        try await advance(7_200, tick: 10, phone, network)
        let before = network.count(phone)
        try await advance(3_600, tick: 10, phone, network)
        let requestCount = network.count(phone) - before
        #expect((1...8).contains(requestCount), "an hour without an observer: \(requestCount)")
        try await settle(phone, network, checks: 250)
        let known = network.count(phone)
        server.deliver(.at(0, "a"))
        phone.clock.advance(by: 1)
        try await settle(phone, network, checks: 250)
        #expect(network.count(phone) == known, "the interval isn't over")
        _ = try await phone.inbox.messages()
        #expect(try await eventually { network.count(phone) > known }, "requested at once")
        #expect(try await eventually { try await phone.ids() == ["a"] })
    }

    @Test func `a clock that is set back delays no poll`() async throws {
        let network = Network()
        let phone = try await Device(server) { $0.isLive = true }
        #expect(try await eventually { phone.inbox.connectionState == .polling })
        try await advance(7_200, tick: 10, phone, network)
        let known = network.count(phone)
        phone.clock.advance(by: -86_400)
        #expect(try await eventually { network.count(phone) > known })
        let polled = network.count(phone)
        server.deliver(.at(-86_400, "a"))
        try await advance(3_600, tick: 10, phone, network)
        #expect(network.count(phone) > polled)
        #expect(try await phone.ids() == ["a"])
    }

    @Test func `a list that is opened between two polls is polled for at once, and once`() async throws {
        let network = Network()
        let phone = try await Device(server) { $0.isLive = true }
        #expect(try await eventually { phone.inbox.connectionState == .polling })
        try await advance(7_200, tick: 10, phone, network)
        // The interval is long by now, and has just begun.
        let before = network.count(phone)
        while network.count(phone) == before { try await advance(10, tick: 10, phone, network) }
        try await advance(60, tick: 10, phone, network)
        server.deliver(.at(0, "a"))
        try await settle(phone, network, checks: 250)
        let known = network.count(phone)
        let shown = Locked<[String]>([])
        func open() -> Task<Void, any Error> {
            Task {
                for try await snapshot in phone.inbox.observe(.unread) {
                    shown.withLock { $0 = snapshot.items.map(\.id) }
                }
            }
        }
        var screens = [open()]
        defer { for screen in screens { screen.cancel() } }
        #expect(try await eventually { shown.withLock { $0 } == ["a"] }, "requested at once")
        try await settle(phone, network, checks: 250)
        let polled = network.count(phone)
        #expect((1...2).contains(polled - known), "one poll, and what it says is there")
        // What other screens show is as new.
        for _ in 0..<20 {
            screens.append(open())
            try await settle(phone, network)
        }
        try await settle(phone, network, checks: 250)
        #expect(network.count(phone) == polled)
    }

    @Test func `a change of network breaks the stream and nothing else`() async throws {
        let network = Network()
        let phone = try await Device(server, stream: network.source) { $0.isLive = true }
        #expect(try await eventually { phone.inbox.connectionState == .live })
        for round in 1...5 {
            server.deliver(.at(Double(round), "m\(round)"))
            network.fail(phone, .unreachable)
            #expect(
                try await eventually {
                    if case .offline = phone.inbox.connectionState { return true }
                    return false
                }
            )
            network.recover(phone)
            try await advance(60, tick: 1, phone, network)
            #expect(try await eventually { phone.inbox.connectionState == .live })
            #expect(try await eventually { try await phone.ids().count == round })
        }
    }

    @Test func `a refused token is replaced once, then no request is sent until a sign-in`() async throws {
        server.deliver(.at(0, "a"))
        let requestCount = Locked(0)
        let isGood = Locked(true)
        let network = Network()
        let tokens = Tokens {
            requestCount.withLock { $0 += 1 }
            return isGood.withLock { $0 } ? "good" : "bad"
        }
        let phone = try await Device(server, stream: network.source, tokens: tokens) { $0.isLive = true }
        #expect(try await eventually { phone.inbox.connectionState == .live })
        #expect(try await eventually { try await phone.ids() == ["a"] })
        try await settle(phone, network)
        #expect(requestCount.withLock { $0 } == 1)
        isGood.withLock { $0 = false }
        phone.transport.answer { TransportResponse(status: 401, url: $0.url) }
        phone.transport.answerStreams { _ in TransportStream(status: 401, body: AsyncThrowingStream { $0.finish() }) }
        network.source.interrupt()
        try await phone.inbox.archive("a")
        #expect(
            try await eventually {
                phone.clock.advance(by: 1)
                return phone.inbox.connectionState == Self.refused
            }
        )
        try await settle(phone, network)
        #expect(requestCount.withLock { $0 } == 2)
        let before = network.count(phone)
        let states = try await advance(3_600, tick: 60, phone, network)
        #expect(network.count(phone) == before, "the app is asked for tokens, the server isn't called")
        #expect((10...25).contains(requestCount.withLock { $0 } - 2))
        #expect(Set(states) == [Self.refused])
        #expect(try await phone.inbox.status().pendingWrites == 1)
        isGood.withLock { $0 = true }
        network.recover(phone)
        let earlierRequests = requestCount.withLock { $0 }
        try await phone.inbox.sync()
        #expect(requestCount.withLock { $0 } == earlierRequests + 1)
        #expect(try await phone.inbox.status().pendingWrites == 0)
        #expect(try await eventually { phone.inbox.connectionState == .live })
    }

    /// - Parameter pollsOnly: Whether the server has no event source.
    @Test(arguments: [true, false])
    func `a refused token is replaced by the next valid one without a manual sync`(pollsOnly: Bool) async throws {
        server.deliver(.at(0, "a"))
        let token = Locked("first")
        let network = Network()
        let tokens = Tokens { token.withLock { $0 } }
        let phone = try await Device(server, stream: pollsOnly ? nil : network.source, tokens: tokens) {
            $0.isLive = true
        }
        let good: ConnectionState = pollsOnly ? .polling : .live
        #expect(try await eventually { phone.inbox.connectionState == good })
        #expect(try await eventually { try await phone.ids() == ["a"] })
        try await settle(phone, network)
        let problem = #"{"type":"https://swift-inbox.example/problems/token-expired","title":"Expired"}"#
        let isGood: @Sendable (TransportRequest) -> Bool = { $0.headers["Authorization"] == "Bearer third" }
        phone.transport.answer { [server] request in
            if isGood(request) { return server.answer(request) }
            return TransportResponse(status: 401, body: Array(problem.utf8), url: request.url)
        }
        if !pollsOnly {
            phone.transport.answerStreams { [network] request in
                if isGood(request) { return network.source.open() }
                let body = AsyncThrowingStream<[UInt8], any Error> {
                    $0.yield(Array(problem.utf8))
                    $0.finish()
                }
                return TransportStream(status: 401, body: body)
            }
            network.source.interrupt()
        }
        try await phone.inbox.archive("a")
        let expired = ConnectionState.unauthorized(reason: TokenRefusal(.expired))
        #expect(
            try await eventually {
                phone.clock.advance(by: 1)
                return phone.inbox.connectionState == expired
            }
        )
        // Another invalid token is detected and isn't used again.
        token.withLock { $0 = "second" }
        try await advance(600, tick: 5, phone, network)
        #expect(phone.inbox.connectionState == expired)
        let requestCount = phone.transport.requests.filter { $0.headers["Authorization"] == "Bearer second" }.count
        #expect((1...4).contains(requestCount), "a round and a stream, each with one repeat: \(requestCount)")
        token.withLock { $0 = "third" }
        #expect(
            try await eventually {
                phone.clock.advance(by: 5)
                return phone.inbox.connectionState == good
            }
        )
        #expect(try await eventually { try await phone.inbox.status().pendingWrites == 0 })
        #expect(server.messages.first?.archivedAt != nil)
    }

    @Test func `a session that is renewed without a network reconnects by itself`() async throws {
        server.deliver(.at(0, "a"))
        let network = Network()
        let phone = try await Device(server, stream: network.source) { $0.isLive = true }
        #expect(try await eventually { phone.inbox.connectionState == .live })
        #expect(try await eventually { try await phone.ids() == ["a"] })
        phone.transport.answer { TransportResponse(status: 401, url: $0.url) }
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(phone.inbox.connectionState == Self.refused)
        // The stream ends too and isn't opened again.
        network.source.interrupt()
        try await advance(60, phone, network)
        #expect(network.source.opened == 1)
        network.fail(phone, .unreachable)
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        try await advance(60, phone, network)
        server.deliver(.at(1, "b"))
        network.recover(phone)
        #expect(
            try await eventually {
                phone.clock.advance(by: 5)
                guard phone.inbox.connectionState == .live else { return false }
                return try await phone.ids() == ["b", "a"]
            }
        )
    }

    @Test(arguments: [true, false])
    func `a throwing token closure is called with growing pauses until it recovers`(knowsServer: Bool) async throws {
        struct BackendUnavailable: Error {}
        server.deliver(.at(0, "a"))
        let (requestCount, isAway) = (Locked(0), Locked(!knowsServer))
        let network = Network()
        let tokens = Tokens {
            requestCount.withLock { $0 += 1 }
            if isAway.withLock({ $0 }) { throw BackendUnavailable() }
            return "token"
        }
        let phone = try await Device(server, stream: network.source, tokens: tokens) { $0.isLive = true }
        if knowsServer {
            #expect(try await eventually { try await phone.ids() == ["a"] })
            #expect(try await eventually { phone.inbox.connectionState == .live })
            try await settle(phone, network)
            isAway.withLock { $0 = true }
            phone.transport.answer { TransportResponse(status: 401, url: $0.url) }
            phone.transport.answerStreams { _ in
                TransportStream(status: 401, body: AsyncThrowingStream { $0.finish() })
            }
            network.source.interrupt()
            try await phone.inbox.archive("a")
        }
        #expect(
            try await eventually {
                phone.clock.advance(by: 1)
                if case .offline(let reason, _?) = phone.inbox.connectionState { return reason.code == .noToken }
                return false
            }
        )
        let before = requestCount.withLock { $0 }
        let states = try await advance(3_600, phone, network)
        #expect((4...70).contains(requestCount.withLock { $0 } - before))
        #expect(!states.contains(Self.refused))
        let error = await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(error?.code == .noToken)
        isAway.withLock { $0 = false }
        network.recover(phone)
        #expect(
            try await eventually {
                phone.clock.advance(by: 5)
                guard phone.inbox.connectionState == .live else { return false }
                guard try await phone.inbox.status().pendingWrites == 0 else { return false }
                return try await phone.ids(knowsServer ? .archived : .inbox) == ["a"]
            }
        )
    }
}
