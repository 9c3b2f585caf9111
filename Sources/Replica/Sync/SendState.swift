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
    mutating func settle(_ answer: SyncAnswer, of type: RecordType) -> SyncAnswer {
        var answer = answer
        if case .answered(let refused, let later, let rest) = answer.writes {
            let settled = refusals.settle(refused: refused, later: later, of: type.name)
            answer.writes = .answered(refused: settled.refused, later: settled.later, bulkPosition: rest)
        }
        if case .answered(let refused, let later) = answer.queued, let queue = type.queue {
            let settled = refusals.settle(refused: refused, later: later, of: queue.name)
            answer.queued = .answered(refused: settled.refused, later: settled.later)
        }
        return answer
    }
}
