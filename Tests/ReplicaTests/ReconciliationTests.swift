import Foundation
import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct ReconciliationTests {
    private var reconciliation = Reconciliation()
    private let now = Date(timeIntervalSinceReferenceDate: 800_000_000)

    @Test mutating func `a requested verification begins once`() {
        var began = [reconciliation.begin(hasSlices: false)]
        reconciliation.request()
        began += [reconciliation.begin(hasSlices: false), reconciliation.begin(hasSlices: false)]
        #expect(began == [false, true, false] && !reconciliation.isRequested)
    }

    @Test mutating func `a cancelled request begins no verification, also of slices`() {
        reconciliation.request()
        reconciliation.cancelRequest()
        let began = reconciliation.begin(hasSlices: true)
        #expect(!began && !reconciliation.needsSlices(at: now))
    }

    @Test mutating func `a difference causes a fetch, and another one only if it has changed`() {
        let differences = ["3 of 4", "3 of 4", "3 of 5", nil, "3 of 5"]
        let fetches = differences.map { reconciliation.compared($0) }
        #expect(fetches == [true, false, true, false, false], "the server counts differently")
    }

    @Test mutating func `slices are verified after a request only, and at most once an hour`() {
        #expect(!reconciliation.needsSlices(at: now))
        reconciliation.request()
        _ = reconciliation.begin(hasSlices: true)
        #expect(reconciliation.needsSlices(at: now), "the first is at once")
        reconciliation.slicesFetched(at: now)
        #expect(!reconciliation.needsSlices(at: now.addingTimeInterval(7_200)), "no other was requested")
        reconciliation.request()
        _ = reconciliation.begin(hasSlices: true)
        #expect(!reconciliation.needsSlices(at: now.addingTimeInterval(3_599)))
        reconciliation.request()
        _ = reconciliation.begin(hasSlices: false)
        #expect(reconciliation.needsSlices(at: now.addingTimeInterval(3_600)), "a round in between doesn't forget it")
    }

    @Test mutating func `a type without slices has none to verify`() {
        reconciliation.request()
        let began = reconciliation.begin(hasSlices: false)
        #expect(began && !reconciliation.needsSlices(at: now))
    }
}
