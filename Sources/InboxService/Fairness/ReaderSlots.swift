import Foundation
import Groundwork

/// Limits the number of concurrent reads per person. Further reads wait in the order of their arrival.
///
/// A person's requests delay only that person's own, however many they are.
final class ReaderSlots: Sendable {
    fileprivate struct Line: Sendable {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let limit: Int
    // By person. Accessed only in `withLock`. A person has a line only while they read.
    private let lines = Locked<[Int: Line]>([:])

    /// Creates the slots.
    ///
    /// - Parameter limit: The maximum number of concurrent reads per person. It is capped below the number of
    ///   processors, but is at least 1.
    init(_ limit: Int, processors: Int = ProcessInfo.processInfo.activeProcessorCount) {
        self.limit = max(1, min(limit, processors - 1))
    }

    /// Runs a read as soon as the person has a free slot.
    func run<Value: Sendable>(for person: Int, _ body: () async throws -> Value) async throws -> Value {
        await enter(person)
        defer { leave(person) }
        return try await body()
    }

    private func enter(_ person: Int) async {
        let isIn = lines.withLock { $0[person, default: Line()].enter(limit) }
        guard !isIn else { return }
        await withCheckedContinuation { continuation in
            let isIn = lines.withLock { lines in
                // Checked again: a slot may have become free in the meantime.
                guard !lines[person, default: Line()].enter(limit) else { return true }
                lines[person, default: Line()].waiting.append(continuation)
                return false
            }
            if isIn { continuation.resume() }
        }
    }

    private func leave(_ person: Int) {
        let next = lines.withLock { lines -> CheckedContinuation<Void, Never>? in
            guard var line = lines[person] else { return nil }
            guard line.waiting.isEmpty else {
                let next = line.waiting.removeFirst()
                lines[person] = line
                return next
            }
            line.running -= 1
            lines[person] = line.running == 0 ? nil : line
            return nil
        }
        next?.resume()
    }
}

extension ReaderSlots.Line {
    fileprivate mutating func enter(_ limit: Int) -> Bool {
        guard running < limit else { return false }
        running += 1
        return true
    }
}
