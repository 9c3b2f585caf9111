import JMAP

/// The sending side of an engine: the key of the next batch, the limits of a request, and the counts of retryable
/// refusals.
///
/// A state machine without I/O.
struct SendState: Sendable {
    /// The part of the keys of batches that identifies the engine.
    private let epoch: String
    private var nextNumber = 1
    private var refusals = RetryableRefusals()
    var limits = SendLimits()

    init(epoch: String) { self.epoch = epoch }

    /// The key of the next batch.
    var key: Batch { Batch(epoch: epoch, number: nextNumber) }

    /// Records that a batch was sealed under ``key``.
    mutating func keyUsed() { nextNumber += 1 }

    /// Returns an answer with final refusals in place of retryable ones that were repeated too often.
    mutating func apply(_ answer: SyncResponse, of type: RecordType) -> SyncResponse {
        var answer = answer
        if case .answered(let refused, let later, let rest) = answer.writes {
            let decided = refusals.classify(refused: refused, later: later, of: type.name)
            answer.writes = .answered(refused: decided.refused, later: decided.later, bulkPosition: rest)
        }
        if case .answered(let refused, let later) = answer.queued, let queue = type.queue {
            let decided = refusals.classify(refused: refused, later: later, of: queue.name)
            answer.queued = .answered(refused: decided.refused, later: decided.later)
        }
        return answer
    }
}
