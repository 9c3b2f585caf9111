import Groundwork
import Testing

/// A value behind its lock.
@Suite(.timeLimit(.minutes(5))) struct LockedTests {
    @Test func incrementsFromManyTasks_areAllCounted() async {
        let count = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask { for _ in 0..<1000 { count.withLock { $0 += 1 } } }
            }
        }
        #expect(count.withLock { $0 } == 16_000)
    }

    @Test func closureThatThrows_leavesTheLockOpenAndTheChangeMade() {
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
