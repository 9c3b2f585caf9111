package import Foundation
package import Groundwork
import Observation

/// The last action of a screen, while it can be undone.
@MainActor
@Observable
package final class PendingUndo<Action> {
    /// The action; nil if there is none to undo.
    package private(set) var action: Action?
    /// The seconds for which an action can be undone; infinity for until the next action.
    @ObservationIgnored package var time: TimeInterval

    @ObservationIgnored private let clock: any WallClock
    @ObservationIgnored private let ending = OwnedTask()

    package init(time: TimeInterval, clock: any WallClock) {
        (self.time, self.clock) = (time, clock)
    }

    /// Offers to undo an action in place of the one before.
    ///
    /// - Parameter action: The action; nil to end the offer.
    package func offer(_ action: Action?) {
        ending.cancel()
        self.action = action
        guard action != nil, time.isFinite else { return }
        let end = clock.now.addingTimeInterval(max(0, time))
        ending.start { [weak self, clock] in
            guard (try? await clock.sleep(until: end)) != nil, !Task.isCancelled else { return }
            self?.action = nil
        }
    }

    /// Undoes the action, if there is one. If that fails, it can be tried again, unless there is another action by
    /// then.
    ///
    /// - Throws: The error of the closure.
    package func undo(_ body: @MainActor (Action) async throws -> Void) async throws {
        guard let action else { return }
        offer(nil)
        do {
            try await body(action)
        } catch {
            if self.action == nil { offer(action) }
            throw error
        }
    }
}
