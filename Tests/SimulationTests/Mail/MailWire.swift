import Foundation
import Groundwork
import StandardMailServer

/// The network between one process and the mail server, with the faults that the world plans.
final class MailWire: Transport {
    /// What happens to a request or its answer.
    enum Fault: Sendable {
        /// The server never gets it.
        case lost
        /// The server gets it later, when no one waits for the answer.
        case delayed
        /// The server gets it, and again later.
        case repeated
        /// The server gets a request to send twice, and the process the answer to the second copy.
        case doubled
        /// The server answers with 503 before it processes anything.
        case refused
        /// The answer is lost.
        case answerLost
        /// The server dies between two calls of the request.
        case serverDies
        /// The process dies before the request, or after its answer.
        case dies, diesAfterwards
    }

    private struct State: Sendable {
        var plan: (fault: Fault, after: Int)?
        var delayed: [TransportRequest] = []
        var isOffline = false
        var interrupted = 0
        var hasLostAttempt = false
    }

    private let server: StandardMailServer
    private let lifetime: ProcessLifetime
    // Guarded by the lock: requests of one process run concurrently.
    private let state = Locked(State())

    init(_ server: StandardMailServer, _ lifetime: ProcessLifetime) {
        (self.server, self.lifetime) = (server, lifetime)
    }

    /// The number of requests during which the server died.
    var interrupted: Int { state.withLock { $0.interrupted } }

    /// Whether a process didn't learn what the server did about a request to send.
    var hasLostAttempt: Bool { state.withLock { $0.hasLostAttempt } }

    func plan(_ fault: Fault?, after requests: Int = 0) {
        state.withLock { $0.plan = fault.map { ($0, requests) } }
    }

    func setOffline(_ isOffline: Bool) { state.withLock { $0.isOffline = isOffline } }

    /// Takes the requests that the server hasn't received yet.
    func takeDelayed() -> [TransportRequest] {
        state.withLock { state in
            defer { state.delayed = [] }
            return state.delayed
        }
    }

    private func nextFault(for request: TransportRequest) -> Fault? {
        state.withLock { state in
            guard let plan = state.plan else { return nil }
            // Only requests that change something are interesting late, or to a dying server.
            let isSending = String(decoding: request.body ?? [], as: UTF8.self).contains("EmailSubmission/set")
            guard plan.after <= 0, request.body != nil, isSending || plan.fault != .doubled else {
                state.plan = (plan.fault, plan.after - 1)
                return nil
            }
            state.plan = nil
            if case .serverDies = plan.fault { state.interrupted += 1 }
            if [.delayed, .repeated].contains(plan.fault) { state.delayed.append(request) }
            if isSending, ![.repeated, .doubled].contains(plan.fault) { state.hasLostAttempt = true }
            return plan.fault
        }
    }

    func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
        try lifetime.checkAlive()
        if state.withLock({ $0.isOffline }) { throw TransportError.unreachable("offline") }
        let fault = nextFault(for: request)
        switch fault {
        case .lost, .delayed: throw TransportError.unreachable("lost")
        case .refused: return TransportResponse(status: 503, url: request.url)
        case .dies:
            lifetime.kill()
            throw ProcessKilled()
        case .serverDies: server.behave { $0.dies = 1 }
        case .doubled: _ = server.answer(request)
        case .repeated, .answerLost, .diesAfterwards, nil: break
        }
        let answer = server.answer(request)
        server.behave { $0.dies = nil }
        if ProcessInfo.processInfo.environment["SIMULATION_SEED"] != nil {
            print("> \(String(decoding: request.body ?? [], as: UTF8.self).prefix(1_500))")
            print("< \(String(decoding: answer.body, as: UTF8.self).prefix(1_500))")
        }
        switch fault {
        case .answerLost: throw TransportError.unreachable("the answer was lost")
        case .diesAfterwards:
            lifetime.kill()
            throw ProcessKilled()
        default: break
        }
        try lifetime.checkAlive()
        return answer
    }

    func stream(_ request: TransportRequest) async throws -> TransportStream {
        guard request.url.path.hasPrefix("/download/") else {
            throw TransportError.unreachable("there are no event streams in a simulation")
        }
        let answer = try await send(request, maxBytes: .max)
        let body = AsyncThrowingStream<[UInt8], any Error> { stream in
            stream.yield(answer.body)
            stream.finish()
        }
        return TransportStream(status: answer.status, headers: answer.headers, body: body)
    }
}
