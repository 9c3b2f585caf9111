import Foundation
import Logging
import Replica

/// The log of drafts that are saved and sent: refusals, failures that are retried, and sent mails.
///
/// Its entries follow the rules of `SyncLog`: no text, address or id.
struct OutboxLog: Sendable {
    private let log: SyncLog

    init(_ log: SyncLog) {
        self.log = log
    }

    /// Logs the progress of a draft.
    ///
    /// - Parameter error: The failure after which it is retried, if it is known.
    func changed(from earlier: DraftJob, to job: DraftJob, after error: SyncError? = nil) {
        if job.outcome != earlier.outcome {
            switch job.outcome {
            case .sent: log.logger.debug("mail sent")
            case .refused(let refusal):
                log.logger.warning("mail refused", metadata: ["refusal": "\(refusal.code)"])
            case .unknown: log.logger.warning("mail may have been sent")
            case nil: break
            }
        }
        if let revision = job.unsavableRevision, revision != earlier.unsavableRevision {
            log.logger.warning("draft refused")
        }
        if job.discardRefusal != nil, earlier.discardRefusal == nil {
            log.logger.warning("draft not removed")
        }
        if job.moveRefusal != nil, earlier.moveRefusal == nil {
            log.logger.warning("sent mail is still among the drafts")
        }
        if job.copyRefusal != nil, earlier.copyRefusal == nil {
            log.logger.warning("sent mail doesn't name its hidden recipients")
        }
        if let retry = job.retry, retry != earlier.retry, retry.failures > 0 {
            var metadata: Logger.Metadata = ["failures": "\(retry.failures)"]
            let wait = retry.since.map { Double(retry.notBefore - $0) / 1_000 }
            if let error {
                log.failed("draft will be retried", error, retryIn: wait, metadata: metadata)
            } else {
                if let wait { metadata["retryIn"] = "\(wait)" }
                log.logger.info("draft will be retried", metadata: metadata)
            }
        }
    }

    /// Logs that the outbox couldn't work.
    ///
    /// - Parameter retryAt: The time of the next attempt.
    func failed(_ error: any Error, at now: Date, retryAt: Date?) {
        log.failed("outbox failed", error, retryIn: retryAt?.timeIntervalSince(now))
    }
}
