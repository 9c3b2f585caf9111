import Foundation
import InboxService

/// The webhooks whose latest delivery failed: the first failure after a success is logged for an operator, the retries
/// of the next three days aren't. A state machine without I/O.
struct FailingWebhooks: Sendable {
    private struct State: Sendable {
        var isFailing = false
        var log = LogRateLimiter()
    }

    // Those that have failed since the start.
    private var states: [Int: State] = [:]

    /// Records a failed delivery.
    ///
    /// - Parameter webhook: The webhook's number.
    /// - Returns: Whether it is the first since a success, or since the start. For a receiver that fails now and then,
    ///   not every first failure counts.
    mutating func failed(_ webhook: Int, at now: Date) -> Bool {
        var state = states[webhook] ?? State()
        let isFirst = !state.isFailing && state.log.admit(at: now) != nil
        state.isFailing = true
        states[webhook] = state
        return isFirst
    }

    /// Records a delivery that succeeded.
    mutating func succeeded(_ webhook: Int) {
        states[webhook]?.isFailing = false
    }
}
