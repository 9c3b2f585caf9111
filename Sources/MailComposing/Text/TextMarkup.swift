/// HTML of plain text.
package enum TextMarkup {
    /// The maximum nesting of quotations. Deeper ones are as this one.
    package static let maxDepth = 32

    /// Returns the HTML of a text: its lines, with their spaces, a tab as four of them, and a `blockquote` for each
    /// level of quotation.
    ///
    /// It has no other markup than that and `div` and `br`. Time is linear in the length of the text.
    package static func html(of text: String) -> String {
        var output = "<div dir=\"auto\">"
        var (depth, isStart) = (0, true)
        for line in PlainCharacters.lines(text).split(separator: "\n", omittingEmptySubsequences: false) {
            let marks = line.utf8.prefix { $0 == UInt8(ascii: ">") }.count
            var rest = line.utf8.dropFirst(marks)
            if marks > 0, rest.first == UInt8(ascii: " ") { rest.removeFirst() }
            let level = min(marks, maxDepth)
            if level != depth {
                for _ in min(level, depth)..<depth { output += "</blockquote>" }
                for _ in min(level, depth)..<level { output += "<blockquote type=\"cite\">" }
                (depth, isStart) = (level, true)
            }
            if !isStart { output += "<br>\n" }
            isStart = false
            escape(rest, keepsSpaces: true, to: &output)
        }
        for _ in 0..<depth { output += "</blockquote>" }
        return output + "</div>"
    }

    /// Returns a text in which characters that mean something in HTML are escaped.
    package static func escaped(_ text: String) -> String {
        var output = ""
        escape(text.utf8[...], keepsSpaces: false, to: &output)
        return output
    }

    private static func escape(_ text: Substring.UTF8View, keepsSpaces: Bool, to output: inout String) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var afterSpace = true
        for byte in text {
            switch byte {
            case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
            // A browser shows one space of several, and none at the start.
            case UInt8(ascii: " ") where keepsSpaces && afterSpace: bytes.append(contentsOf: "\u{A0}".utf8)
            case UInt8(ascii: "\t") where keepsSpaces: bytes.append(contentsOf: "\u{A0}\u{A0}\u{A0} ".utf8)
            default: bytes.append(byte)
            }
            afterSpace = bytes.last == UInt8(ascii: " ")
        }
        output += String(decoding: bytes, as: UTF8.self)
    }
}
