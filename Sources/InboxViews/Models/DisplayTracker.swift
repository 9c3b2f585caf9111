public import Groundwork
public import InboxClient
import Foundation

/// Tracks the messages of a screen that count as displayed (`DisplayRule`), and marks them as seen.
@MainActor
public final class DisplayTracker {
    private let inbox: Inbox
    private let clock: any WallClock
    private var rule = DisplayRule()
    private let checking = OwnedTask()

    /// - Parameters:
    ///   - inbox: The inbox of the messages.
    ///   - clock: The clock.
    public init(_ inbox: Inbox, clock: any WallClock = SystemClock()) {
        self.inbox = inbox
        self.clock = clock
    }

    /// Records the visible share of a message, from 0 to 1. A message that leaves the screen has a share of 0.
    public func show(_ id: String, share: Double) {
        rule.show(id, share: share, at: clock.now)
        track()
    }

    /// Ends the visit: the screen disappears, or the app moves to the background. What is shown later is displayed
    /// again.
    public func endVisit() {
        track()
        rule.endVisit()
        checking.cancel()
    }

    /// Tracks the messages that count as displayed by now, and schedules the next check.
    private func track() {
        let ids = rule.displayed(at: clock.now)
        if !ids.isEmpty {
            Task { [inbox] in
                _ = try? await inbox.track(.displayed, ids)
                _ = try? await inbox.markSeen(ids)
            }
        }
        guard let next = rule.nextTime else { return checking.cancel() }
        checking.start { [weak self, clock] in
            guard (try? await clock.sleep(until: next)) != nil, !Task.isCancelled else { return }
            self?.track()
        }
    }
}
