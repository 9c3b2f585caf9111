public import Groundwork
public import InboxClient
import Foundation

/// Tracks the messages of a screen that count as displayed (`DisplayRule`), and marks them as seen.
@MainActor
public final class DisplayTracker {
    private let inbox: Inbox
    private let clock: any WallClock
    private var rule: DisplayRule
    private let checking = OwnedTask()
    private let onDisplay: DisplayHandler?
    private var tracking: Task<Void, Never>?

    /// Receives the messages that count as displayed, and returns the work to do once they are tracked.
    package typealias DisplayHandler = @MainActor (_ ids: [String]) -> @MainActor () -> Void

    /// Creates a tracker for a screen.
    ///
    /// - Parameters:
    ///   - inbox: The inbox of the messages.
    ///   - clock: The clock.
    public convenience init(_ inbox: Inbox, clock: any WallClock = SystemClock()) {
        self.init(inbox, rule: DisplayRule(), clock: clock)
    }

    /// - Parameters:
    ///   - inbox: The inbox of the messages.
    ///   - rule: The rule for displayed messages.
    ///   - clock: The clock.
    ///   - onDisplay: Called with the messages that count as displayed.
    package init(_ inbox: Inbox, rule: DisplayRule, clock: any WallClock, onDisplay: DisplayHandler? = nil) {
        (self.inbox, self.rule, self.clock, self.onDisplay) = (inbox, rule, clock, onDisplay)
    }

    /// Records the visible share of a message, from 0 to 1. A message that leaves the screen has a share of 0.
    public func show(_ id: String, share: Double) { show([id], share: share) }

    /// Records the visible share of several messages.
    package func show(_ ids: [String], share: Double) {
        guard !ids.isEmpty else { return }
        for id in ids { rule.show(id, share: share, at: clock.now) }
        track()
    }

    /// Waits until all messages that count as displayed by now are tracked, so that later events follow theirs.
    package func waitUntilIdle() async { await tracking?.value }

    /// Ends the visit: the screen disappears, or the app moves to the background. Messages that are shown later count
    /// as displayed again.
    public func endVisit() {
        track()
        rule.endVisit()
        checking.cancel()
    }

    /// Tracks the messages that count as displayed by now, and schedules the next check.
    ///
    /// - Parameter time: A time until which was waited, even if the clock was set back meanwhile.
    private func track(at time: Date = .distantPast) {
        let ids = rule.displayed(at: max(clock.now, time))
        if !ids.isEmpty {
            let finish = onDisplay?(ids)
            tracking = Task { [inbox, earlier = tracking] in
                await earlier?.value
                _ = try? await inbox.track(.displayed, ids)
                _ = try? await inbox.markSeen(ids)
                finish?()
            }
        }
        guard let next = rule.nextTime else { return checking.cancel() }
        checking.start { [weak self, clock] in
            guard (try? await clock.sleep(until: next)) != nil, !Task.isCancelled else { return }
            self?.track(at: next)
        }
    }
}
