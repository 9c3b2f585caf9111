/// A text in which some places are marked, such as the words that were searched for.
public struct HighlightedText: Hashable, Sendable {
    /// The text, without marks.
    public let text: String
    /// The places that are marked, in their order.
    public let ranges: [Range<String.Index>]

    /// A text without marks.
    public init(_ text: String) {
        (self.text, ranges) = (text, [])
    }

    /// Reads a text in which marks stand before and after each place; one without its counterpart marks nothing.
    ///
    /// By bytes: to look for characters takes longer than the search itself.
    ///
    /// - Parameters:
    ///   - begin: The mark before a place: of ASCII, as the one behind it.
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
