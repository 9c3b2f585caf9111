package import Groundwork
package import Logging

/// Logs why people's tokens are rejected: the reason, but neither the token nor its person.
///
/// Each reason has a ``LogPace`` of its own, so that many malformed tokens don't hide the first expired one.
package final class RefusalLog: Sendable {
    private let logger: Logger
    private let clock: any WallClock
    private let counts: AuditCounts?
    // At most one entry per reason. Accessed from any thread, only in `withLock`.
    private let paces = Locked<[TokenRejection.Reason: LogPace]>([:])

    /// Creates the log.
    ///
    /// - Parameter counts: The counts of the audit log, to which the rejections are added.
    package init(logger: Logger, clock: any WallClock, counts: AuditCounts? = nil) {
        (self.logger, self.clock, self.counts) = (logger, clock, counts)
    }

    package func note(_ refusal: TokenRejection) {
        counts?.note(.tokenRefused, reason: refusal.reason.rawValue)
        let now = clock.now
        guard let leftOut = paces.withLock({ $0[refusal.reason, default: LogPace()].take(at: now) }) else { return }
        var metadata: Logger.Metadata = ["reason": "\(refusal.reason.rawValue)", "detail": "\(refusal)"]
        if leftOut > 0 { metadata["leftOut"] = "\(leftOut)" }
        logger.notice("a person's token was refused", metadata: metadata)
    }
}
