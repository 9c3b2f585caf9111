import InboxCards
import InboxModel

/// The numbers beside the tabs of an inbox.
package struct TabCounts: Hashable, Sendable {
    /// The number of unread messages in the inbox.
    package var unread: UnreadCount
    package var archived: UnreadCount
    package var snoozed: UnreadCount

    package init(
        unread: UnreadCount,
        archived: UnreadCount = UnreadCount(0),
        snoozed: UnreadCount = UnreadCount(0)
    ) {
        (self.unread, self.archived, self.snoozed) = (unread, archived, snoozed)
    }

    /// Returns the number beside a tab, as text, or nil for none.
    func badge(of tab: InboxTab) -> String? {
        let badge = tab.badge(unread: unread.count, archived: archived.count, snoozed: snoozed.count)
        guard badge != nil else { return nil }
        return switch tab {
        case .inbox, .unread: unread.text
        case .archived: archived.text
        case .snoozed: snoozed.text
        }
    }
}

// The parts above the list: tabs, search, and the form that marks all messages as read.

extension ListPage {
    func drawTabs(_ frame: PageFrame, _ writer: inout HTMLWriter) {
        let texts = frame.texts
        writer.markup("<div class=\"ib-bar\"><nav id=\"tabs\" class=\"ib-tabs\" data-live")
        writer.attribute("aria-label", texts[.inbox])
        writer.markup(">")
        for tab in InboxTab.allCases {
            // The search stays, as in apps.
            let other = ListView(surface: view.surface, tab: tab, search: view.search)
            writer.markup("<a")
            writer.attribute("href", frame.addresses.list(other))
            if tab == view.tab { writer.markup(" aria-current=\"page\"") }
            writer.markup(">")
            writer.text(texts.name(of: tab))
            if let badge = counts.badge(of: tab) {
                writer.markup(" <b>")
                writer.text(badge)
                writer.markup("</b>")
            }
            writer.markup("</a>")
        }
        writer.markup("</nav><form class=\"ib-search\" role=\"search\" method=\"get\"")
        writer.attribute("action", frame.addresses.root)
        writer.markup(">")
        if let surface = view.surface { writer.hidden(ListView.Name.surface, surface) }
        if view.tab != .inbox { writer.hidden(ListView.Name.tab, view.tab.rawValue) }
        writer.markup("<input type=\"search\" autocomplete=\"off\" enterkeyhint=\"search\" dir=\"auto\"")
        writer.attribute("name", ListView.Name.search)
        writer.attribute("value", view.search ?? "")
        writer.attribute("aria-label", texts[.search])
        writer.attribute("placeholder", texts[.search])
        writer.markup("><button class=\"ib-quiet\">")
        writer.text(texts[.search])
        writer.markup("</button>")
        if view.search != nil {
            let whole = ListView(surface: view.surface, tab: view.tab)
            writer.link(to: frame.addresses.list(whole), class: "ib-quiet", label: texts[.endSearch])
        }
        writer.markup("</form></div>")
    }

    /// The number of messages that a search has found, or nil without a search, or if nothing was found yet.
    func foundText(_ texts: CardTexts) -> String? {
        guard view.search != nil else { return nil }
        let isExact = next == nil && !isCut && view.before == nil
        guard !isExact else { return texts.messageCount(messages.count) }
        return messages.isEmpty ? nil : texts.messageCount(atLeast: messages.count)
    }

    /// Renders the number of messages that a search has found.
    func drawFound(_ frame: PageFrame, _ writer: inout HTMLWriter) {
        guard view.search != nil else { return }
        writer.markup("<p id=\"found\" class=\"ib-caption ib-found\" data-live role=\"status\">")
        writer.text(foundText(frame.texts) ?? "")
        writer.markup("</p>")
    }

    func drawReadAll(_ frame: PageFrame, _ writer: inout HTMLWriter) {
        writer.markup("<div id=\"read-all\" data-live>")
        if let state, view.tab.hasPinnedFirst, view.search == nil, counts.unread.count > 0 {
            writer.markup("<form method=\"post\"")
            writer.attribute("action", frame.addresses.readAll(view))
            writer.markup(">")
            writer.hidden("state", state)
            writer.markup("<button class=\"ib-quiet\">")
            writer.text(frame.texts[.markAllAsRead])
            writer.markup("</button></form>")
        }
        writer.markup("</div>")
    }
}

extension HTMLWriter {
    /// Writes a field that isn't shown.
    fileprivate mutating func hidden(_ name: String, _ value: String) {
        markup("<input type=\"hidden\"")
        attribute("name", name)
        attribute("value", value)
        markup(">")
    }
}

/// The number of unread messages in an inbox.
package struct UnreadCount: Hashable, Sendable {
    /// The number, or a lower bound.
    package var count: Int
    /// Whether the number is exact. A page doesn't count all messages of a large inbox.
    package var isExact: Bool

    package init(_ count: Int, isExact: Bool = true) {
        self.count = count
        self.isExact = isExact
    }

    /// The number as text: `12`, or `12+` for a lower bound.
    var text: String { isExact ? String(count) : "\(count)+" }
}
