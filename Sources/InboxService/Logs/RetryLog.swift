package import Foundation
import Groundwork
package import Logging

/// The log of work that has failed and is tried again until it succeeds. Of each message it has ten lines at once, and
/// then one a minute, so that an outage of the database doesn't fill it.
package struct RetryLog: Sendable {
    private let logger: Logger
    // By message. Accessed only in `withLock`, from any thread.
    private let pace = Locked<[String: LogRateLimiter]>([:])

    package init(_ logger: Logger) {
        self.logger = logger
    }

    /// Logs a failure, unless others with the same message were logged a moment ago.
    package func record(
        _ error: any Error,
        as message: Logger.Message,
        at now: Date,
        _ metadata: Logger.Metadata = [:]
    ) {
        let limited = pace.withLock { $0["\(message)", default: LogRateLimiter()].admit(at: now) }
        guard let dropped = limited else { return }
        var metadata = metadata
        metadata["error"] = "\(error)"
        if dropped > 0 { metadata["leftOut"] = "\(dropped)" }
        logger.error(message, metadata: metadata)
    }
}
