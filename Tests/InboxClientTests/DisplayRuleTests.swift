import Coverage
import Foundation
import InboxClient
import Testing

@Suite(.timeLimit(.minutes(5))) struct DisplayRuleTests {
    private let start = Date(timeIntervalSince1970: 1_777_593_600)
    private func time(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    @Test(.rulesOut(.brazeSwift69)) func `half of a message visible for one second counts once`() {
        var rule = DisplayRule()
        rule.show("a", share: 0.5, at: time(0))
        #expect(rule.nextTime == time(1))
        #expect(rule.displayed(at: time(0.9)) == [])
        #expect(rule.displayed(at: time(1)) == ["a"])
        rule.show("a", share: 1, at: time(2))
        #expect(rule.displayed(at: time(10)) == [])
        #expect(rule.nextTime == nil)
    }

    @Test(.rulesOut(.brazeSwift69)) func `less than half visible, or an interruption, restarts the second`() {
        var rule = DisplayRule()
        rule.show("a", share: 0.49, at: time(0))
        #expect(rule.displayed(at: time(5)) == [])
        rule.show("a", share: 0.8, at: time(5))
        rule.show("a", share: 0.2, at: time(5.9))
        rule.show("a", share: 0.8, at: time(6))
        #expect(rule.displayed(at: time(6.5)) == [])
        #expect(rule.displayed(at: time(7)) == ["a"])
    }

    @Test(.rulesOut(.brazeSwift69)) func `a refresh during a visit doesn't count again, the next visit does`() {
        var rule = DisplayRule()
        for id in ["b", "a"] { rule.show(id, share: 1, at: time(0)) }
        rule.show("c", share: 1, at: time(0.5))
        #expect(rule.displayed(at: time(2)) == ["a", "b", "c"])
        rule.show("a", share: 1, at: time(3))
        #expect(rule.displayed(at: time(9)) == [])
        rule.endVisit()
        rule.show("a", share: 1, at: time(10))
        #expect(rule.displayed(at: time(11)) == ["a"])
    }

    @Test func `a message hidden after a second counts, though checked later`() {
        var rule = DisplayRule()
        rule.show("a", share: 1, at: time(0))
        rule.show("b", share: 1, at: time(0))
        rule.show("b", share: 0, at: time(0.9))
        rule.show("a", share: 0, at: time(5))
        #expect(rule.displayed(at: time(5)) == ["a"])
        #expect(rule.displayed(at: time(6)) == [])
    }
}
