import Foundation
import Groundwork
import InboxCards

/// The snooze menus of a language and time zone. Many people see the same, and computing it costs as much as several
/// cards.
final class SnoozeMenu: Sendable {
    private struct Menu: Sendable {
        let slot: Int
        let choices: [SnoozeOption.Choice]
    }

    // The menu of the last quarter of an hour that was asked for. Accessed only in `withLock`.
    private let last = Locked<Menu?>(nil)

    /// Returns the choices at a time. They change with local hours, which begin with a quarter of an hour in every
    /// zone.
    func choices(_ time: RelativeTime, now: Date) -> [SnoozeOption.Choice] {
        let slot = Int((now.timeIntervalSince1970 / 900).rounded(.down))
        if let menu = last.withLock({ $0 }), menu.slot == slot { return menu.choices }
        let choices = SnoozeOption.choices(at: now, texts: time.texts, timeZone: time.timeZone)
        last.withLock { $0 = Menu(slot: slot, choices: choices) }
        return choices
    }
}
