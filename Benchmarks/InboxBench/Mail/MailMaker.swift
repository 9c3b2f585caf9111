import Foundation
import RunningMailServer
import SeededRandom

/// Generates the threads of ``MailCorpus``.
struct MailMaker {
    private var random = Seeded(2)
    private var people: [String] = []
    private var threads = 0

    private static let me = "Alice Ahrens <alice@example.com>"
    private static let longest = 12

    init() {
        for number in 0..<300 {
            let (first, last) = (word(), word())
            people.append("\(first.capitalized) \(last.capitalized) <person\(number)@\(number % 40).example>")
        }
    }

    mutating func thread() -> [MailCorpus.Mail] {
        threads += 1
        let subject = text(Int.random(in: 2...7, using: &random)).capitalized
        let others = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            people.randomElement(using: &random) ?? Self.me
        }
        let length = random.chance(0.5) ? 1 : min(number(1...Self.longest), number(1...Self.longest))
        var date = SampleMailbox.end - number(0...(730 * 86_400))
        let isArchived = date < SampleMailbox.end - 90 * 86_400 && random.chance(0.7)
        var mails: [MailCorpus.Mail] = []
        var quoted: [String] = []
        for position in 0..<length where date <= SampleMailbox.end {
            let isMine = position > 0 && random.chance(0.3)
            let from = isMine ? Self.me : others[position % others.count]
            let paragraphs = (0..<number(2...8)).map { _ in text(number(10...60)) }
            let headers = headers(position, subject: subject, from: from, others: others, date: date)
            let content = headers + body(paragraphs, quoted)
            mails.append(
                MailCorpus.Mail(
                    folder: isMine ? "Sent" : isArchived ? "Archive" : "INBOX",
                    bytes: Array(content.replacing("\n", with: "\r\n").utf8),
                    flags: isMine || random.chance(0.9) ? ["\\Seen"] : [],
                    date: date
                )
            )
            quoted = paragraphs + quoted.prefix(12).map { "> \($0)" }
            date += number(60...200_000)
        }
        return mails
    }

    private mutating func headers(_ position: Int, subject: String, from: String, others: [String], date: Int)
        -> String
    {
        var lines: [String] = []
        for relay in 0..<3 {
            lines.append("Received: from mx\(relay).example (mx\(relay).example [192.0.2.\(number(1...254))])")
            lines.append("\tby mail\(relay).example (Postfix) with ESMTPS id \(token(12))")
            lines.append("\tfor <alice@example.com>; \(MailDate.text(date))")
        }
        lines.append("DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example; s=selector;")
        lines.append("\th=from:to:subject:date:message-id; bh=\(token(44));")
        for part in 0..<5 { lines.append("\t\(part == 0 ? "b=" : "")\(token(68))") }
        lines.append("From: \(encoded(from))")
        let to = ([Self.me] + others).filter { $0 != from }
        lines.append("To: \((to.isEmpty ? [Self.me] : to).map(encoded).joined(separator: ",\n "))")
        lines.append("Subject: \(position == 0 ? "" : "Re: ")\(encodedWord(subject))")
        lines.append("Date: \(MailDate.text(date))")
        lines.append("Message-ID: \(id(position))")
        if position > 0 {
            lines.append("In-Reply-To: \(id(position - 1))")
            lines.append("References: \((0..<position).map { id($0) }.joined(separator: "\n "))")
        }
        return lines.joined(separator: "\n") + "\nMIME-Version: 1.0\n"
    }

    private mutating func body(_ paragraphs: [String], _ quoted: [String]) -> String {
        let quotation = quoted.isEmpty ? "" : "\n\nOn that day someone wrote:\n" + lines(quoted.map { "> \($0)" })
        let plain = part("text/plain; charset=utf-8", "8bit", lines(paragraphs) + quotation)
        var content = plain
        if random.chance(0.7) {
            let style = "font-family: Arial, sans-serif; font-size: 14px; margin: 0 0 12px 0"
            let html = (paragraphs + quoted).map { "<p style=\"\(style)\">\(lines([$0]))</p>" }.joined(separator: "\n")
            content = several(
                "alternative",
                [plain, part("text/html; charset=utf-8", "8bit", "<html><body>\n\(html)\n</body></html>")]
            )
        }
        guard random.chance(0.1) else { return content }
        let file = (0..<number(1_000...9_000)).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let name = "document.pdf"
        let disposition = "application/pdf; name=\(name)\nContent-Disposition: attachment; filename=\(name)"
        let base64 = Data(file).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
        return several("mixed", [content, part(disposition, "base64", base64)])
    }

    private func several(_ kind: String, _ parts: [String]) -> String {
        let parts = parts.map { "--\(kind)\n\($0)\n" }.joined()
        return "Content-Type: multipart/\(kind); boundary=\(kind)\n\n\(parts)--\(kind)--\n"
    }

    private func part(_ type: String, _ encoding: String, _ text: String) -> String {
        "Content-Type: \(type)\nContent-Transfer-Encoding: \(encoding)\n\n\(text)"
    }

    /// Returns paragraphs broken into lines of a dozen words. Each line of a quoted paragraph begins with its quotation
    /// mark.
    private func lines(_ paragraphs: [String]) -> String {
        paragraphs.map { paragraph in
            let mark = String(paragraph.prefix { $0 == ">" || $0 == " " })
            let words = paragraph.dropFirst(mark.count).split(separator: " ")
            return stride(from: 0, to: words.count, by: 12).map { start in
                mark + words[start..<min(start + 12, words.count)].joined(separator: " ")
            }.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    private func id(_ position: Int) -> String { "<\(threads)-\(position)@mailbox.example>" }

    private func encoded(_ person: String) -> String {
        let parts = person.split(separator: " <", maxSplits: 1)
        return parts.count == 2 ? "\(encodedWord(String(parts[0]))) <\(parts[1])" : person
    }

    /// Returns the text in the encoding of RFC 2047 if it isn't ASCII, one encoded word per word.
    private func encodedWord(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        // The space between two encoded words is ignored, so it has to be part of one of them.
        let words = text.split(separator: " ")
        return words.enumerated().map { place, word in
            let text = place + 1 < words.count ? "\(word) " : String(word)
            return "=?utf-8?B?\(Data(text.utf8).base64EncodedString())?="
        }.joined(separator: "\n ")
    }

    private mutating func word() -> String { MailCorpus.words.any(&random) }

    private mutating func text(_ count: Int) -> String { (0..<count).map { _ in word() }.joined(separator: " ") }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func token(_ length: Int) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
        return String(
            decoding: (0..<length).map { _ in alphabet[number(0...alphabet.count - 1)] },
            as: UTF8.self
        )
    }
}
