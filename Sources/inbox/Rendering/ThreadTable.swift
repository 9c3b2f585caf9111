import Foundation
import InboxMail
import TextTable

/// A table of mail threads that fits the terminal: one line per thread, two on a narrow terminal.
struct ThreadTable {
    /// The width in columns.
    let width: Int
    let now: Date
    let people: MailPeople

    /// The minimum width for one line per thread.
    private static let wide = 76

    /// The number of lines per thread.
    var linesPerItem: Int { Self.linesPerItem(width: width) }

    /// Returns the number of lines per thread in a table of a width.
    static func linesPerItem(width: Int) -> Int { width < wide ? 2 : 1 }

    func lines(_ threads: [MailThread]) -> [String] {
        linesPerItem == 2 ? threads.flatMap(narrow) : table(threads)
    }

    private func table(_ threads: [MailThread]) -> [String] {
        let times = threads.map { ShortTime.text($0.lastMessageDate, now: now) }
        let timeWidth = max(4, times.map(\.columns).max() ?? 0)
        let peopleWidth = min(30, max(18, width / 5))
        let textWidth = max(12, width - 3 - 7 - 1 - timeWidth - 2 - peopleWidth - 2)
        let table = TextTable<(thread: MailThread, time: String)> { row in
            let thread = row.thread
            let people = people.line(thread, limit: peopleWidth)
            return [
                Column(title: "", value: mark(thread), width: 2),
                Column(title: "Id", value: id(thread), width: 7),
                Column(title: "Time", value: emphasized(row.time, thread, else: ANSIStyle.dim), width: timeWidth + 1),
                Column(title: "People", value: emphasized(people, thread) { $0 }, width: peopleWidth + 1),
                Column(title: "Subject", value: text(thread, width: textWidth), width: textWidth),
            ]
        }
        let rows = Array(zip(threads, times)).map { (thread: $0, time: $1) }
        return table.lines(rows)
    }

    private func narrow(_ thread: MailThread) -> [String] {
        // The narrowest terminals have no room for the time.
        let time = width < 32 ? "" : " " + ShortTime.text(thread.lastMessageDate, now: now)
        let room = max(4, width - 3 - time.columns - 7)
        let people = people.line(thread, limit: room)
        let first = emphasized(people.padded(to: room), thread) { $0 } + ANSIStyle.dim(time)
        return [
            "\(mark(thread)) \(first) \(id(thread))",
            "   " + text(thread, width: max(8, width - 3)),
        ]
    }

    private func mark(_ thread: MailThread) -> String {
        (thread.isUnread ? ANSIStyle.success("●") : " ") + (thread.isStarred ? ANSIStyle.warning("★") : " ")
    }

    private func id(_ thread: MailThread) -> String {
        thread.isUnread ? ANSIStyle.accent(thread.shortID) : ANSIStyle.dim(thread.shortID)
    }

    private func emphasized(_ text: String, _ thread: MailThread, else paint: (String) -> String) -> String {
        thread.isUnread ? ANSIStyle.bold(text) : paint(text)
    }

    /// Returns the subject and, if there is room, the beginning of the latest mail.
    private func text(_ thread: MailThread, width: Int) -> String {
        let marks = thread.hasAttachments ? Self.fileMark : ""
        let subject = thread.headline.cut(to: width - marks.columns)
        let painted = ANSIStyle.dim(marks) + emphasized(subject.isolated, thread) { $0 }
        let snippet = thread.snippet.plainLine
        let room = width - marks.columns - subject.columns - 2
        guard room >= 8, !snippet.isEmpty, snippet != thread.headline else { return painted }
        return painted + "  " + ANSIStyle.dim(snippet.cut(to: room).isolated)
    }

    /// The mark before the subject of a thread with attachments.
    private static let fileMark = "▤ "
}
