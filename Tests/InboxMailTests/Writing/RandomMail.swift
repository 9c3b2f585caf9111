import Foundation
import SeededRandom

@testable import MailComposing

/// A random mail with what people and other programs put into one: scripts, long lines, odd names, hostile characters.
struct RandomMail {
    var mail: ComposedMail
    /// The bytes of the files.
    var files: [[UInt8]]

    /// - Parameters:
    ///   - seed: The same mail for the same seed.
    ///   - upload: Returns the server's id of bytes.
    init(seed: UInt64, upload: ([UInt8]) async throws -> String) async rethrows {
        var random = Seeded(seed)
        let hasHTML = random.chance(0.5)
        files = (0..<(random.chance(0.6) ? Int.random(in: 1...4, using: &random) : 0)).map { _ in Self.bytes(&random) }
        var attachments: [ComposedMail.Attachment] = []
        for (index, file) in files.enumerated() {
            let isInline = random.chance(0.3)
            attachments.append(
                ComposedMail.Attachment(
                    blobID: try await upload(file),
                    name: random.chance(0.9) ? Self.fileName(&random) : nil,
                    type: Self.pick(Self.types, &random),
                    contentID: isInline || random.chance(0.1) ? "\(index).\(seed)@example.org" : nil,
                    isInline: isInline,
                    size: file.count
                )
            )
        }
        mail = ComposedMail(
            messageID: "\(seed).\(Self.pick(["a", "b.c", "d+e", "0"], &random))@mail.example.org",
            date: Date(timeIntervalSince1970: Double(Int.random(in: 0..<2_000_000_000, using: &random))),
            from: Self.address(&random),
            sender: random.chance(0.2) ? EmailAddress(name: Self.line(&random), email: "desk@example.net") : nil,
            replyTo: Self.addresses(0...1, &random),
            to: Self.addresses(0...12, &random),
            cc: Self.addresses(0...3, &random),
            bcc: Self.addresses(0...2, &random),
            subject: random.chance(0.9) ? Self.line(&random) : "",
            thread: ThreadHeaders(
                inReplyTo: random.chance(0.5) ? ["parent.\(seed)@example.org"] : [],
                references: (0..<Int.random(in: 0...21, using: &random)).map { index in
                    "\(index)." + String(repeating: "r", count: Int.random(in: 1...60, using: &random)) + "@example.org"
                }
            ),
            text: random.chance(0.95) ? Self.text(&random) : "",
            html: hasHTML ? Self.html(&random, attachments) : nil,
            language: random.chance(0.3) ? Self.pick(["de", "en-GB", "zh-Hant", "not a tag"], &random) : nil,
            attachments: attachments
        )
    }

    /// Puts what looks like an encoded word (RFC 2047) into every field that a person writes.
    mutating func useEncodedWords() {
        func named(_ local: String) -> [EmailAddress] {
            [
                EmailAddress(name: "=?utf-8?q?x?=", email: "\(local)@example.org"),
                EmailAddress(name: "Bob =?utf-8?b?eA==?= Smith", email: "b@bücher.example"),
                EmailAddress(email: "c@example.org"),
            ]
        }
        mail.from = named("from")[0]
        mail.sender = named("sender")[1]
        (mail.replyTo, mail.to, mail.cc, mail.bcc) = (named("r"), named("t"), named("c"), named("b"))
        mail.subject = "=?utf-8?q?x?= =?utf-8?q?y?="
        for index in mail.attachments.indices {
            mail.attachments[index].name = ["=?utf-8?q?x?=", "=?utf-8?q?x?= =?utf-8?b?eA==?=.txt"][index % 2]
        }
    }

    private static func pick<T>(_ values: [T], _ random: inout Seeded) -> T { values.randomElement(using: &random)! }

    // MARK: Texts

    private static let words = [
        "Hello", "the", "report", "Straße", "Größe", "déjà", "naïve", "Привет", "мир", "γειά", "שלום", "مرحبا", "नमस्ते",
        "สวัสดี",
        "こんにちは", "世界", "안녕하세요", "🎈", "👩‍👩‍👧‍👦", "🇩🇪", "e\u{301}", "ﬁ", "Ω", "=?UTF-8?Q?x?=", "=?utf-8?B?", "?=", "a=b", "=20",
        "<b>", "&amp;", "\"q\"", "'q'", "(c)", "a,b", "a;b", "a:b", "\\", "\\\"", "@", "#", "%41", "_", "…", "–",
        "\u{A0}", "\u{200B}",
        "\u{200F}", "\u{202E}", "\u{FEFF}", "1", "2026-11-26", "bob@example.org", "mail@пример.example",
        "https://example.org/a?b=c&d=%20", "x",
    ]

    private static func word(_ random: inout Seeded) -> String {
        switch Int.random(in: 0..<40, using: &random) {
        case 0: String(repeating: "a", count: Int.random(in: 70...1_200, using: &random))
        case 1: String(repeating: "日本語の長い文", count: Int.random(in: 5...120, using: &random))
        case 2: String(repeating: "👩‍👩‍👧‍👦", count: Int.random(in: 1...20, using: &random))
        default: pick(words, &random)
        }
    }

