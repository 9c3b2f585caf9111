import Foundation

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
    init(_ marked: String, from begin: String, to end: String) {
        var text = ""
        var offsets: [Range<Int>] = []
        var rest = marked[...]
        while let start = rest.range(of: begin), let stop = rest[start.upperBound...].range(of: end) {
            text += rest[..<start.lowerBound].replacing(end, with: "")
            let first = text.utf8.count
            text += rest[start.upperBound..<stop.lowerBound].replacing(begin, with: "")
            offsets.append(first..<text.utf8.count)
            rest = rest[stop.upperBound...]
        }
        text += rest.replacing(begin, with: "").replacing(end, with: "")
        self.text = text
        ranges = offsets.map { offsets in
            text.utf8.index(
                text.startIndex,
                offsetBy: offsets.lowerBound
            )..<text.utf8.index(text.startIndex, offsetBy: offsets.upperBound)
        }
    }
}
