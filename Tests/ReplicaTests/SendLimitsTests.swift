import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct SendLimitsTests {
    @Test func `a rejected batch halves, and an accepted one doubles`() {
        var limits = SendLimits()
        #expect(limits.batch == .max)
        let isSplit = limits.batchRejected(records: 100)
        #expect(isSplit && limits.batch == 50)
        limits.batchAccepted()
        #expect(limits.batch == 100)
        for _ in 0..<4 { limits.batchAccepted() }
        #expect(limits.batch == .max)
    }

    @Test func `a single record can't be split`() {
        var limits = SendLimits()
        let isSplit = limits.batchRejected(records: 1)
        #expect(!isSplit && limits.batch == .max)
        let isShortened = limits.queueRejected(records: 1)
        #expect(!isShortened && limits.queue == 1)
    }

    @Test func `an unknown queue waits for another session`() {
        var limits = SendLimits()
        limits.queueUnknown()
        #expect(!limits.sendsQueue)
        limits.sessionChanged()
        #expect(limits.sendsQueue && limits.queue == .max)
    }

    @Test func `the limits of batch and queue are independent`() {
        var limits = SendLimits()
        _ = limits.queueRejected(records: 10)
        #expect(limits.queue == 5 && limits.batch == .max)
        limits.batchAccepted()
        #expect(limits.queue == 5)
        limits.queueAccepted()
        #expect(limits.queue == 10)
    }
}
