/// A text with highlighted ranges, such as the words of a search.
public struct HighlightedText: Hashable, Sendable {
    /// The text, without marks.
    public let text: String
    /// The highlighted ranges, in order.
    public let ranges: [Range<String.Index>]

    /// Creates a text without highlighted ranges.
    public init(_ text: String) {
        (self.text, ranges) = (text, [])
    }

    /// Reads a text with a mark before and after each range. A mark without its counterpart highlights nothing.
    ///
    /// It works on bytes, because comparing characters would take longer than the search itself.
    ///
    /// - Parameters:
    ///   - begin: The mark before a range. Both marks are ASCII characters.
    init(_ marked: String, from begin: Character, to end: Character) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(marked.utf8.count)
        var offsets: [Range<Int>] = []
        var start: Int?
        for byte in marked.utf8 {
            if byte == begin.asciiValue {
                start = start ?? bytes.count
            } else if byte == end.asciiValue {
                if let first = start { offsets.append(first..<bytes.count) }
                start = nil
            } else {
                bytes.append(byte)
            }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        self.text = text
        ranges = offsets.map { offsets in
            text.utf8.index(
                text.startIndex,
                offsetBy: offsets.lowerBound
            )..<text.utf8.index(text.startIndex, offsetBy: offsets.upperBound)
        }
    }
}
