import Foundation
import Groundwork

/// Limits the work, such as reads, that runs at the same time for one person. Further work waits in the order of its
/// arrival.
///
/// A person's requests delay only that person's own, however many they are.
final class PersonSlots: Sendable {
    fileprivate struct Queue: Sendable {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let limit: Int
    // By person. Accessed only in `withLock`. A person has a queue only while something is done.
    private let queues = Locked<[Int: Queue]>([:])

    /// Creates the slots.
    ///
    /// - Parameter limit: The maximum number for one person. It is capped below the number of processors, but is at
    ///   least 1.
    init(_ limit: Int, processors: Int = ProcessInfo.processInfo.activeProcessorCount) {
        self.limit = max(1, min(limit, processors - 1))
    }

    /// Runs a closure as soon as the person has a free slot.
    func run<Value: Sendable>(for person: Int, _ body: () async throws -> Value) async throws -> Value {
        await acquire(person)
        defer { release(person) }
        return try await body()
    }

    private func acquire(_ person: Int) async {
        let isAcquired = queues.withLock { $0[person, default: Queue()].acquire(limit) }
        guard !isAcquired else { return }
        await withCheckedContinuation { continuation in
            let isAcquired = queues.withLock { queues in
                // Checked again: a slot may have become free in the meantime.
                guard !queues[person, default: Queue()].acquire(limit) else { return true }
                queues[person, default: Queue()].waiting.append(continuation)
                return false
            }
            if isAcquired { continuation.resume() }
        }
    }

    private func release(_ person: Int) {
        let next = queues.withLock { queues -> CheckedContinuation<Void, Never>? in
            guard var queue = queues[person] else { return nil }
            guard queue.waiting.isEmpty else {
                let next = queue.waiting.removeFirst()
                queues[person] = queue
                return next
            }
            queue.running -= 1
            queues[person] = queue.running == 0 ? nil : queue
            return nil
        }
        next?.resume()
    }
}

extension PersonSlots.Queue {
    fileprivate mutating func acquire(_ limit: Int) -> Bool {
        guard running < limit else { return false }
        running += 1
        return true
    }
}
