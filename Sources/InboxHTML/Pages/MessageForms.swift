import Foundation
import Groundwork
import InboxCards
import InboxModel

/// The forms that change messages: below each card of a list, for the selected ones, and on a message's page.
struct MessageForms {
    let frame: PageFrame
    let view: ListView
    private let address: String
    private let snooze: String
    private let times: (first: String, last: String)

    init(_ frame: PageFrame, from view: ListView) {
        (self.frame, self.view) = (frame, view)
        address = frame.addresses.messages(view)
        snooze = Self.snooze(frame)
        times = Self.times(frame)
    }

    // MARK: Below a card

    /// Renders the check box and the actions of a message of the list.
    func drawTools(of message: Message, _ writer: inout HTMLWriter) {
        let title = frame.name(of: message)
        writer.markup("<form class=\"ib-tools\" method=\"post\" action=\"")
        writer.text(address)
        writer.markup("\">")
        writer.markup(Self.idleButton)
        writer.markup("<div class=\"ib-group\" role=\"group\" aria-label=\"")
        writer.text(frame.texts[.actions])
        writer.markup(": ")
        writer.text(title)
        writer.markup("\"><input type=\"hidden\" name=\"id\" value=\"")
        writer.text(message.id)
        writer.markup("\"><label class=\"ib-pick\"><input type=\"checkbox\" name=\"id\" form=\"selection\" value=\"")
        writer.text(message.id)
        writer.markup("\" autocomplete=\"off\" aria-label=\"")
        writer.text(frame.texts[.select])
        writer.markup(": ")
        writer.text(title)
        writer.markup("\"></label>")
        let snoozedUntil = view.tab == .snoozed ? message.snoozedUntil : nil
        if message.isPinned || snoozedUntil != nil {
            writer.markup("<span class=\"ib-until\">")
            if message.isPinned { writer.text(frame.texts[.pinned]) }
            if message.isPinned, snoozedUntil != nil { writer.markup(" · ") }
            if let snoozedUntil { frame.draw(snoozedUntil, &writer) }
            writer.markup("</span>")
        }
        drawButton(.main(in: view.tab), &writer)
        writer.markup("<details class=\"ib-menu\" name=\"menu\"><summary class=\"ib-quiet\">")
        writer.text(frame.texts[.actions])
        writer.markup("</summary><div class=\"ib-menu-items\">")
        drawButton(message.isUnread ? .markRead : .markUnread, &writer)
        if view.tab != .archived {
            writer.name(snooze)
            drawDate(&writer)
        }
        if view.tab == .snoozed { drawButton(.archive, &writer) }
        drawButton(.delete, &writer)
        writer.markup("</div></details></div></form>")
    }

    private func drawButton(_ change: MessageChange, _ writer: inout HTMLWriter) {
        guard let name = PageAddresses.name(of: change) else { return }
        writer.markup(change == .delete ? "<button class=\"ib-quiet ib-danger\"" : "<button class=\"ib-quiet\"")
        writer.markup(" formnovalidate name=\"do\" value=\"")
        writer.name(name)
        writer.markup("\">")
        writer.text(frame.texts.name(of: change))
        writer.markup("</button>")
    }

