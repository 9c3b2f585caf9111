public import Foundation
public import Groundwork

/// A clock that a test moves.
///
/// ``advance(by:)`` resumes the tasks that wait for a time up to the new one. No task waits for real time.
public final class ManualClock: WallClock {
    private struct State {
        var now: Date
        var sleepers: [UUID: (time: Date, continuation: CheckedContinuation<Void, any Error>)] = [:]
        /// The waits that were cancelled before they began.
        var cancelled: Set<UUID> = []
    }

    // Guarded by the lock: tests move the clock while others wait on it.
    private let state: Locked<State>

    /// Creates a clock.
    ///
    /// - Parameter now: The start time. The default is 1 May 2026, 00:00 UTC.
    public init(now: Date = Date(timeIntervalSince1970: 1_777_593_600)) {
        state = Locked(State(now: now))
    }

    /// The clock's time.
    public var now: Date { state.withLock { $0.now } }

    /// Moves the clock forward, and resumes the tasks that wait for a time up to the new one, earliest first.
    ///
    /// - Parameter seconds: The distance. A negative one sets the clock back, which resumes all tasks: a device's clock
    ///   ends a wait early then (`WallClock.sleep(until:)`).
    public func advance(by seconds: Double) {
        let due = state.withLock { state in
            state.now.addTimeInterval(seconds)
            let due = state.sleepers.filter { seconds < 0 || $0.value.time <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.time < $1.time }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// The number of tasks that wait.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Waits until the clock reaches a time.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleep(until time: Date) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if time <= state.now { return .success(()) }
                    state.sleepers[id] = (time, continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
        // A wait that ended may have been cancelled afterwards.
        state.withLock { _ = $0.cancelled.remove(id) }
    }
}
