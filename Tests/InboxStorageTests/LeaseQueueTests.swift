import Testing

@testable import InboxService

/// The order in which the tokens of streams are verified again.
@Suite(.timeLimit(.minutes(5))) struct LeaseQueueTests {
    @Test func `a pass that is restarted repeatedly reaches all people`() {
        var queue = LeaseQueue()
        let all = Set(1...1_000)
        var reached: Set<Int> = []
        for _ in 0..<10 {
            queue.addAll(all)
            reached.formUnion(queue.next(100))
        }
        #expect(reached == all)
        // Each one is once in a pass, however often it was begun.
        queue.addAll(all)
        var left: [Int] = []
        while case let part = queue.next(300), !part.isEmpty { left += part }
        #expect(left.count == 1_000 && Set(left) == all && queue.isEmpty)
    }

    @Test func `people without streams leave a pass with the next one`() {
        var queue = LeaseQueue()
        queue.addAll(Set(1...300))
        queue.addAll([1, 2])
        #expect(Set(queue.next(100)) == [1, 2] && queue.isEmpty)
    }

    @Test func `named people come first and don't block the verification of others`() {
        var queue = LeaseQueue()
        queue.addAll(Set(1...300))
        var others: Set<Int> = []
        for round in 0..<6 {
            queue.add(Set(1_000...1_099))
            let part = Set(queue.next(100))
            #expect((part == Set(1_000...1_099)) == (round % 2 == 0))
            if round % 2 != 0 { others.formUnion(part) }
        }
        #expect(others == Set(1...300))
    }

    @Test func `people whose tokens can't be verified come once, after the others`() {
        var queue = LeaseQueue()
        queue.addAll(Set(1...4))
        let failed = Set(queue.next(2))
        for _ in 0..<3 { queue.putBack(failed) }
        #expect(Set(queue.next(2)) == Set(1...4).subtracting(failed))
        #expect(Set(queue.next(9)) == failed && queue.isEmpty)
    }
}
