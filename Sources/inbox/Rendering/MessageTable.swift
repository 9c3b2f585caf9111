import Foundation
import InboxCards
import InboxClient
import TextTable

/// A table of messages that fits the terminal.
struct MessageTable {
    /// The width in columns.
    let width: Int
    let now: Date
    /// Whether pinned messages come first.
    var hasPinnedFirst = true

    private struct Row {
        var mark: String
        var id: String
        var time: String
        var category: String
    }

    /// The widths in columns, without the space between them. 0 for a column that isn't shown.
    private struct Widths {
        var time: Int
        var category: Int
        var text: Int
    }

    /// Returns the lines of the table, with a header.
    func lines(_ messages: [Message]) -> [String] {
        let messages = hasPinnedFirst ? messages.pinnedFirst : messages
        let rows = messages.map(row)
        // A very narrow table has no times.
        let timeWidth = width < 34 ? 0 : max(4, rows.map(\.time.columns).max() ?? 0)
        let categories = rows.map(\.category.columns).max() ?? 0
        // A narrow table has no categories, to leave room for the text.
        let categoryWidth = categories == 0 || width < 70 ? 0 : min(14, max(8, categories))
        let others = 3 + 8 + (timeWidth == 0 ? 0 : timeWidth + 2) + (categoryWidth == 0 ? 0 : categoryWidth + 2)
        let textWidth = max(8, width - others)
        let widths = Widths(time: timeWidth, category: categoryWidth, text: textWidth)
        let table = TextTable<(row: Row, message: Message)> { pair in columns(pair.row, pair.message, widths) }
        return table.lines(zip(rows, messages).map { (row: $0, message: $1) })
    }

    private func columns(_ row: Row, _ message: Message, _ widths: Widths) -> [Column] {
        let isUnread = message.isUnread
        let id = isUnread ? ANSIStyle.accent(row.id) : ANSIStyle.dim(row.id)
        let time = isUnread ? ANSIStyle.bold(row.time) : ANSIStyle.dim(row.time)
        var columns = [
            Column(title: "", value: mark(row.mark), width: 2),
            Column(title: "Id", value: id, width: 7),
        ]
        if widths.time > 0 { columns.append(Column(title: "Time", value: time, width: widths.time + 1)) }
        if widths.category > 0 {
            let category = row.category.cut(to: widths.category).isolated
            columns.append(Column(title: "Category", value: ANSIStyle.dim(category), width: widths.category + 1))
        }
        columns.append(Column(title: "Message", value: text(message, width: widths.text), width: widths.text))
        return columns
    }

    private func row(_ message: Message) -> Row {
        Row(
            mark: (message.isUnread ? "●" : " ") + (message.isPinned ? "▲" : " "),
            id: message.shortID,
            time: ShortTime.text(message.deliverAt, now: now),
            category: (message.category ?? "").plainLine
        )
    }

    private func mark(_ mark: String) -> String {
        mark.map { $0 == "●" ? ANSIStyle.success("●") : $0 == "▲" ? ANSIStyle.warning("▲") : " " }.joined()
    }

    /// Returns the headline and, if there is room, the beginning of the text.
    private func text(_ message: Message, width: Int) -> String {
        let headline = message.headline.cut(to: width)
        let body = message.body.plainLine
        let room = width - headline.columns - 2
        let painted = message.isUnread ? ANSIStyle.bold(headline.isolated) : headline.isolated
        guard room >= 8, !body.isEmpty, body != message.headline else { return painted }
        return painted + "  " + ANSIStyle.dim(body.cut(to: room).isolated)
    }
}

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
            return tab == current ? ANSIStyle.bold(label) : ANSIStyle.dim(label)
        }.joined(separator: ANSIStyle.dim(" · "))
    }
}
