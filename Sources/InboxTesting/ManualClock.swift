public import Foundation
public import Groundwork

/// A clock that moves by hand.
///
/// ``advance(by:)`` resumes the tasks that wait for a time up to the new one. No task waits for real time.
public final class ManualClock: WallClock {
    private struct State {
        var now: Date
        var sleepers: [UUID: (time: Date, continuation: CheckedContinuation<Void, any Error>)] = [:]
        /// Waits that were cancelled before they began.
        var cancelled: Set<UUID> = []
    }

    // Guarded by the lock: tests move the clock while others wait on it.
    private let state: Locked<State>

    /// - Parameter now: The time to start from; midnight of 1 May 2026 in UTC by default.
    public init(now: Date = Date(timeIntervalSince1970: 1_777_593_600)) {
        state = Locked(State(now: now))
    }

    /// The time to which the clock was moved.
    public var now: Date { state.withLock { $0.now } }

    /// Moves the clock on, and wakes whoever waited for a time up to the new one, earliest first.
    ///
    /// - Parameter seconds: How far; not negative.
    public func advance(by seconds: Double) {
        let due = state.withLock { state in
            state.now.addTimeInterval(seconds)
            let due = state.sleepers.filter { $0.value.time <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.time < $1.time }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// How many wait now.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Waits until the clock is moved to that time or past it.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
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
        // A wait that ended by itself may be cancelled after the fact: forget the note.
        state.withLock { _ = $0.cancelled.remove(id) }
    }
}
