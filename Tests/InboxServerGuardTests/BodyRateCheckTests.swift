import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct BodyRateCheckTests {
    private let limits = ConnectionLimits(bodyGrace: 30, bodyRate: 100)

    @Test func `a body without bytes is too slow after its grace period`() {
        let pace = BodyRateCheck(limits: limits, start: 1_000)
        #expect(pace.verdict(at: 1_000) == .fast(until: 1_030))
        #expect(pace.verdict(at: 1_029) == .fast(until: 1_030))
        #expect(pace.verdict(at: 1_030) == .tooSlow)
    }

    @Test func `a body above the minimum rate gets more time`() {
        var pace = BodyRateCheck(limits: limits, start: 1_000)
        pace.receive(2_999)
        #expect(pace.verdict(at: 1_030) == .tooSlow)
        pace.receive(2_001)
        #expect(pace.verdict(at: 1_030) == .fast(until: 1_050))
        #expect(pace.verdict(at: 1_050) == .tooSlow)
    }
}
