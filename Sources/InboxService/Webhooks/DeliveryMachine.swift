package import Foundation

/// The decision after an attempt to deliver a payload, without a clock, randomness or network of its own.
///
/// A payload is attempted ``attempts`` times within about three days. A 2xx ends the delivery. So does a 410, after
/// which the webhook receives nothing more (Standard Webhooks 1.0.0, "Delivery success and failure"). Any other status
/// is retried, not before the time that the receiver requests.
package enum DeliveryMachine {
    /// The outcome of an attempt.
    package enum Outcome: Hashable, Sendable {
        /// The receiver has answered.
        ///
        /// - Parameter retryAfter: The receiver's `Retry-After`, in seconds.
        case responded(status: Int, retryAfter: Double?)
        /// A timeout, a refused or interrupted connection, or an invalid certificate. The webhook's owner can't see
        /// which, so that webhooks can't be used to scan a network.
        case failed
        /// The host name resolves to an address that webhooks must not use.
        case blockedAddress
    }

    package enum Decision: Hashable, Sendable {
        case delivered
        /// The payload is posted again at a time.
        ///
        /// - Parameter pausedUntil: The time until which the receiver requests no deliveries at all.
        case retry(at: Date, pausedUntil: Date?, reason: String)
        case dead(reason: String)
        /// The payload is dead, and the webhook is disabled.
        case gone(reason: String)

        /// The reason of the failure; nil if there is none.
        package var reason: String? {
            switch self {
            case .delivered: nil
            case .retry(_, _, let reason), .dead(let reason), .gone(let reason): reason
            }
        }
    }

    /// The back-off between attempts, in seconds. Jitter adds up to a tenth, so that payloads that failed together
    /// aren't retried together.
    static let backOff: [Double] = [5, 30, 120, 600, 3_600, 21_600, 43_200, 86_400, 86_400]
    package static var attempts: Int { backOff.count + 1 }
    /// The maximum `Retry-After` that is obeyed, in seconds.
    static let maxRetryAfter = 86_400.0

    /// Returns the decision after an attempt.
    ///
    /// - Parameters:
    ///   - attempt: The number of the attempt, from 1.
    ///   - jitter: A random number for the jitter, in `0..<1`.
    package static func decide(after outcome: Outcome, attempt: Int, now: Date, jitter: Double) -> Decision {
        var requestedPause: Double?
        let reason: String
        switch outcome {
        case .responded(status: 200..<300, _): return .delivered
        case .responded(status: 410, _): return .gone(reason: "status 410")
        case .responded(let status, let retryAfter):
            requestedPause = retryAfter.map { min(max($0, 0), maxRetryAfter) }
            reason = "status \(status)"
        case .failed: reason = "no answer"
        case .blockedAddress: reason = "not allowed"
        }
        guard backOff.indices.contains(attempt - 1) else { return .dead(reason: reason) }
        let pausedUntil = requestedPause.map { now.addingTimeInterval($0) }
        let next = now.addingTimeInterval(backOff[attempt - 1] * (1 + jitter / 10))
        return .retry(at: max(next, pausedUntil ?? next), pausedUntil: pausedUntil, reason: reason)
    }
}
