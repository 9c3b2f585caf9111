import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct RoundQueueTests {
    private var queue = RoundQueue<String>()

    private mutating func next() -> String {
        queue.next { number, previous in "\(number) after \(previous ?? "none")" }
    }

    @Test mutating func `calls during a round share the one after it`() {
        #expect(next() == "1 after none")
        #expect(next() == "2 after 1 after none")
        #expect(next() == "2 after 1 after none")
        #expect(queue.all.count == 2)
    }

    @Test mutating func `a queued round takes the place of the one before, and is followed by another`() {
        _ = (next(), next())
        queue.end(1)
        #expect(queue.isIdle)
        #expect(next() == "2 after 1 after none", "the queued round hasn't begun yet")
        queue.begin(2)
        #expect(!queue.isIdle)
        #expect(next() == "3 after 2 after 1 after none")
    }

    @Test mutating func `after the last round, the next one waits for none`() {
        _ = next()
        queue.begin(1)
        #expect(!queue.isIdle)
        queue.end(1)
        #expect(queue.isIdle && queue.all.isEmpty)
        #expect(next() == "2 after none")
    }

    @Test mutating func `the end of an earlier round doesn't end the one under way`() {
        _ = (next(), next())
        queue.end(1)
        queue.begin(2)
        queue.end(1)
        #expect(!queue.isIdle)
        queue.begin(1)
        queue.end(2)
        #expect(queue.isIdle)
    }
}
