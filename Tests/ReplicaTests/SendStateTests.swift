import JMAP
import ReplicaTesting
import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct SendStateTests {
    private var sending = SendState(epoch: "e")

    @Test mutating func `each used key is followed by the next number`() {
        #expect(sending.key == Batch(epoch: "e", number: 1))
        sending.keyUsed()
        #expect(sending.key == Batch(epoch: "e", number: 2))
    }

    @Test mutating func `after five attempts, refusals of writes and of the queue are final`() {
        let error = SetError("serverFail")
        var answer = SyncResponse(
            writes: .answered(refused: [:], later: ["n1": error], bulkPosition: "p"),
            queued: .answered(refused: [:], later: ["e1": error]),
            pull: .tooLarge
        )
        for attempt in 1...RetryableRefusals.maxAttempts {
            let isLast = attempt == RetryableRefusals.maxAttempts
            answer = sending.apply(
                SyncResponse(
                    writes: .answered(refused: [:], later: ["n1": error], bulkPosition: "p"),
                    queued: .answered(refused: [:], later: ["e1": error]),
                    pull: .tooLarge
                ),
                of: .note
            )
            guard case .answered(let refused, let later, let position) = answer.writes,
                case .answered(let refusedEvents, let laterEvents) = answer.queued
            else {
                Issue.record("\(answer)")
                return
            }
            #expect(refused.keys.sorted() == (isLast ? ["n1"] : []) && later.keys.sorted() == (isLast ? [] : ["n1"]))
            #expect(position == "p")
            #expect(refusedEvents.keys.sorted() == (isLast ? ["e1"] : []))
            #expect(laterEvents.keys.sorted() == (isLast ? [] : ["e1"]))
        }
    }
}
