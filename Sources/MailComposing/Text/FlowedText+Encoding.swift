extension FlowedText {
    /// The maximum length of a line in characters (RFC 3676, section 4.2), where the text has a space to break it at.
    package static let maxLineLength = 78

    /// Returns a text with its paragraphs wrapped, for a part with `format=flowed` and without `DelSp`. A mail that a
    /// JMAP server creates has no such part (``ComposedMail/emailObject(mailboxIDs:keywords:includesBcc:)``).
    ///
    /// ``joined(_:deletesSpace:)`` returns the ``canonical(_:)`` text. A paragraph is broken after spaces alone, so a
    /// long word stays in one line, and so does text that is written without spaces.
    ///
    /// - Parameter text: The text, one line per paragraph.
    package static func wrapped(_ text: String) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count + text.utf8.count / 16)
        for (index, line) in canonicalLines(text).enumerated() {
            if index > 0 { output.append(lineFeed) }
            wrap(line, to: &output)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the form of a text that survives wrapping: without spaces at the ends of lines, except in a line of two
    /// hyphens and a space, and with one space after the marks of a quotation.
    package static func canonical(_ text: String) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        for (index, line) in canonicalLines(text).enumerated() {
            if index > 0 { output.append(lineFeed) }
            output.append(contentsOf: repeatElement(quote, count: line.depth))
            if line.depth > 0 { output.append(space) }
            output.append(contentsOf: line.text)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// A paragraph: the number of quote marks, and the text after them.
    private struct Line {
        let depth: Int
        let text: ArraySlice<UInt8>
    }

    private static func canonicalLines(_ text: String) -> some Sequence<Line> {
        lines(Array(text.utf8)).lazy.map { line in
            let depth = line.prefix { $0 == quote }.count
            var rest = line.dropFirst(depth)
            if depth > 0, rest.first == space { rest.removeFirst() }
            if !rest.elementsEqual(signature) {
                while rest.last == space { rest.removeLast() }
            }
            return Line(depth: depth, text: rest)
        }
    }

    private static func wrap(_ line: Line, to output: inout [UInt8]) {
        var rest = line.text
        var isFirst = true
        repeat {
            let piece = rest.elementsEqual(signature) ? rest : rest.prefix(pieceLength(rest, depth: line.depth))
            if !isFirst { output.append(lineFeed) }
            isFirst = false
            output.append(contentsOf: repeatElement(quote, count: line.depth))
            if line.depth > 0 || needsStuffing(piece) { output.append(space) }
            output.append(contentsOf: piece)
            rest = rest[piece.endIndex...]
        } while !rest.isEmpty
    }

    /// Returns the number of bytes of a paragraph that fit a line, up to and including a space; all of them if the rest
    /// fits or has no space.
    private static func pieceLength(_ text: ArraySlice<UInt8>, depth: Int) -> Int {
        let width = max(20, maxLineLength - depth - (depth > 0 || needsStuffing(text) ? 1 : 0))
        var (count, end) = (0, text.startIndex)
        for index in text.indices {
            // The first byte of a character.
            if text[index] & 0xC0 != 0x80 { count += 1 }
            if count > width, end > text.startIndex { return end - text.startIndex }
            let isEnd = index + 1 < text.endIndex && text[index] == space
            // A line of two hyphens and a space is the separator of a signature.
            if isEnd, !text[...index].elementsEqual(signature) { end = index + 1 }
        }
        return count > width && end > text.startIndex ? end - text.startIndex : text.count
    }

    /// Whether a line begins with what a reader, or a mail server, would take for something else (RFC 3676, section
    /// 4.4).
    private static func needsStuffing(_ line: ArraySlice<UInt8>) -> Bool {
        line.first == space || line.first == quote || line.starts(with: "From ".utf8)
    }
}
