package import Foundation

/// When to try again: a state machine without clock or chance of its own.
///
/// The n-th failure in a row is followed by a wait of up to 2ⁿ⁻¹ seconds, at most ``longestDelay``, of which half is fixed and half chance,
/// so that devices that failed together don't come back together. A server's `Retry-After` is never undercut.
package struct RetryMachine: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// Nothing stands in the way.
        case ready
        /// After failures: not before that time.
        case waiting(until: Date, failures: Int, isServersWish: Bool)
        /// Somebody has to do something first, such as signing in.
        case paused
    }

    /// In seconds.
    package static let longestDelay = 300.0
    /// The longest `Retry-After` that is believed, in seconds.
    package static let longestWish = 3_600.0

    package private(set) var state: State = .ready

    package init() {}

    package mutating func succeeded() {
        state = .ready
    }

    /// - Parameters:
    ///   - isPassing: Whether trying again by itself can help.
    ///   - retryAfter: What the server asks for, in seconds.
    ///   - chance: From 0 up to 1.
    package mutating func failed(isPassing: Bool, retryAfter: Double?, at now: Date, chance: Double) {
        guard isPassing else {
            state = .paused
            return
        }
        var failures = 1
        if case .waiting(_, let earlier, _) = state { failures = earlier + 1 }
        let full = min(Self.longestDelay, pow(2, Double(min(failures, 20) - 1)))
        let delay = max(full / 2 * (1 + chance), min(retryAfter ?? 0, Self.longestWish))
        state = .waiting(
            until: now.addingTimeInterval(delay),
            failures: failures,
            isServersWish: retryAfter != nil
        )
    }

    /// Someone asked by hand, or the token changed: what isn't the server's wish no longer holds.
    package mutating func retryNow() {
        if case .waiting(_, _, isServersWish: true) = state { return }
        if case .waiting(_, let failures, _) = state {
            state = .waiting(until: .distantPast, failures: failures, isServersWish: false)
        } else {
            state = .ready
        }
    }

    /// How long to wait before the next try: nil for as long as it takes, until someone says ``retryNow()``.
    package func earliest(at now: Date) -> Date? {
        switch state {
        case .ready: now
        case .waiting(let until, _, _): max(now, until)
        case .paused: nil
        }
    }
}
