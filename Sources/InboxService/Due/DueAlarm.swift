import Groundwork

/// The time at which the due queue is processed next. A commit wakes the scheduler only for an earlier time: most
/// messages expire some day, and each server that shares the database hears of each of them.
package struct DueAlarm: Sendable {
    let wakeUp = WakeUp()
    /// In milliseconds since 1970. While the queue is processed, each change wakes the scheduler.
    private let planned = Locked(Int.max)

    package init() {}

    /// Notes the time of an action that was added to the queue.
    package func note(_ time: Int) {
        if planned.withLock({ time < $0 }) { wakeUp.signal() }
    }

    /// Sets the time of the next run. Nil while the queue is processed.
    func plan(_ time: Int?) {
        planned.withLock { $0 = time ?? .max }
    }
}