    /// What a field for one line can have in it, with what a program may have put there.
    private static func line(_ random: inout Seeded) -> String {
        let hostile = [
            "\r\nBcc: eve@example.org", "\n", "\r", "\u{0}", "\t", "\u{1B}[31m", "\u{85}", "\u{2028}", "\u{7F}",
            "\u{FFFE}", "  ",
        ]
        var line = (0..<Int.random(in: 1...14, using: &random)).map { _ in word(&random) }.joined(separator: " ")
        if random.chance(0.2) { line += pick(hostile, &random) + word(&random) }
        if random.chance(0.05) { line = pick(hostile, &random) + line + pick(hostile, &random) }
        return line
    }

    private static func text(_ random: inout Seeded) -> String {
        let special = [
            "From me to you", ".", "..", "-- ", "--", "--boundary--", "> quoted", ">> deeper", " indented", "\ttab",
            "trailing   ", "",
            "", "=", "=0D=0A", "\u{0}nul", "one\rtwo", "\u{2028}", "\u{0C}", "\u{85}", ">From",
            "Content-Type: text/html",
        ]
        let count = random.chance(0.05) ? 2_000 : Int.random(in: 0...30, using: &random)
        let isASCII = random.chance(0.2)
        var lines = (0..<count).map { _ in random.chance(0.3) ? pick(special, &random) : line(&random) }
        if isASCII { lines = lines.map { String($0.unicodeScalars.filter(\.isASCII)) } }
        return lines.joined(separator: pick(["\n", "\n", "\r\n"], &random)) + pick(["", "\n", " ", "\n\n"], &random)
    }

    private static func html(_ random: inout Seeded, _ attachments: [ComposedMail.Attachment]) -> String {
        let pictures = attachments.compactMap(\.contentID).map { "<img src=\"cid:\($0)\">" }
        let paragraphs = (0..<Int.random(in: 0...20, using: &random)).map { _ in "<p dir=\"auto\">\(line(&random))</p>"
        }
        return (paragraphs + pictures).joined(separator: random.chance(0.5) ? "\n" : "")
    }

    // MARK: Addresses

    private static func addresses(_ counts: ClosedRange<Int>, _ random: inout Seeded) -> [EmailAddress] {
        (0..<Int.random(in: counts, using: &random)).map { _ in address(&random) }
    }

    private static func address(_ random: inout Seeded) -> EmailAddress {
        let locals = [
            "anna", "bob.smith", "a+b", "o'brien", "x_y-z", "1", "!#$%&*/=?^`{|}~", "\"a b\"", "\"a,b\"", "\"a@b\"",
            "\"q\\\"q\"",
        ]
        let domains = [
            "example.org", "bücher.example", "例え.テスト", "xn--bcher-kva.example", "mail.sub.example.com",
            "пример.example",
        ]
        let local = random.chance(0.05) ? String(repeating: "l", count: 64) : pick(locals, &random)
        return EmailAddress(
            name: random.chance(0.8) ? line(&random) : nil,
            email: "\(local)@\(pick(domains, &random))"
        )
    }

    // MARK: Files

    private static let types = [
        "application/pdf", "image/png", "IMAGE/JPEG", "text/plain", "text/html", "text/csv", "text/calendar",
        "application/json",
        "multipart/mixed", "message/rfc822", "no type", "",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "image/svg+xml",
        "text/plain; charset=utf-8", "x/y\r\nBcc: eve@example.org", "audio/mpeg", "application/octet-stream",
    ]

    private static func fileName(_ random: inout Seeded) -> String {
        let names = [
            "report.pdf", "Bericht ü.pdf", "报告.docx", "отчёт.txt", "🎈.png", "a b.txt", "\"quoted\".txt",
            "back\\slash.txt", "semi;colon=1.txt",
            "per%20cent.txt", "it's.txt", "../../etc/passwd", "C:\\x.exe", ".hidden", "no end", "two\r\nlines.txt",
            "nul\u{0}.txt", " spaces ",
            "=?UTF-8?Q?x?= ü.txt", "=?utf-8?q?x?=", "a =?UTF-8?B?eA==?=.txt", "=?.txt", "right\u{202E}gpj.exe",
            "e\u{301}.txt", "(c).txt", "a,b.txt", "<b>.txt", "a@b.txt",
            "utf-8''x.txt", "x*0=y.txt",
            "שלום.pdf", "tab\t.txt",
        ]
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return String(repeating: "long ", count: Int.random(in: 12...80, using: &random)) + ".pdf"
        case 1: return String(repeating: "長い", count: Int.random(in: 10...80, using: &random)) + ".pdf"
        default: return pick(names, &random)
        }
    }

    private static func bytes(_ random: inout Seeded) -> [UInt8] {
        let samples: [[UInt8]] = [
            [], [0], Array("\n".utf8), Array("a\nb\r\nc\rd".utf8), Array("text without an end".utf8),
            Array("From me\n.\n--x--\n".utf8),
            Array(String(repeating: "long ", count: 400).utf8), Array("Ärger\n".utf8), [0xFF, 0xFE, 0x00, 0x0D, 0x0A],
            Array("a \n=\n".utf8),
        ]
        guard random.chance(0.5) else { return pick(samples, &random) }
        return (0..<Int.random(in: 1...5_000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
}
