/// The prefix of a subject that marks a reply or a forwarded mail, such as `Re:`.
///
/// Those of many languages and programs are known, with a count (`RE[2]:`, `Re^2:`), with or without spaces, with a
/// period (`Redir.:`), and with a full-width colon. Tags of mailing lists, such as `[swift-dev]`, stay, and so do
/// abbreviations of people, such as `Betr.:` (German, "about").
///
/// Without its language, a prefix looks like any other word. The single letters `R` and `I` of Italian programs count:
/// each answer would add one more. Left out are those that begin subjects of people more often than answers: `TL` and
/// `CT` (Vietnamese; a CT scan), `ATS` and `PERS` (Lithuanian; applicant tracking, personal), `HA` and `Пер` (Russian;
/// "on", a translation), `回復` (Chinese; "restored" in Japanese), `ER` and `BR` (Basque), and `Vedr` (Danish, "about").
package enum SubjectPrefix {
    /// The maximum length of a subject in bytes. RFC 5322 has none; this one keeps a mail's headers small.
    package static let maxSubjectLength = 2_000

    /// Returns the subject of a reply: `Re: `, and the subject without prefixes.
    package static func reply(to subject: String) -> String { prefixed("Re:", subject) }

    /// Returns the subject of a mail that is forwarded: `Fwd: `, and the subject without prefixes.
    package static func forward(_ subject: String) -> String { prefixed("Fwd:", subject) }

    /// Whether a subject is that of a mail that is forwarded, in English or German.
    package static func isForwarded(_ subject: String) -> Bool {
        ["fwd:", "fw:", "wg:"].contains { subject.lowercased().hasPrefix($0) }
    }

    private static func prefixed(_ prefix: String, _ subject: String) -> String {
        let base = base(of: subject)
        return base.isEmpty ? prefix : PlainCharacters.cut("\(prefix) \(base)", maxLength: maxSubjectLength)
    }

    /// Returns a subject without prefixes, in one line. Tags between prefixes are each kept once, in front.
    ///
    /// Time is linear in the length of the subject.
    package static func base(of subject: String) -> String {
        let scalars = Array(subject.unicodeScalars)
        var (index, rest) = (0, 0)
        // The tags before the last prefix, and those after it.
        var (before, after): ([String], [String]) = ([], [])
        while true {
            // Programs for scripts from right to left put marks of direction around prefixes.
            index = skipSpaces(scalars, from: index, withMarks: true)
            if let end = prefixEnd(scalars, from: index) {
                (index, rest) = (end, end)
                before += after
                after = []
            } else if let end = tagEnd(scalars, from: index) {
                after.append(string(scalars[index..<end]))
                index = end
            } else {
                break
            }
        }
        var seen = Set(after.map { $0.lowercased() })
        let kept = before.filter { seen.insert($0.lowercased()).inserted }
        return PlainCharacters.line(
            (kept + [string(scalars[skipSpaces(scalars, from: rest)...])]).joined(separator: " "),
            maxLength: maxSubjectLength
        )
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// Returns the place after spaces and control characters.
    ///
    /// - Parameter withMarks: Whether invisible marks are skipped, too.
    private static func skipSpaces(_ scalars: [Unicode.Scalar], from start: Int, withMarks: Bool = false) -> Int {
        var index = start
        while index < scalars.count {
            let properties = scalars[index].properties
            let isSpace = properties.isWhitespace || EmailAddress.isControl(scalars[index])
            guard isSpace || (withMarks && properties.generalCategory == .format) else { break }
            index += 1
        }
        return index
    }

    /// Returns the place after a prefix with its colon, or nil.
    private static func prefixEnd(_ scalars: [Unicode.Scalar], from start: Int) -> Int? {
        guard var index = wordsEnd(scalars, from: start) else { return nil }
        // A single letter with a period is a number.
        if index - start > 1, index < scalars.count, scalars[index] == "." {
            guard !abbreviations.contains(string(scalars[start..<index]).lowercased()) else { return nil }
            index += 1
        }
        index = countEnd(scalars, from: index)
        index = skipFewSpaces(scalars, from: index)
        guard index < scalars.count, [":", "\u{FF1A}", "\u{FE55}"].contains(scalars[index]) else { return nil }
        return index + 1
    }

    /// Returns the place after the word of a prefix, or after both of its words; nil if there is none.
    private static func wordsEnd(_ scalars: [Unicode.Scalar], from start: Int) -> Int? {
        let end = wordEnd(scalars, from: start)
        let word = string(scalars[start..<end]).lowercased()
        if let second = secondWords[word] {
            let next = skipFewSpaces(scalars, from: end)
            let secondEnd = wordEnd(scalars, from: next)
            if next > end, string(scalars[next..<secondEnd]).lowercased() == second { return secondEnd }
        }
        return words.contains(word) ? end : nil
    }

    private static func wordEnd(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
        var index = start
        while index < scalars.count, index - start <= maxWordLength, isLetter(scalars[index]) { index += 1 }
        return index
    }

    /// Returns the place after a count such as `[2]`, `(2)`, `^2` or `*2`, or the same place.
    private static func countEnd(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
        var index = skipFewSpaces(scalars, from: start)
        guard index < scalars.count, let closing = counts[scalars[index]] else { return start }
        index += 1
        let digits = index
        while index < scalars.count, index - digits < 4, "0"..."9" ~= scalars[index] { index += 1 }
        guard index > digits else { return start }
        guard let closing else { return index }
        return index < scalars.count && scalars[index] == closing ? index + 1 : start
    }

    private static let counts: [Unicode.Scalar: Unicode.Scalar?] = ["[": "]", "(": ")", "^": nil, "*": nil]

    private static func skipFewSpaces(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
        var index = start
        while index < scalars.count, index - start < 3, scalars[index].properties.isWhitespace { index += 1 }
        return index
    }

    /// Returns the place after a tag in brackets, or nil.
    private static func tagEnd(_ scalars: [Unicode.Scalar], from start: Int) -> Int? {
        guard start < scalars.count, scalars[start] == "[" else { return nil }
        var index = start + 1
        while index < scalars.count, index - start <= maxTagLength, scalars[index] != "[" {
            if scalars[index] == "]" { return index > start + 1 ? index + 1 : nil }
            index += 1
        }
        return nil
    }

    /// Whether a scalar is a letter, or a part of one, such as an accent.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
    }

    private static let maxWordLength = 16
    private static let maxTagLength = 64

    /// The prefixes in lower case, without colon.
    private static let words: Set<String> = [
        // Replies: English, German, Dutch, Scandinavian, Finnish, Italian, Spanish, French, Polish, Turkish, Welsh,
        // Hungarian, Indonesian, Icelandic, Portuguese, Croatian and Slovenian.
        "re", "aw", "antw", "antwort", "betr", "sv", "vs", "svar", "r", "rif", "ri", "res", "rép", "rep", "odp", "ynt",
        "atb", "vá", "va", "bls", "resp", "odg",
        // Forwarded.
        "fwd", "fw", "wg", "vb", "vl", "doorst", "i", "rv", "enc", "tr", "pd", "ilt", "yml", "továbbítás", "trs",
        "inoltra", "fs", "videresend", "videresendt", "encaminhada", "redir", "prosl", "posr", "pārs",
        // İLT in small letters.
        "i\u{307}lt",
        // Chinese, Japanese, Korean, Thai, Hebrew, Arabic, Greek, Russian, Ukrainian.
        "回复", "回覆", "答复", "答覆", "回信", "转发", "轉發", "轉寄", "转寄", "返信", "転送", "답장", "회신", "전달",
        "ตอบกลับ", "ส่งต่อ", "תגובה", "השב", "הועבר", "הועברה", "رد", "إعادة", "απ", "σχετ", "προθ", "πρθ", "отв",
        "пересл", "відп",
    ]

    /// The prefixes that with a period are words of people: about (German), enclosure, report, reservation, in charge.
    private static let abbreviations: Set<String> = ["betr", "enc", "rep", "res", "resp"]

    /// The second words of prefixes that have two, by the first, in lower case: Arabic, Vietnamese.
    private static let secondWords = ["إعادة": "توجيه", "trả": "lời", "chuyển": "tiếp"]
}
