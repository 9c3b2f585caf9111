package import Groundwork

/// A device's transport to a real server. A test can disconnect it, hold requests, and read requests and responses.
package final class TestTransport: Transport {
    private struct State {
        var isDisconnected = false
        var isHeld = false
        var requests: [String] = []
        var answers: [String] = []
    }

    // Guarded by the lock: a test changes it while requests run.
    private let state = Locked(State())
    private let system = URLSessionTransport()

    package init() {}

    /// Whether every request fails.
    package var isDisconnected: Bool {
        get { state.withLock { $0.isDisconnected } }
        set { state.withLock { $0.isDisconnected = newValue } }
    }

    /// Whether new requests wait until they are cancelled.
    package var isHeld: Bool {
        get { state.withLock { $0.isHeld } }
        set { state.withLock { $0.isHeld = newValue } }
    }

    /// The bodies of the requests so far, including failed ones, without event streams.
    package var requests: [String] { state.withLock { $0.requests } }
    /// The bodies of the responses so far, without event streams.
    package var answers: [String] { state.withLock { $0.answers } }

    package func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
        state.withLock { $0.requests.append(String(decoding: request.body ?? [], as: UTF8.self)) }
        try await checkConnection()
        let answer = try await system.send(request, maxBytes: maxBytes)
        state.withLock { $0.answers.append(String(decoding: answer.body, as: UTF8.self)) }
        return answer
    }

    package func stream(_ request: TransportRequest) async throws -> TransportStream {
        try await checkConnection()
        return try await system.stream(request)
    }

    private func checkConnection() async throws {
        // The caller's deadline cancels it.
        if isHeld { try await Task.sleep(for: .seconds(3_600)) }
        if isDisconnected { throw TransportError.unreachable("the device is disconnected") }
    }
}
