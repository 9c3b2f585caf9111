import Groundwork

/// A transport that measures the time during which requests are in flight.
final class MeasuredTransport: Transport {
    struct Figures: Sendable {
        var requests = 0
        /// The total size of the responses' bodies.
        var bytes = 0
        /// The time in seconds during which at least one request was in flight.
        var waiting = 0.0
        fileprivate var open = 0
        fileprivate var since = ContinuousClock.now

        static func + (one: Figures, other: Figures) -> Figures { one.adding(other, 1) }
        static func - (one: Figures, other: Figures) -> Figures { one.adding(other, -1) }

        private func adding(_ other: Figures, _ sign: Int) -> Figures {
            var sum = self
            sum.requests += sign * other.requests
            sum.bytes += sign * other.bytes
            sum.waiting += Double(sign) * other.waiting
            return sum
        }
    }

    private let base: any Transport
    private let state = Locked(Figures())

    init(_ base: any Transport) { self.base = base }

    var figures: Figures { state.withLock { $0 } }

    func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
        begin()
        defer { end() }
        let response = try await base.send(request, maxBytes: maxBytes)
        state.withLock { $0.bytes += response.body.count }
        return response
    }

    func stream(_ request: TransportRequest) async throws -> TransportStream { try await base.stream(request) }

    private func begin() {
        state.withLock { state in
            if state.open == 0 { state.since = .now }
            state.open += 1
            state.requests += 1
        }
    }

    private func end() {
        state.withLock { state in
            state.open -= 1
            if state.open == 0 { state.waiting += (ContinuousClock.now - state.since).seconds }
        }
    }
}
