import Eventually
import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(5))) struct ReaderSlotTests {
    /// Concurrent work of one person that runs until it is released.
    private final class Work: Sendable {
        let running = Locked(0)
        let most = Locked(0)
        let done = Locked<[Int]>([])
        private let isOpen = Locked(false)

        func run(_ number: Int) async throws {
            let count = running.withLock { running in
                running += 1
                return running
            }
            most.withLock { $0 = max($0, count) }
            while !isOpen.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            running.withLock { $0 -= 1 }
            done.withLock { $0.append(number) }
        }

        func open() { isOpen.withLock { $0 = true } }
    }

    @Test(arguments: [(2, 8, 2), (2, 2, 1), (8, 4, 3), (0, 8, 1), (2, 1, 1)])
    func `one person's reads use a few slots, another's don't wait`(
        limit: Int,
        processors: Int,
        expected: Int
    ) async throws {
        let slots = PersonSlots(limit, processors: processors)
        let work = Work()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 { group.addTask { try await slots.run(for: 1) { try await work.run(number) } } }
            #expect(try await eventually { work.running.withLock { $0 } == expected })
            #expect(try await slots.run(for: 2) { "read" } == "read")
            work.open()
            try await group.waitForAll()
        }
        #expect(work.most.withLock { $0 } == expected)
        #expect(work.done.withLock { Set($0) } == Set(0..<12))
        // All slots are free again.
        #expect(try await slots.run(for: 1) { "read" } == "read")
    }

    @Test func `a read that fails returns its slot`() async throws {
        let slots = PersonSlots(1, processors: 4)
        for _ in 0..<5 {
            await #expect(throws: CancellationError.self) {
                try await slots.run(for: 1) { throw CancellationError() }
            }
        }
        #expect(try await slots.run(for: 1) { 1 } == 1)
    }

    @Test func `one person's work for the processor is done one piece at a time`() async throws {
        try await withFolder { folder in
            let storage = try await TestDatabase.storage(for: folder.appending(path: "inbox.sqlite"))
            let reads = RequestReads(storage: storage, limits: FairUse())
            let (running, most) = (Locked(0), Locked(0))
            let person = Person(id: 1, name: "ann", account: "a")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        try await reads.run(for: person, whenSlow: { _ in }) { reads, _ in
                            try await reads.compute {
                                let count = running.withLock { running in
                                    running += 1
                                    return running
                                }
                                most.withLock { $0 = max($0, count) }
                                let end = ContinuousClock.now + .milliseconds(5)
                                while ContinuousClock.now < end {}
                                running.withLock { $0 -= 1 }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(most.withLock { $0 } == 1)
        }
    }
}
