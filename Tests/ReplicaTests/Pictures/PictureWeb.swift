import Foundation
import Groundwork
import ReplicaTesting

/// A web with pictures, and a record of the requests for them.
final class PictureWeb: Sendable {
    struct Answer: Sendable {
        var status = 200
        var headers: [String: String] = [:]
        var body: [UInt8] = []
        /// The URL of the response, if the transport has followed a redirect by itself.
        var url: String?
    }

    private struct State {
        var answers: [String: Answer] = [:]
        var waiting: [CheckedContinuation<Void, Never>] = []
        var holds = false
        var running = 0
        var mostRunning = 0
    }

    // Guarded by its lock: tests change it during requests.
    private let state = Locked(State())
    let transport: ScriptedTransport

    init() {
        let state = state
        transport = ScriptedTransport { request in
            let holds = state.withLock { state in
                state.running += 1
                state.mostRunning = max(state.mostRunning, state.running)
                return state.holds
            }
            defer { state.withLock { $0.running -= 1 } }
            if holds { await withCheckedContinuation { held in state.withLock { $0.waiting.append(held) } } }
            guard let answer = state.withLock({ $0.answers[request.url.absoluteString] }) else {
                throw TransportError.unreachable("no such server")
            }
            return TransportResponse(
                status: answer.status,
                headers: answer.headers,
                body: answer.body,
                url: answer.url.flatMap { URL(string: $0) } ?? request.url
            )
        }
    }

    func put(_ address: String, _ answer: Answer) { state.withLock { $0.answers[address] = answer } }

    func put(_ address: String, size: Int = 20) { put(address, Answer(body: gif(size))) }

    /// Lets requests wait from now on, or lets those that wait continue.
    func hold(_ holds: Bool) {
        let waiting = state.withLock { state in
            state.holds = holds
            defer { state.waiting = [] }
            return state.waiting
        }
        for held in waiting { held.resume() }
    }

    /// The number of requests that wait.
    var held: Int { state.withLock { $0.waiting.count } }

    /// The greatest number of requests at the same time.
    var mostRunning: Int { state.withLock { $0.mostRunning } }

    /// The addresses that were requested, in order.
    var requested: [String] { transport.requests.map(\.url.absoluteString) }
}

/// A picture of a number of bytes.
func gif(_ size: Int) -> [UInt8] { Array("GIF89a".utf8) + [UInt8](repeating: 0, count: size - 6) }
