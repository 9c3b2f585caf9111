import Groundwork
import Testing

/// A value guarded by a lock.
@Suite(.timeLimit(.minutes(5))) struct LockedTests {
    @Test func `increments from many tasks are all counted`() async {
        let count = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask { for _ in 0..<1000 { count.withLock { $0 += 1 } } }
            }
        }
        #expect(count.withLock { $0 } == 16_000)
    }

    @Test func `a closure that throws releases the lock and keeps its change`() {
        struct Failure: Error {}
        let value = Locked(1)
        #expect(throws: Failure.self) {
            try value.withLock { value throws(Failure) in
                value = 2
                throw Failure()
            }
        }
        #expect(value.withLock { $0 } == 2)
    }
}
