import Dispatch
import Groundwork

/// Checks during some work whether the main actor is free.
///
/// This is stricter than checking the thread of the work: waiting for another thread blocks the main actor as well.
final class MainActorProbe: Sendable {
    // Guarded by the lock: work runs on all kinds of threads.
    private let found = Locked<[Bool]>([])

    /// Whether the main actor was free, for each check.
    var findings: [Bool] { found.withLock { $0 } }

    func check() {
        // After the main actor was blocked once, further waiting adds nothing.
        guard findings.allSatisfy({ $0 }) else { return }
        let answer = DispatchSemaphore(value: 0)
        DispatchQueue.main.async { answer.signal() }
        let isFree = answer.wait(timeout: .now() + 60) == .success
        found.withLock { $0.append(isFree) }
    }
}
