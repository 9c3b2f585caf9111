import InboxCards
import InboxClient

/// The tabs of an inbox with their numbers, on one line.
struct TabLine {
    let counts: MessageCounts
    /// The tab that is shown; nil for none.
    var current: InboxTab?
    var texts = TerminalLanguage.texts

    /// The line: `Inbox 3 · Unread 3 · Archived · Snoozed 1`. The number of the inbox is that of its unread messages,
    /// as on other screens.
    var text: String {
        InboxTab.allCases.map { tab in
            let name = texts.name(of: tab).plainLine
            let label = counts.badge(of: tab).map { "\(name) \($0)" } ?? name
            return tab == current ? Paint.strong(label) : Paint.faint(label)
        }.joined(separator: Paint.faint(" · "))
    }
}
