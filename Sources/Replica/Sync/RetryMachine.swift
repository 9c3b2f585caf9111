package import Foundation

/// When to try again: a state machine without clock or chance of its own.
///
/// The n-th failure in a row is followed by a wait of up to 2ⁿ⁻¹ seconds, at most ``longestDelay``, of which half is
/// fixed and half chance, so that devices that failed together don't come back together. A server's `Retry-After` is
/// never undercut.
///
/// After a refused token nothing is tried again with it. The app is asked for another one after up to 10 seconds, then
/// after twice as long each time, with the same chance and up to the same ``longestDelay``.
package struct RetryMachine: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// Nothing stands in the way.
        case ready
        /// After failures: not before that time.
        case waiting(until: Date, failures: Int, isRequestedByServer: Bool)
        /// The server doesn't take the token. Nothing is sent; from that time on, the app is asked for another token.
        case paused(askingAt: Date)
    }

    /// In seconds.
    package static let longestDelay = 300.0
    /// The longest `Retry-After` that is believed, in seconds.
    package static let longestRetryAfter = 3_600.0

    /// The first wait before the app is asked for another token is at most so long, in seconds.
    package static let firstTokenDelay = 10.0

    package private(set) var state: State = .ready
    /// How many tokens in a row were refused, or weren't given.
    private var refusals = 0

    package init() {}

    package mutating func succeeded() {
        (state, refusals) = (.ready, 0)
    }

    /// - Parameters:
    ///   - isRetryable: Whether trying again with the same token can help.
    ///   - retryAfter: What the server asks for, in seconds.
    ///   - chance: From 0 up to 1.
    package mutating func failed(isRetryable: Bool, retryAfter: Double?, at now: Date, chance: Double) {
        guard isRetryable else {
            // Of requests that were under way together, each is refused.
            if case .paused = state { return }
            pause(at: now, chance: chance)
            return
        }
        var failures = 1
        if case .waiting(_, let earlier, _) = state { failures = earlier + 1 }
        let full = min(Self.longestDelay, pow(2, Double(min(failures, 20) - 1)))
        let delay = max(full / 2 * (1 + chance), min(retryAfter ?? 0, Self.longestRetryAfter))
        state = .waiting(
            until: now.addingTimeInterval(delay),
            failures: failures,
            isRequestedByServer: retryAfter != nil
        )
    }

    private mutating func pause(at now: Date, chance: Double) {
        refusals += 1
        let full = min(Self.longestDelay, Self.firstTokenDelay * pow(2, Double(min(refusals, 20) - 1)))
        state = .paused(askingAt: now.addingTimeInterval(full / 2 * (1 + chance)))
    }

    /// The app was asked for another token, and gave none, or the refused one.
    package mutating func gotNoToken(at now: Date, chance: Double) {
        guard case .paused = state else { return }
        pause(at: now, chance: chance)
    }

    /// The app gave another token: it is tried now. Until it has been taken, the refusals before it count.
    package mutating func gotToken() {
        guard case .paused = state else { return }
        state = .ready
    }

    /// When to ask the app for another token; nil where none was refused.
    package var tokenRequest: Date? {
        if case .paused(let time) = state { time } else { nil }
    }

    /// Someone asked by hand, or the token changed: what isn't the server's wish no longer holds.
    package mutating func retryNow() {
        if case .waiting(_, _, isRequestedByServer: true) = state { return }
        if case .waiting(_, let failures, _) = state {
            state = .waiting(until: .distantPast, failures: failures, isRequestedByServer: false)
        } else {
            (state, refusals) = (.ready, 0)
        }
    }

    /// When the next try may begin: nil until there is another token, or someone says ``retryNow()``.
    package func earliest(at now: Date) -> Date? {
        switch state {
        case .ready: now
        case .waiting(let until, _, _): max(now, until)
        case .paused: nil
        }
    }
}
