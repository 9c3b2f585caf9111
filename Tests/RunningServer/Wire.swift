package import Groundwork

/// The way from a device to a server: real, but a test can cut it, hold it up and see what came over it.
package final class Wire: Transport {
    private struct State {
        var isCut = false
        var isHeld = false
        var requests: [String] = []
        var answers: [String] = []
    }

    // Guarded by the lock: a test changes it while requests are under way.
    private let state = Locked(State())
    private let system = URLSessionTransport()

    package init() {}

    /// Whether no request gets through.
    package var isCut: Bool {
        get { state.withLock { $0.isCut } }
        set { state.withLock { $0.isCut = newValue } }
    }

    /// Whether requests from now on get no answer, until they are cancelled.
    package var isHeld: Bool {
        get { state.withLock { $0.isHeld } }
        set { state.withLock { $0.isHeld = newValue } }
    }

    /// What was sent so far, also in vain; event streams left out.
    package var requests: [String] { state.withLock { $0.requests } }
    /// What came back so far; event streams left out.
    package var answers: [String] { state.withLock { $0.answers } }

    package func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
        state.withLock { $0.requests.append(String(decoding: request.body ?? [], as: UTF8.self)) }
        try await pass()
        let answer = try await system.send(request, maxBytes: maxBytes)
        state.withLock { $0.answers.append(String(decoding: answer.body, as: UTF8.self)) }
        return answer
    }

    package func stream(_ request: TransportRequest) async throws -> TransportStream {
        try await pass()
        return try await system.stream(request)
    }

    private func pass() async throws {
        // Cancelled by the deadline of whoever asks.
        if isHeld { try await Task.sleep(for: .seconds(3_600)) }
        if isCut { throw TransportError.unreachable("the wire is cut") }
    }
}
