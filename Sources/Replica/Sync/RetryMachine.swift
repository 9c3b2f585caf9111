package import Foundation

/// The time of the next attempt after failures.
///
/// A state machine without a clock or randomness of its own. The n-th consecutive failure is followed by a wait of up
/// to 2ⁿ⁻¹ seconds, at most ``maxDelay``. Half of it is fixed and half is jitter, so that devices that failed
/// together don't retry together. The wait isn't shorter than a server's `Retry-After`, up to ``maxRetryAfter``.
///
/// A rejected token isn't sent again. The app is asked for another one after up to 10 seconds, and then after twice as
/// long each time, with the same jitter and up to the same ``maxDelay``.
package struct RetryMachine: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// An attempt may begin at once.
        case ready
        /// Failures require a wait until that time.
        case waiting(until: Date, failures: Int, isRequestedByServer: Bool)
        /// The server rejected the token. Nothing is sent. From that time on, the app is asked for another token.
        case paused(requestingAt: Date)
    }

    /// The longest wait, in seconds.
    package static let maxDelay = 300.0
    /// The longest `Retry-After` that is obeyed, in seconds.
    package static let maxRetryAfter = 3_600.0

    /// The longest first wait before the app is asked for another token, in seconds.
    package static let firstTokenDelay = 10.0

    package private(set) var state: State = .ready
    /// The number of consecutive tokens that were rejected or not returned.
    private var refusals = 0

    package init() {}

    package mutating func succeeded() {
        (state, refusals) = (.ready, 0)
    }

    /// Records a failure.
    ///
    /// - Parameters:
    ///   - isRetryable: Whether an attempt with the same token may succeed.
    ///   - retryAfter: The wait that the server requested, in seconds.
    ///   - jitter: A random number from 0 up to 1.
    package mutating func failed(isRetryable: Bool, retryAfter: Double?, at now: Date, jitter: Double) {
        guard isRetryable else {
            // All requests that were under way together are rejected.
            if case .paused = state { return }
            pause(at: now, jitter: jitter)
            return
        }
        var failures = 1
        if case .waiting(_, let earlier, _) = state { failures = earlier + 1 }
        let full = min(Self.maxDelay, pow(2, Double(min(failures, 20) - 1)))
        let delay = max(full / 2 * (1 + jitter), min(retryAfter ?? 0, Self.maxRetryAfter))
        state = .waiting(
            until: now.addingTimeInterval(delay),
            failures: failures,
            isRequestedByServer: retryAfter != nil
        )
    }

    private mutating func pause(at now: Date, jitter: Double) {
        refusals += 1
        let full = min(Self.maxDelay, Self.firstTokenDelay * pow(2, Double(min(refusals, 20) - 1)))
        state = .paused(requestingAt: now.addingTimeInterval(full / 2 * (1 + jitter)))
    }

    /// Records that the app was asked for another token, and returned none or the rejected one.
    package mutating func noTokenReceived(at now: Date, jitter: Double) {
        guard case .paused = state else { return }
        pause(at: now, jitter: jitter)
    }

    /// Records that the app returned another token, which may be tried at once. Until the server accepts it, the
    /// earlier rejections count.
    package mutating func tokenReceived() {
        guard case .paused = state else { return }
        state = .ready
    }

    /// The time at which to ask the app for another token; nil if none was rejected.
    package var tokenRequest: Date? {
        if case .paused(let time) = state { time } else { nil }
    }

    /// Ends a wait, after a manual request or a change of the token. A wait that the server requested continues.
    package mutating func retryNow() {
        if case .waiting(_, _, isRequestedByServer: true) = state { return }
        if case .waiting(_, let failures, _) = state {
            state = .waiting(until: .distantPast, failures: failures, isRequestedByServer: false)
        } else {
            (state, refusals) = (.ready, 0)
        }
    }

    /// Returns the time of the next attempt; nil until there is another token or ``retryNow()`` is called.
    ///
    /// No wait is longer than ``maxRetryAfter``: if it seems to be, the device's clock was set back, and it is over.
    package func earliest(at now: Date) -> Date? {
        switch state {
        case .ready: now
        case .waiting(let until, _, _):
            until.timeIntervalSince(now) > Self.maxRetryAfter ? now : max(now, until)
        case .paused: nil
        }
    }
}
