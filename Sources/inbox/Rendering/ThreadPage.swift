import Foundation
import HTMLCleaning
import InboxMail

/// A whole thread as text for a terminal, with the oldest mail first.
struct ThreadPage {
    /// A mail and its body, if this device holds it.
    struct Item {
        let message: MailMessage
        /// Nil if this device doesn't hold the body.
        let body: MailBody?
    }

    /// The width in columns.
    let width: Int
    let now: Date
    /// The version of a mail's text that is shown.
    var version = Version.best

    /// A version of the text of a mail that has HTML.
    enum Version {
        /// The mail's own text, or its HTML where that text is only a stub (``HTMLFallbackText``).
        case best
        /// The HTML, drawn.
        case html
        /// The HTML's source.
        case source
    }

    /// The maximum number of recipients that are named.
    private static let maxNames = 5

    func lines(_ thread: MailThread, _ items: [Item], mailboxes: [Mailbox]) -> [String] {
        let width = min(width, CardDrawing.maxWidth)
        let names = mailboxes.filter { thread.mailboxIDs.contains($0.id) }.map(\.name.plainLine.isolated)
        let facts =
            [thread.id, counted(items.count, "mail"), names.joined(separator: ", ")]
            + (thread.isStarred ? ["starred"] : [])
        var lines = thread.headline.wrapped(to: width).map { ANSIStyle.bold($0.isolated) }
        lines += facts.filter { !$0.isEmpty }.joined(separator: " · ").wrapped(to: width).map(ANSIStyle.dim)
        for item in items {
            lines += ["", ANSIStyle.dim(String(repeating: "─", count: width))]
            lines += header(item.message, width: width)
            lines.append("")
            lines += text(item, width: width)
            lines += files(item.body?.listedFiles ?? [], width: width)
        }
        return lines
    }

    private func header(_ message: MailMessage, width: Int) -> [String] {
        let marks =
            (message.isUnread ? ANSIStyle.success(" ●") : "") + (message.isStarred ? ANSIStyle.warning(" ★") : "")
        let time = message.sentAt ?? message.receivedAt
        var facts = [("From", people(message.from), ANSIStyle.bold), ("To", people(message.to), { $0 })]
        if !message.cc.isEmpty { facts.append(("Cc", people(message.cc), { $0 })) }
        facts.append(("Date", ShortTime.exact(time, now: now), { $0 }))
        facts.append(("Subject", message.subject.plainLine, { $0 }))
        if message.isDraft { facts.append(("Draft", "not sent yet", ANSIStyle.warning)) }
        let room = width - 9
        return facts.enumerated().flatMap { index, fact in
            let (label, value, paint) = fact
            return (value.isEmpty ? "–" : value).wrapped(to: index == 0 ? room - 4 : room).enumerated().map {
                number,
                line in
                ANSIStyle.dim((number == 0 ? label : "").padded(to: 9)) + paint(line.isolated)
                    + (index == 0 && number == 0 ? marks : "")
            }
        }
    }

    private func people(_ people: [EmailAddress]) -> String {
        let named = people.prefix(Self.maxNames).map(MailPeople.nameAndAddress).joined(separator: ", ")
        return people.count > Self.maxNames ? "\(named) and \(people.count - Self.maxNames) more" : named
    }

    private func text(_ item: Item, width: Int) -> [String] {
        guard let body = item.body else {
            let snippet = item.message.snippet.plainLine.wrapped(to: width).map(\.isolated)
            return snippet + [ANSIStyle.dim("(The rest isn't on this device.)")]
        }
        var lines: [String] = []
        if version == .source, let html = body.html {
            lines = html.plainText.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        } else if let html = body.html,
            version == .html || body.isTextFromHTML || HTMLFallbackText.isStub(body.text, besides: html)
        {
            lines = HTMLDrawing(width: width, options: HTMLCleaner.Options()).lines(html)
        } else {
            for part in body.parts {
                // A part's last line break would be an empty line before the next part.
                let text = part.text.hasSuffix("\n") ? String(part.text.dropLast()) : part.text
                switch part.kind {
                case .own: lines += LinkedText.lines(text, width: width)
                case .quoted, .signature:
                    lines += text.plainText.wrapped(to: width).map { ANSIStyle.dim($0.isolated) }
                }
            }
            lines = Self.withoutEmptyEnds(lines)
        }
        if lines.isEmpty { lines = [ANSIStyle.dim(CardDrawing.noText)] }
        if body.isTruncated { lines += ["", ANSIStyle.dim("(The text is longer; the rest wasn't requested.)")] }
        if body.isEncodingProblem {
            lines += ["", ANSIStyle.dim("(Some text couldn't be decoded: its declared encoding is wrong.)")]
        }
        return lines
    }

    /// Collapses consecutive empty lines into one, and removes those at the ends.
    private static func withoutEmptyEnds(_ lines: [String]) -> [String] {
        var kept: [String] = []
        for line in lines where !(line.columns == 0 && kept.last?.columns ?? 0 == 0) { kept.append(line) }
        if kept.last?.columns == 0 { kept.removeLast() }
        return kept
    }

    private func files(_ files: [MailFile], width: Int) -> [String] {
        guard !files.isEmpty else { return [] }
        return [""]
            + files.map { file in
                let facts = "  \(ByteCount.text(file.size))  \(file.type.plainLine)"
                let name = FileName.shown(file).cut(to: max(8, width - 2 - facts.columns))
                return "▤ " + ANSIStyle.accent(name.isolated) + ANSIStyle.dim(facts)
            }
    }
}
