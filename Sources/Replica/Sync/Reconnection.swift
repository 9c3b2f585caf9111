import Foundation

/// The wait between two attempts to open the event stream, and whether it can end early.
///
/// A state machine without I/O.
struct Reconnection: Hashable, Sendable {
    /// The end of an event stream.
    struct End: Sendable {
        /// The time at which it was requested.
        let requestedAt: Date
        /// Whether the server opened it.
        let wasOpen: Bool
        /// Nil if the server closed it, or the reason isn't known.
        let failure: SyncError?
    }

    /// The action before the next attempt.
    enum Step: Hashable, Sendable {
        /// Wait until there is another token, or a sync is requested.
        case awaitToken
        /// Wait until a time, or, if `endsEarly`, until the server is known to be reachable.
        case wait(until: Date, endsEarly: Bool)
    }

    private var retry = RetryMachine()
    /// Whether the last wait ended early.
    private var wasCutShort = false

    /// Records the end of a stream.
    ///
    /// A successful sync ends the wait for a server that couldn't be reached, once. It doesn't end the wait for a
    /// server that closes or refuses its streams: each opened stream, and each sync, would end it.
    ///
    /// - Parameters:
    ///   - ping: The interval of the server's pings, in seconds. A stream that lasted longer succeeded. One that the
    ///     server closes at once, repeatedly, did not.
    ///   - jitter: A random number from 0 up to 1.
    mutating func ended(_ end: End, ping: Int, at now: Date, jitter: Double) -> Step {
        if now.timeIntervalSince(end.requestedAt) > Double(ping) { retry.succeeded() }
        retry.failed(
            isRetryable: end.failure?.isRetryable ?? true,
            retryAfter: end.failure?.retryAfter,
            at: now,
            jitter: jitter
        )
        guard let nextTry = retry.earliest(at: now) else {
            retry = RetryMachine()
            return .awaitToken
        }
        return .wait(until: nextTry, endsEarly: !end.wasOpen && !wasCutShort && end.failure?.retryAfter == nil)
    }

    /// Records the end of a wait.
    mutating func waited(until time: Date, endsEarly: Bool, at now: Date) {
        wasCutShort = endsEarly && now < time
    }
}
