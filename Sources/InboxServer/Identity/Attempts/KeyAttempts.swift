import Foundation
import Groundwork
import HTTPTypes
import Hummingbird
import InboxService
import Logging

/// Limits guesses of API keys: attempts with invalid keys are paced by address, counted and logged.
final class KeyAttempts: Sendable {
    private struct State: Sendable {
        var pace: AttemptPace
        var log = LogPace()
    }

    private let clock: any WallClock
    private let logger: Logger
    private let counts: AuditCounts
    // Accessed only in `withLock`, from any thread.
    private let state: Locked<State>

    init(limit: AttemptLimit, clock: any WallClock, logger: Logger, counts: AuditCounts) {
        (self.clock, self.logger, self.counts) = (clock, logger, counts)
        state = Locked(State(pace: AttemptPace(limit)))
    }

    /// Records an attempt from the client of the current request.
    ///
    /// - Parameter holder: The key's holder, or nil if the key is invalid.
    /// - Throws: ``Problem`` 429 if the address has to wait.
    func admit(_ holder: APIKeys.Holder?) throws {
        let (now, client) = (clock.now, ClientAddress.current)
        let wait = client.flatMap { client in
            state.withLock { $0.pace.admit(holder?.id, from: client, at: now) }
        }
        if holder == nil { note(client, isAdmitted: wait == nil, now) }
        guard let wait else { return }
        throw Problem(
            .tooManyRequests,
            "Too many requests with wrong API keys came from this address. Try again later.",
            kind: .tooManyAttempts,
            headers: [.retryAfter: String(max(1, Int(wait.rounded(.up))))]
        )
    }

    private func note(_ client: ClientAddress?, isAdmitted: Bool, _ now: Date) {
        counts.note(.keyRefused, reason: isAdmitted ? "wrong" : "too-many-attempts")
        guard let leftOut = state.withLock({ $0.log.take(at: now) }) else { return }
        var metadata: Logger.Metadata = ["address": "\(client.map { "\($0)" } ?? "unknown")"]
        if leftOut > 0 { metadata["leftOut"] = "\(leftOut)" }
        logger.notice("an API key was refused", metadata: metadata)
    }
}
