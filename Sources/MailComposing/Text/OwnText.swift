/// Finds the author's own words in a plain text, without quotations and the signature.
package enum OwnText {
    /// Returns a text without the signature: the lines after one of two hyphens and a space (RFC 3676, section 4.3), up
    /// to a quotation with the line that introduces it.
    package static func withoutSignature(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: isSeparator) else { return text }
        var end = lines[start...].firstIndex(where: isQuoted) ?? lines.count
        if end < lines.count { end = introductionStart(lines, before: end, after: start) }
        return (lines[..<start] + lines[end...]).joined(separator: "\n")
    }

    /// Returns the lines that the author wrote: without quotations and the lines that introduce them, without a mail
    /// that is forwarded, and without the signature.
    package static func own(_ text: String) -> String {
        var lines = withoutSignature(text).split(separator: "\n", omittingEmptySubsequences: false)
        if let divider = lines.firstIndex(where: isDivider) { lines.removeSubrange(divider...) }
        var kept: [Substring] = []
        for line in lines {
            if isQuoted(line) {
                let start = introductionStart(kept, before: kept.count, after: -1)
                kept.removeSubrange(start...)
            } else {
                kept.append(line)
            }
        }
        return kept.joined(separator: "\n")
    }

    static func isQuoted(_ line: Substring) -> Bool { line.utf8.first == UInt8(ascii: ">") }

    private static func isSeparator(_ line: Substring) -> Bool { line.utf8.elementsEqual(FlowedText.signature) }

    private static func isDivider(_ line: Substring) -> Bool {
        line.utf8.starts(with: "-----".utf8) && line.utf8.reversed().starts(with: "-----".utf8)
            && line.utf8.contains { $0 != UInt8(ascii: "-") }
    }

    /// Returns the line at which the introduction of a quotation begins, which has two lines at most and may have empty
    /// lines below it; the quotation's own line if there is none.
    private static func introductionStart(_ lines: [Substring], before end: Int, after start: Int) -> Int {
        var index = end - 1
        while index > start, isBlank(lines[index]) { index -= 1 }
        guard index > start, isIntroduction(lines[index]) else { return end }
        let begins = beginnings.contains { lines[index].hasPrefix($0) }
        let isWrapped = index - 1 > start && beginnings.contains { lines[index - 1].hasPrefix($0) }
        return !begins && isWrapped ? index - 1 : index
    }

    private static func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }

    /// Whether a line ends with a colon, and isn't a paragraph that happens to do so.
    private static func isIntroduction(_ line: Substring) -> Bool {
        let trimmed = line.reversed().drop(while: \.isWhitespace)
        return (trimmed.first == ":" || trimmed.first == "\u{FF1A}") && line.utf8.count <= 1_000
    }

    private static let beginnings = ["On ", "Am ", "Le ", "El ", "Em "]
}
