extension Tokenizer {
    /// Reads what follows `<!` (section 13.2.5.42).
    mutating func openDeclaration() -> TokenKind? {
        if hasPrefix("--", at: position) {
            position += 2
            return readComment()
        }
        if hasPrefix("doctype", at: position) {
            position += 7
            return readDoctype()
        }
        if base[position] == UInt8(ascii: "["), position + 7 <= end, isCDATA(at: position) {
            if allowsCDATA {
                position += 7
                state = .cdata
                return nil
            }
            record(.cdataInHTMLContent, at: position + 6)
            return bogusComment(from: position)
        }
        record(.incorrectlyOpenedComment, at: position)
        return bogusComment(from: position)
    }

    /// Whether `[CDATA[` is at an offset. Its letters are capitals.
    private func isCDATA(at offset: Int) -> Bool {
        let name: StaticString = "[CDATA["
        for index in 0..<7 where base[offset + index] != name.utf8Start[index] { return false }
        return true
    }

    /// Reads a comment up to the next `>` or the end (section 13.2.5.41).
    mutating func bogusComment(from start: Int) -> TokenKind? {
        position = start
        var index: Int?
        while true {
            let byte = base[position]
            if byte == UInt8(ascii: ">") || byte == 0 && position >= end { break }
            if byte == 0 {
                record(.unexpectedNullCharacter, at: position)
                index = index ?? beginAdded(from: start, to: position)
                appendReplacement()
            } else if index != nil {
                added.append(byte)
            }
            position += 1
        }
        text = index.map { addedRange(from: $0) } ?? start..<position
        if position < end { position += 1 }
        return .comment
    }

    /// Reads a comment after `<!--` (sections 13.2.5.43 to 13.2.5.52).
    private mutating func readComment() -> TokenKind? {
        let start = position
        for dash in 0...1 where base[start + dash] == UInt8(ascii: ">") {
            if dash == 1, base[start] != UInt8(ascii: "-") { continue }
            record(.abruptClosingOfEmptyComment, at: start + dash)
            position = start + dash + 1
            text = start..<start
            return .comment
        }
        while true {
            skipToEndOfCommentPart()
            switch base[position] {
            case UInt8(ascii: "-"):
                let isClosed = base[position + 2] == UInt8(ascii: ">")
                let close = position
                position += isClosed ? 3 : 4
                if !isClosed { record(.incorrectlyClosedComment, at: position - 1) }
                text = commentText(start..<close)
                return .comment
            case UInt8(ascii: "<"):
                // `<!--` within a comment, unless the comment ends with it.
                if position + 4 < end, base[position + 4] != UInt8(ascii: ">") {
                    record(.nestedComment, at: position + 4)
                }
                position += 1
            default:
                record(.eofInComment, at: end)
                text = commentText(start..<endOfUnclosedComment(from: start))
                return .comment
            }
        }
    }

    /// Moves to the next `-->`, `--!>`, `<!--` or the end.
    private mutating func skipToEndOfCommentPart() {
        while true {
            let byte = base[position]
            if byte == UInt8(ascii: "-"), base[position + 1] == UInt8(ascii: "-") {
                let third = base[position + 2]
                if third == UInt8(ascii: ">") { return }
                if third == UInt8(ascii: "!"), base[position + 3] == UInt8(ascii: ">") { return }
            } else if recordsErrors, byte == UInt8(ascii: "<"), hasPrefix("<!--", at: position) {
                return
            } else if byte == 0, position >= end {
                return
            }
            position += 1
        }
    }

    /// The end of a comment that the input ends: without the dashes that could have begun its end.
    private func endOfUnclosedComment(from start: Int) -> Int {
        func endsWith(_ suffix: StaticString) -> Bool {
            end - suffix.utf8CodeUnitCount >= start && hasPrefix(suffix, at: end - suffix.utf8CodeUnitCount)
        }
        if endsWith("--!") { return end - 3 }
        if endsWith("--") { return end - 2 }
        return endsWith("-") ? end - 1 : end
    }

    /// A comment's text, in which U+FFFD replaces U+0000.
    private mutating func commentText(_ range: Range<Int>) -> Range<Int> {
        let bytes = UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
        guard bytes.contains(0) else { return range }
        let index = added.count
        for offset in range {
            if base[offset] == 0 {
                record(.unexpectedNullCharacter, at: offset)
                appendReplacement()
            } else {
                added.append(base[offset])
            }
        }
        return addedRange(from: index)
    }
}
