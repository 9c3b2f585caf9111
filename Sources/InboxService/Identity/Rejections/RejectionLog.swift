package import Groundwork
package import Logging

/// Logs why people's tokens are rejected: the reason, but neither the token nor its person.
///
/// Each reason has a ``LogRateLimiter`` of its own, so that many malformed tokens don't hide the first expired one.
package final class RejectionLog: Sendable {
    private let logger: Logger
    private let clock: any WallClock
    private let counts: AuditCounts?
    // At most one entry per reason. Accessed from any thread, only in `withLock`.
    private let rateLimiters = Locked<[TokenRejection.Reason: LogRateLimiter]>([:])

    /// Creates the log.
    ///
    /// - Parameter counts: The counts of the audit log, to which the rejections are added.
    package init(logger: Logger, clock: any WallClock, counts: AuditCounts? = nil) {
        (self.logger, self.clock, self.counts) = (logger, clock, counts)
    }

    package func record(_ rejection: TokenRejection) {
        counts?.record(.tokenRejected, reason: rejection.reason.rawValue)
        let now = clock.now
        guard let dropped = rateLimiters.withLock({ $0[rejection.reason, default: LogRateLimiter()].admit(at: now) })
        else { return }
        var metadata: Logger.Metadata = ["reason": "\(rejection.reason.rawValue)", "detail": "\(rejection)"]
        if dropped > 0 { metadata["leftOut"] = "\(dropped)" }
        logger.notice("a person's token was rejected", metadata: metadata)
    }
}
