package import Foundation
package import Groundwork
package import InboxCards

/// Calls a closure when the text of a shown time changes, and again after that.
@MainActor
package final class RelativeTimeTimer {
    private let clock: any WallClock
    private let waiting = OwnedTask()

    package init(clock: any WallClock) { self.clock = clock }

    /// The clock's time.
    package var now: Date { clock.now }

    /// Waits for the next change of one of several times, in place of the wait before.
    ///
    /// - Parameters:
    ///   - times: The times that are shown.
    ///   - texts: How they are written.
    ///   - change: Is called with the time at each change.
    package func wait(for times: [Date], in texts: RelativeTime, change: @escaping @MainActor (Date) -> Void) {
        wait(for: times, in: texts, after: clock.now, change)
    }

    private func wait(
        for times: [Date],
        in texts: RelativeTime,
        after now: Date,
        _ change: @escaping @MainActor (Date) -> Void
    ) {
        guard let next = times.compactMap({ texts.nextChange(of: $0, after: now) }).min() else {
            waiting.cancel()
            return
        }
        waiting.start { [weak self, clock] in
            guard (try? await clock.sleep(until: next)) != nil, !Task.isCancelled, let self else { return }
            let now = clock.now
            change(now)
            wait(for: times, in: texts, after: now, change)
        }
    }
}
