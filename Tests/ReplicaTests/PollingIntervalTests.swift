import Foundation
import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct PollingIntervalTests {
    private let start = Date(timeIntervalSince1970: 1_000_000)

    private func at(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    private func interval(_ pace: PollingInterval, askedAt seconds: Double, isObserved: Bool = false) -> Double {
        pace.next(after: at(seconds), isObserved: isObserved).timeIntervalSince(at(seconds))
    }

    @Test func `without activity, the polling interval grows up to its maximum`() {
        let pace = PollingInterval(shortest: 30, longest: 900, at: start)
        #expect([0, 120, 400, 3_600, 100_000].map { interval(pace, askedAt: $0) } == [30, 30, 100, 900, 900])
    }

    @Test func `activity resets the polling interval, even after the last poll`() {
        var pace = PollingInterval(shortest: 30, longest: 900, at: start)
        pace.noteActivity(at: at(3_600))
        #expect(interval(pace, askedAt: 3_610) == 30)
        #expect(interval(pace, askedAt: 3_000) == 30)
        // Earlier activity doesn't change the interval.
        pace.noteActivity(at: at(10))
        #expect(interval(pace, askedAt: 3_610) == 30)
    }

    @Test func `an observed list is polled at least every two minutes`() {
        let pace = PollingInterval(shortest: 30, longest: 900, at: start)
        #expect(interval(pace, askedAt: 100_000, isObserved: true) == 120)
        #expect(
            interval(PollingInterval(shortest: 30, longest: 60, at: start), askedAt: 100_000, isObserved: true) == 60
        )
    }

    @Test func `a maximum interval below the minimum equals the minimum`() {
        #expect(interval(PollingInterval(shortest: 30, longest: 5, at: start), askedAt: 100_000) == 30)
    }
}
