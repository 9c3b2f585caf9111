package import Groundwork
package import Logging

/// Notes in the log why people's tokens are refused: the reason, never the token, nor whose it is.
///
/// Each reason has a ``LogPace`` of its own, so that many garbled tokens don't hide the first expired one.
package final class RefusalLog: Sendable {
    private let logger: Logger
    private let clock: any WallClock
    private let counts: AuditCounts?
    // As many as there are reasons. Reached in `withLock` alone, from any thread.
    private let paces = Locked<[TokenRejection.Reason: LogPace]>([:])

    /// - Parameter counts: Counts them for the audit log.
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
