import SeededRandom

/// A generator of the threads of a ``SampleMailbox``.
struct ThreadMaker {
    var random: Seeded
    /// The name of the current thread, unique in its mailbox.
    private var name = ""

    init(random: Seeded) { self.random = random }

    private static let firstNames = [
        "Anna", "Bob", "Carol", "David", "Elif", "Françoise", "Günther", "Hiro", "Ines", "Jürgen", "Katarzyna", "Liam",
        "Mónica", "Nils", "Olga", "Priya", "Quentin", "Rosa", "Søren", "Tomás", "Uwe", "Vera", "Wei", "Zoë",
    ]
    private static let lastNames = ["Berger", "Müller", "Okafor", "Rossi", "Smith", "Tanaka", "Novák", "Ødegård"]
    private static let matters = [
        "budget", "release notes", "quarterly report", "team lunch", "contract", "Rechnung", "Angebot", "photos",
        "invoice",
        "travel plans", "server upgrade", "Besprechung", "interview", "birthday", "apartment", "réunion", "logo",
    ]
    private static let openings = [
        "Draft of the", "Question about the", "Your", "Re-scheduling the", "Neues zum Thema", "The",
        "Next steps for the",
        "Reminder:", "Can you look at the", "Notes on the",
    ]
    private static let sentences = [
        "I had a look at it yesterday and have a few questions.", "Could you send me the numbers until Friday?",
        "Sounds good to me.", "Das passt mir gut, danke für die schnelle Antwort.", "The second version is attached.",
        "Let's talk about it on the phone.", "I don't think that this will work, because the dates have changed.",
        "Thanks a lot!", "Anbei die gewünschten Unterlagen.", "We should ask Carol first, she knows the details.",
        "See https://example.com/documents/4711 for the background.", "Any news?", "À bientôt!",
        "The meeting is moved to the large room on the third floor.", "I will be away next week, back on Monday.",
    ]
    private static let me = "Alice Ahrens <alice@example.com>"

    mutating func thread(named name: String) -> SampleMailbox.Thread {
        self.name = name
        let start = SampleMailbox.end - number(3_600...SampleMailbox.seconds)
        let isNewsletter = random.chance(0.15)
        let subject = pick(Self.openings) + " " + pick(Self.matters) + (random.chance(0.5) ? " \(number(1...99))" : "")
        let people = (0..<number(1...3)).map { _ in person() }
        // Most threads are short.
        let length = isNewsletter || random.chance(0.4) ? 1 : min(number(1...12), number(1...12))
        var date = start
        var mails: [SampleMailbox.Mail] = []
        var quoted: [String] = []
        let isArchived = start < SampleMailbox.end - 90 * 86_400 && random.chance(0.7)
        for position in 0..<length where date <= SampleMailbox.end {
            let isMine = position > 0 && random.chance(0.35)
            let text = (0..<number(1...6)).map { _ in pick(Self.sentences) }
            var flags = isMine || random.chance(0.85) ? ["\\Seen"] : []
            if random.chance(0.03) { flags.append("\\Flagged") }
            if position + 1 < length, !isMine, random.chance(0.5) { flags.append("\\Answered") }
            mails.append(
                SampleMailbox.Mail(
                    bytes: mail(
                        position,
                        subject,
                        isMine ? Self.me : pick(people),
                        people,
                        date,
                        text,
                        quoted,
                        isNewsletter
                    ),
                    date: date,
                    flags: flags,
                    folder: isMine ? "Sent" : isArchived ? "Archive" : "INBOX"
                )
            )
            quoted = text
            date += number(60...200_000)
        }
        return SampleMailbox.Thread(subject: subject, mails: mails)
    }

    private mutating func mail(
        _ position: Int,
        _ subject: String,
        _ from: String,
        _ people: [String],
        _ date: Int,
        _ text: [String],
        _ quoted: [String],
        _ isNewsletter: Bool
    ) -> [UInt8] {
        let others = ([Self.me] + people).filter { $0 != from }
        var headers = """
            From: \(Self.encoded(from))
            To: \(others.map(Self.encoded).joined(separator: ",\n "))
            Subject: \(position == 0 ? "" : "Re: ")\(Self.encodedWord(subject))
            Date: \(MailDate.text(date))
            Message-ID: \(id(position))
            MIME-Version: 1.0
            """
        if position > 0 {
            let before = (0..<position).map { id($0) }
            headers += "\nIn-Reply-To: \(id(position - 1))\nReferences: \(before.joined(separator: "\n "))"
        }
        if isNewsletter { headers += "\nList-Id: News <news.example.com>\nPrecedence: bulk" }
        var plain = text.joined(separator: "\n")
        if !quoted.isEmpty {
            plain +=
                "\n\nOn \(MailDate.text(date - 60)) someone wrote:\n" + quoted.map { "> \($0)" }.joined(separator: "\n")
        }
        let body: String
        if isNewsletter || random.chance(0.6) {
            let html = text.map { "<p>\($0)</p>" }.joined(separator: "\n")
            body = """
                Content-Type: multipart/alternative; boundary=a

                --a
                \(Self.part("plain", plain))
                --a
                \(Self.part("html", "<html><body>\n\(html)\n</body></html>"))
                --a--
                """
        } else {
            body = Self.part("plain", plain)
        }
        guard random.chance(0.12) else { return SampleMail.lines("\(headers)\n\(body)") }
        let file = (0..<number(200...4_000)).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        return SampleMail.lines(
            """
            \(headers)
            Content-Type: multipart/mixed; boundary=m

            --m
            \(body)
            --m
            Content-Type: application/pdf; name="document \(position).pdf"
            Content-Disposition: attachment; filename="document \(position).pdf"
            Content-Transfer-Encoding: base64

            \(SampleMail.base64(file))
            --m--
            """
        )
    }

    private func id(_ position: Int) -> String { "<\(name)-\(position)@mailbox.example>" }

    private mutating func person() -> String {
        let first = pick(Self.firstNames)
        let address = first.unicodeScalars.filter(\.isASCII).map { String($0) }.joined().lowercased()
        return "\(first) \(pick(Self.lastNames)) <\(address)@example.com>"
    }

    private mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private static func part(_ kind: String, _ text: String) -> String {
        "Content-Type: text/\(kind); charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n\(text)"
    }

    /// Returns a name and an address, with the name encoded if needed.
    private static func encoded(_ person: String) -> String {
        let parts = person.split(separator: " <", maxSplits: 1)
        return parts.count == 2 ? "\(encodedWord(String(parts[0]))) <\(parts[1])" : person
    }

    /// Returns the text, encoded according to RFC 2047 if it isn't ASCII.
    private static func encodedWord(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : "=?utf-8?B?\(SampleMail.base64(Array(text.utf8)))?="
    }
}
