import Dispatch
import Groundwork

/// Looks in the middle of some work whether the main actor can do something else meanwhile.
///
/// That says more than where the work is done: what waits for another thread holds its own as well.
final class MainActorProbe: Sendable {
    // Guarded by its lock: work is done on all kinds of threads.
    private let found = Locked<[Bool]>([])

    /// Whether it was free, at each look.
    var findings: [Bool] { found.withLock { $0 } }

    func look() {
        // Once it was held, to wait again and again would say nothing new.
        guard findings.allSatisfy({ $0 }) else { return }
        let answer = DispatchSemaphore(value: 0)
        DispatchQueue.main.async { answer.signal() }
        let isFree = answer.wait(timeout: .now() + 10) == .success
        found.withLock { $0.append(isFree) }
    }
}
