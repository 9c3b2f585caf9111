import Testing

@testable import InboxService

/// Which groups of other servers a server has heard of.
@Suite(.timeLimit(.minutes(5))) struct GroupTrackerTests {
    @Test func `announcements without a gap are complete`() {
        var tracker = GroupTracker([1: 4])
        // Then a server that is new, and what was read before is announced again.
        let recorded = [
            tracker.record(announced: 5...5, of: 1), tracker.record(announced: 6...8, of: 1),
            tracker.record(announced: 1...2, of: 2),
            tracker.record(announced: 7...9, of: 1), tracker.record(announced: 3...3, of: 1),
        ]
        #expect(recorded == [true, true, true, true, true])
        #expect(!tracker.isBehind([1: 9, 2: 2]))
    }

    @Test func `a gap is noticed once`() {
        var tracker = GroupTracker([1: 4])
        let recorded = [
            tracker.record(announced: 6...6, of: 1), tracker.record(announced: 7...7, of: 1),
            tracker.record(announced: 2...2, of: 2),
        ]
        #expect(recorded == [false, true, false])
    }

    @Test func `a group that isn't announced is missing at the second read`() {
        var tracker = GroupTracker([1: 4])
        // At first it may be on its way.
        let (before, first) = (tracker.check([1: 4]), tracker.check([1: 5]))
        #expect(before && first && tracker.isBehind([1: 5]))
        let second = tracker.check([1: 5])
        #expect(!second)
        let late = (
            tracker.record(announced: 5...5, of: 1), tracker.check([1: 6, 2: 1]),
            tracker.record(announced: 6...6, of: 1)
        )
        #expect(late == (true, true, true))
        let other = tracker.check([1: 6, 2: 1])
        #expect(!other)
    }

    @Test func `the numbers of a row that was deleted or has fallen begin again, which is a gap`() {
        var tracker = GroupTracker([1: 41, 2: 7])
        let complete = tracker.check([1: 41, 2: 7])
        // The first number is another server's by now, which is killed before it announces its first group.
        let (replaced, again) = (tracker.check([1: 1, 2: 7]), tracker.check([1: 1, 2: 7]))
        #expect(complete && !replaced && again)
        let late = (tracker.check([1: 2, 2: 7]), tracker.isBehind([1: 2]), tracker.check([1: 2, 2: 7]))
        #expect(late == (true, true, false))
        let announced = tracker.record(announced: 2...2, of: 1)
        let (deleted, empty) = (tracker.check([2: 7]), tracker.check([2: 7]))
        #expect(announced && !deleted && empty)
        let (added, missed) = (tracker.check([1: 2, 2: 7]), tracker.check([1: 2, 2: 7]))
        #expect(added && !missed)
    }

    @Test func `a number that no server has committed hides no group for longer than two reads`() {
        var tracker = GroupTracker([1: 4])
        let invented = (
            tracker.check([1: 4]), tracker.record(announced: 1...Int.max, of: 1),
            tracker.record(announced: 1...9, of: 200)
        )
        // It may have come after this read had begun.
        let first = tracker.check([1: 4])
        #expect(invented == (true, true, true))
        #expect(first)
        let second = tracker.check([1: 5])
        #expect(!second)
        let complete = tracker.check([1: 5])
        #expect(complete)
        // A later group that isn't announced is missing at the second read, as always.
        let (onItsWay, missing) = (tracker.check([1: 6]), tracker.check([1: 6]))
        #expect(onItsWay && !missing)
        // Where growing numbers are forged again and again, each second read finds it.
        var found: [Bool] = []
        for number in 100..<104 {
            _ = tracker.record(announced: 1...number, of: 1)
            found.append(tracker.check([1: 7]))
        }
        #expect(found == [true, false, true, false])
    }
}
