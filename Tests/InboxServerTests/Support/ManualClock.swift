import Foundation
import Groundwork

/// A clock that is advanced by hand and wakes the sleeping tasks whose time has come.
final class ManualClock: WallClock {
    private struct Sleeper: Sendable {
        let until: Date
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var now: Date
        var next = 0
        var sleepers: [Int: Sleeper] = [:]
    }

    private let state: Locked<State>

    init(_ text: String = "2026-05-01T08:00:00Z") {
        state = Locked(State(now: RFC3339.date(from: text) ?? .distantPast))
    }

    var now: Date { state.withLock { $0.now } }

    /// Whether a task is sleeping.
    var hasSleepers: Bool { state.withLock { !$0.sleepers.isEmpty } }

    func advance(by seconds: Double) {
        let awake = state.withLock { state in
            state.now += seconds
            let awake = state.sleepers.filter { $0.value.until <= state.now }
            for number in awake.keys { state.sleepers[number] = nil }
            return awake
        }
        for sleeper in awake.values { sleeper.continuation.resume() }
    }

    func sleep(until time: Date) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isDue = state.withLock { state in
                    if state.now >= time || Task.isCancelled { return true }
                    state.sleepers[number] = Sleeper(until: time, continuation: continuation)
                    return false
                }
                if isDue { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume(
                throwing: CancellationError()
            )
        }
    }
}
