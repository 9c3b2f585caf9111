import Groundwork

/// Tasks that wait, and are resumed one by one in the order in which they came.
final class WaitQueue: Sendable {
    private struct Waiter: Sendable {
        let number: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var waiters: [Waiter] = []
        var lastNumber = 0
    }

    // Guarded by its lock: a task is cancelled on any thread.
    private let state = Locked(State())

    /// The number of tasks that wait.
    var count: Int { state.withLock { $0.waiters.count } }

    /// Waits until ``resumeFirst()`` resumes this task.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    func wait() async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    // A task that is cancelled later finds itself in the queue.
                    guard !Task.isCancelled else { return true }
                    state.waiters.append(Waiter(number: number, continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let cancelled = state.withLock { state in
                state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
            }
            cancelled?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Resumes the task that has waited for the longest time.
    ///
    /// - Returns: False if none waits.
    func resumeFirst() -> Bool {
        let first = state.withLock { $0.waiters.isEmpty ? nil : $0.waiters.removeFirst() }
        first?.continuation.resume()
        return first != nil
    }
}
