import Foundation
import InboxMail

/// A list of search results, two lines each, with the matches marked.
struct SearchResultList {
    /// The width in columns.
    let width: Int
    let now: Date
    let people: MailPeople

    func lines(_ results: [Mail.SearchResult]) -> [String] {
        let times = results.map { ShortTime.text($0.message.receivedAt, now: now) }
        let timeWidth = times.map(\.columns).max() ?? 0
        return zip(results, times).flatMap { result, time in
            let message = result.message
            let start =
                (message.isUnread ? ANSIStyle.success("●") : " ") + (message.isStarred ? ANSIStyle.warning("★") : " ")
            let id = String(message.threadID.suffix(6))
            let author = author(message).cut(to: max(8, min(24, width / 4)))
            let room = width - 3 - 8 - timeWidth - 2 - author.columns - 2
            let subject = HighlightedLine(result.subject)
            let title = subject.isEmpty ? ANSIStyle.dim("(no subject)") : subject.painted(to: max(8, room))
            let first = [
                message.isUnread ? ANSIStyle.accent(id) : ANSIStyle.dim(id), ANSIStyle.dim(time.padded(to: timeWidth)),
                message.isUnread ? ANSIStyle.bold(author.isolated) : author.isolated, title,
            ].joined(separator: "  ")
            let snippet = HighlightedLine(result.snippet)
            return ["\(start) \(first)"] + (snippet.isEmpty ? [] : ["   " + snippet.painted(to: max(8, width - 3))])
        }
    }

    private func author(_ message: MailMessage) -> String {
        guard let first = message.from.first else { return "(unknown)" }
        return people.isOwn(first) ? "me" : MailPeople.displayName(of: first)
    }
}
