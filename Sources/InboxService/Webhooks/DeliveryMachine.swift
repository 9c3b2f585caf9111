package import Foundation

/// The decision after an attempt to deliver a payload, without a clock, randomness or network of its own.
///
/// A payload is tried ``attempts`` times within about three days. A 2xx ends it. So does a 410, after which the webhook
/// receives nothing more (Standard Webhooks 1.0.0, "Delivery success and failure"). Any other status is retried, not
/// before the time that the receiver requests.
package enum DeliveryMachine {
    /// What came of an attempt.
    package enum Outcome: Hashable, Sendable {
        /// - Parameter retryAfter: The receiver's `Retry-After`, in seconds.
        case answered(status: Int, retryAfter: Double?)
        /// Too late, refused, interrupted, or without a valid certificate. The webhook's owner doesn't learn which, so
        /// that webhooks can't be used to search a network.
        case unanswered
        /// Its name has an address that webhooks may not go to.
        case notAllowed
    }

    package enum Decision: Hashable, Sendable {
        case delivered
        /// - Parameter rest: Until when the receiver wants to be left alone altogether.
        case retry(at: Date, rest: Date?, reason: String)
        case dead(reason: String)
        /// Dead, and the webhook with it.
        case gone(reason: String)
    }

    /// The waits between the attempts, in seconds; up to a tenth is added by chance, so that what failed together
    /// doesn't come back together.
    static let waits: [Double] = [5, 30, 120, 600, 3_600, 21_600, 43_200, 86_400, 86_400]
    package static var attempts: Int { waits.count + 1 }
    /// The longest `Retry-After` that is obeyed, in seconds.
    static let longestRetryAfter = 86_400.0

    /// - Parameters:
    ///   - attempt: Which one it was, from 1.
    ///   - chance: From 0 up to 1.
    package static func decide(after outcome: Outcome, attempt: Int, now: Date, chance: Double) -> Decision {
        var requestedPause: Double?
        let reason: String
        switch outcome {
        case .answered(status: 200..<300, _): return .delivered
        case .answered(status: 410, _): return .gone(reason: "status 410")
        case .answered(let status, let retryAfter):
            requestedPause = retryAfter.map { min(max($0, 0), longestRetryAfter) }
            reason = "status \(status)"
        case .unanswered: reason = "no answer"
        case .notAllowed: reason = "not allowed"
        }
        guard waits.indices.contains(attempt - 1) else { return .dead(reason: reason) }
        let rest = requestedPause.map { now.addingTimeInterval($0) }
        let next = now.addingTimeInterval(waits[attempt - 1] * (1 + chance / 10))
        return .retry(at: max(next, rest ?? next), rest: rest, reason: reason)
    }
}
