import Groundwork
import JMAP
import Testing

@testable import Replica

/// The decisions about what a request sends besides its pull.
@Suite(.timeLimit(.minutes(5))) struct SendOutcomeTests {
    private var limits = SendLimits()

    // MARK: - Requests that are too large

    @Test func `fewer ids are requested before less is sent`() {
        for sent: SendParts in [[], .queue, .writes, .all] {
            #expect(SizeRejection(of: .records(["a", "b"]), sent: sent) == .requestLess)
        }
    }

    @Test(arguments: [SyncRequest.Pull.records(["a"]), .changes(since: "1", max: 9), .window(position: 0, limit: 9)])
    func `less is sent where ids don't fill the request`(_ pull: SyncRequest.Pull) {
        #expect(SizeRejection(of: pull, sent: .all) == .separate, "which part is too large isn't known")
        #expect(SizeRejection(of: pull, sent: .queue) == .sendLess(.queue))
        #expect(SizeRejection(of: pull, sent: .writes) == .sendLess(.writes))
        #expect(SizeRejection(of: pull, sent: []) == .final)
    }

    @Test func `every pull but one of a single record can be halved`() {
        let halved: [SyncRequest.Pull] = [
            .records(["a", "b"]), .changes(since: "1", max: 2), .window(position: 0, limit: 2),
            .ids(position: 0, limit: 2), .outline(upTo: "1", after: nil, limit: 2),
        ]
        let whole: [SyncRequest.Pull] = [
            .records(["a"]), .changes(since: "1", max: 1), .window(position: 9, limit: 1), .ids(position: 9, limit: 1),
            .outline(upTo: "1", after: nil, limit: 1), .all, .state,
            .matches(filter: .null, sort: .null, position: 0, limit: 9),
        ]
        for pull in halved { #expect(pull.canHalve && pull.canHalve(after: .tooLarge(limit: 9))) }
        for pull in whole {
            #expect(
                !pull.canHalve && !pull.canHalve(after: .tooLarge(limit: 9))
                    && !pull.canHalve(after: .timedOut(after: 60))
            )
        }
        #expect(halved.filter { $0.canHalve(after: .timedOut(after: 60)) } == [.records(["a", "b"])])
        #expect(!halved.contains { $0.canHalve(after: .unreachable("offline")) })
    }

    // MARK: - Answers

    private mutating func outcome(writes: SyncResponse.Writes? = nil, queued: SyncResponse.Queued? = nil) -> SendOutcome
    {
        SendOutcome(of: SyncResponse(writes: writes, queued: queued, pull: .tooLarge), &limits)
    }

    @Test mutating func `an answer without writes or queue has no consequences`() {
        let outcome = self.outcome()
        #expect(outcome.failure == nil && outcome.tooLarge.isEmpty && !outcome.mayHaveMoved)
        #expect(limits == SendLimits())
    }

    @Test mutating func `accepted requests raise the limits`() {
        _ = limits.batchRejected(records: 8)
        _ = limits.queueRejected(records: 20)
        let outcome = self.outcome(
            writes: .answered(refused: ["n1": SetError("forbidden")], later: [:]),
            queued: .answered(refused: [:], later: [:])
        )
        #expect(outcome.failure == nil && outcome.tooLarge.isEmpty, "a final refusal isn't a failure")
        #expect(limits.batch == 8 && limits.queue == 20)
    }

    @Test mutating func `parts that are too large don't change the limits by themselves`() {
        let writes = outcome(writes: .tooLarge)
        let queue = outcome(queued: .tooLarge)
        let both = outcome(writes: .tooLarge, queued: .tooLarge)
        #expect(writes.tooLarge == .writes && queue.tooLarge == .queue)
        #expect(both.tooLarge == .all && both.failure == nil)
        #expect(limits == SendLimits())
    }

    @Test mutating func `a retryable refusal ends the sync of the type with a wait`() {
        let later = ["n1": SetError("rateLimit")]
        let failures = [
            outcome(writes: .answered(refused: [:], later: later)).failure,
            outcome(queued: .answered(refused: [:], later: later)).failure,
            outcome(
                writes: .answered(refused: [:], later: [:]),
                queued: .answered(refused: [:], later: later)
            ).failure,
        ]
        for failure in failures {
            guard case .status(429, nil, _) = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
        }
    }

    @Test mutating func `the failure of the writes precedes that of the queue`() {
        let outcome = self.outcome(
            writes: .unanswered(MethodError("serverFail")),
            queued: .unanswered(MethodError("serverUnavailable"))
        )
        #expect(outcome.failure?.description.contains("serverFail") == true)
        let queue = self.outcome(
            writes: .answered(refused: [:], later: [:]),
            queued: .unanswered(MethodError("serverUnavailable"))
        )
        #expect(queue.failure?.description.contains("serverUnavailable") == true)
    }

    @Test mutating func `a queue of an unknown type isn't a failure, and isn't sent again`() {
        let outcome = self.outcome(queued: .unanswered(MethodError("unknownMethod")))
        #expect(outcome.failure == nil && !limits.sendsQueue)
    }

    @Test mutating func `writes of an unknown method are a failure`() {
        let outcome = self.outcome(writes: .unanswered(MethodError("unknownMethod")))
        #expect(outcome.failure != nil && limits.sendsQueue)
    }

    @Test mutating func `accountNotFound means that the account may have moved`() {
        let moved = outcome(writes: .unanswered(MethodError("accountNotFound")))
        let failed = outcome(writes: .unanswered(MethodError("serverFail")))
        #expect(moved.mayHaveMoved && !failed.mayHaveMoved)
    }
}
