import Foundation
import Groundwork
import HTTPTypes
import Hummingbird
import InboxService
import Logging

/// Limits guesses of API keys: attempts with invalid keys are paced by address, counted and logged.
final class KeyAttempts: Sendable {
    private struct State: Sendable {
        var limiter: AttemptLimiter
        var log = LogRateLimiter()
    }

    private let clock: any WallClock
    private let logger: Logger
    private let counts: AuditCounts
    // Accessed only in `withLock`, from any thread.
    private let state: Locked<State>

    init(limit: AttemptLimit, clock: any WallClock, logger: Logger, counts: AuditCounts) {
        (self.clock, self.logger, self.counts) = (clock, logger, counts)
        state = Locked(State(limiter: AttemptLimiter(limit)))
    }

    /// Records an attempt from the client of the current request.
    ///
    /// - Parameter holder: The key's holder, or nil if the key is invalid.
    /// - Throws: ``Problem`` 429 if the address has to wait.
    func admit(_ holder: APIKeys.Holder?) throws {
        let (now, client) = (clock.now, ClientAddress.current)
        let wait = client.flatMap { client in
            state.withLock { $0.limiter.admit(holder?.id, from: client, at: now) }
        }
        if holder == nil { record(client, isAdmitted: wait == nil, now) }
        guard let wait else { return }
        throw Problem(
            .tooManyRequests,
            "Too many requests with invalid API keys came from this address. Try again later.",
            kind: .tooManyAttempts,
            headers: [.retryAfter: String(Int(secondsOfWait: wait))]
        )
    }

    private func record(_ client: ClientAddress?, isAdmitted: Bool, _ now: Date) {
        counts.record(.keyRejected, reason: isAdmitted ? "wrong" : "too-many-attempts")
        guard let dropped = state.withLock({ $0.log.admit(at: now) }) else { return }
        var metadata: Logger.Metadata = ["address": "\(client.map { "\($0)" } ?? "unknown")"]
        if dropped > 0 { metadata["leftOut"] = "\(dropped)" }
        logger.notice("an API key was rejected", metadata: metadata)
    }
}
