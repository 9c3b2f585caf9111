import JMAP
import Testing

@testable import Replica

/// Refusals after which a write is sent again, and when they become final.
@Suite(.timeLimit(.minutes(5))) struct RetryableRefusalsTests {
    private let fail = SetError("serverFail")

    @Test func `a retryable refusal is final at the fifth attempt`() {
        var refusals = RetryableRefusals()
        for _ in 1..<RetryableRefusals.maxAttempts {
            let (refused, later) = refusals.classify(refused: [:], later: ["a": fail], of: "Note")
            #expect(refused.isEmpty && later["a"] != nil)
        }
        let (refused, later) = refusals.classify(refused: [:], later: ["a": fail, "b": fail], of: "Note")
        #expect(refused.keys.sorted() == ["a"] && later.keys.sorted() == ["b"])
        // It starts over if the person writes again.
        #expect(refusals.classify(refused: [:], later: ["a": fail], of: "Note").refused.isEmpty)
    }

    @Test func `a request to wait is never final`() {
        var refusals = RetryableRefusals()
        for _ in 0..<20 {
            let (refused, later) = refusals.classify(refused: [:], later: ["a": SetError("rateLimit")], of: "Note")
            #expect(refused.isEmpty && later["a"] != nil)
        }
    }

    @Test func `a success in between and other types don't count`() {
        var refusals = RetryableRefusals()
        for _ in 0..<20 {
            for _ in 1..<RetryableRefusals.maxAttempts {
                #expect(refusals.classify(refused: [:], later: ["a": fail], of: "Note").refused.isEmpty)
                #expect(refusals.classify(refused: [:], later: [:], of: "Folder").refused.isEmpty)
            }
            #expect(refusals.classify(refused: [:], later: [:], of: "Note").refused.isEmpty)
        }
    }

    @Test func `final refusals stay final`() {
        var refusals = RetryableRefusals()
        let (refused, later) = refusals.classify(refused: ["a": SetError.notFound], later: ["b": fail], of: "Note")
        #expect(refused.keys.sorted() == ["a"] && later.keys.sorted() == ["b"])
    }
}