    /// Returns the buttons of the snooze menu, which are the same for all messages of a page.
    private static func snooze(_ frame: PageFrame) -> String {
        var writer = HTMLWriter(capacity: 1_024)
        writer.markup("<div class=\"ib-snooze\" role=\"group\" aria-label=\"")
        writer.text(frame.texts[.remindLater])
        writer.markup("\"><p aria-hidden=\"true\">")
        writer.text(frame.texts[.remindLater])
        writer.markup("</p>")
        for choice in frame.language.snoozeMenu.choices(frame.relativeTime, now: frame.now) {
            writer.markup("<button class=\"ib-quiet\" formnovalidate name=\"until\" value=\"")
            writer.time(choice.time)
            writer.markup("\"><span>")
            writer.text(frame.texts.name(of: choice.option))
            writer.markup("</span> <small>")
            writer.text(frame.text(choice.time))
            writer.markup("</small></button>")
        }
        writer.markup("</div>")
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    // MARK: For the selected messages

    /// Renders the bar with the actions on the selected messages. The page's style shows it while any is selected, and
    /// counts them. The script writes their number, so that screen readers have it.
    func drawSelectionBar(_ writer: inout HTMLWriter) {
        writer.markup("<form id=\"selection\" class=\"ib-selection\" method=\"post\" action=\"")
        writer.text(address)
        writer.markup("\">")
        writer.markup(Self.idleButton)
        writer.markup("<div class=\"ib-group\" role=\"group\"")
        writer.markup(" aria-labelledby=\"selected\"><p id=\"selected\" class=\"ib-count\"><b></b> <span>")
        writer.text(frame.texts[.selected])
        writer.markup("</span></p><button type=\"button\" class=\"ib-quiet\" id=\"select-all\" hidden>")
        writer.text(frame.texts[.selectAll])
        writer.markup("</button>")
        drawButton(.main(in: view.tab), &writer)
        drawButton(.markRead, &writer)
        drawButton(.markUnread, &writer)
        drawButton(.delete, &writer)
        writer.markup("<button type=\"reset\" class=\"ib-quiet\">")
        writer.text(frame.texts[.cancel])
        writer.markup("</button>")
        if view.tab != .archived { drawSnoozeMenu(&writer) }
        writer.markup("</div></form>")
    }

    /// Renders the menu of a snooze: the times that it offers, and any other.
    ///
    /// - Parameter typed: The local time that was typed and can't be accepted, which is shown again.
    private func drawSnoozeMenu(typed: String? = nil, _ writer: inout HTMLWriter) {
        writer.markup(typed == nil ? "<details" : "<details open")
        writer.markup(" class=\"ib-menu\" name=\"menu\"><summary class=\"ib-quiet\">")
        writer.text(frame.texts[.remindLater])
        writer.markup("</summary><div class=\"ib-menu-items\">")
        writer.name(snooze)
        drawDate(typed: typed, &writer)
        writer.markup("</div></details>")
    }

    // MARK: Any other time of a snooze

    /// Renders the field for any other time of a snooze. A browser accepts the times that the server accepts.
    private func drawDate(typed: String? = nil, _ writer: inout HTMLWriter) {
        writer.markup("<div class=\"ib-date\"><label>")
        writer.text(frame.texts[.pickDate])
        if frame.isInUTC { writer.markup(" (UTC)") }
        writer.markup("<input type=\"datetime-local\" name=\"at\" required")
        writer.attribute("min", times.first)
        writer.attribute("max", times.last)
        if let typed { writer.attribute("value", typed) }
        writer.markup("></label><button class=\"ib-action\" name=\"do\" value=\"snooze\">")
        writer.text(frame.texts[.remindLater])
        writer.markup("</button></div>")
    }

    /// The first button of a form with a field: the Enter key in the field presses it. It does nothing outside of a
    /// dialog.
    private static let idleButton: StaticString = "<button formmethod=\"dialog\" formnovalidate hidden></button>"

    /// Returns the first and the last local time that the field accepts. They change with the quarters of an hour, as
    /// the menu does: a card that hasn't changed stays as it is.
    private static func times(_ frame: PageFrame) -> (first: String, last: String) {
        let slot = (frame.now.timeIntervalSince1970 / 900).rounded(.down) * 900
        let now = Date(timeIntervalSince1970: slot)
        let timeZone = frame.relativeTime.timeZone
        return (local(now, timeZone), local(now.addingTimeInterval(SnoozeOption.maximumDuration), timeZone))
    }

    /// Returns the value of a field for local times (HTML, section 2.3.5.5): `2026-05-01T08:00`.
    private static func local(_ time: Date, _ timeZone: TimeZone) -> String {
        let offset = Double(timeZone.secondsFromGMT(for: time))
        // The local time, as if it were in UTC.
        return String(RFC3339.string(from: time.addingTimeInterval(offset)).prefix(16))
    }

    // MARK: On a message's page

    /// Renders the actions of a message that is shown whole.
    ///
    /// - Parameter typed: The local time that was typed for a snooze and can't be accepted.
    func drawActions(of message: Message, typed: String?, _ writer: inout HTMLWriter) {
        writer.markup("<form class=\"ib-actions\" method=\"post\" action=\"")
        writer.text(frame.addresses.messages(view, fromMessage: true))
        writer.markup("\"><div class=\"ib-group\" role=\"group\" aria-label=\"")
        writer.text(frame.texts[.actions])
        writer.markup("\">")
        writer.markup(Self.idleButton)
        writer.markup("<input type=\"hidden\" name=\"id\" value=\"")
        writer.text(message.id)
        writer.markup("\">")
        drawButton(message.isUnread ? .markRead : .markUnread, &writer)
        drawButton(message.archivedAt == nil ? .archive : .unarchive, &writer)
        drawButton(.delete, &writer)
        if message.archivedAt == nil {
            if message.isSnoozed(at: frame.now) { drawButton(.unsnooze, &writer) }
            drawSnoozeMenu(typed: typed, &writer)
        }
        writer.markup("</div></form>")
    }
}
