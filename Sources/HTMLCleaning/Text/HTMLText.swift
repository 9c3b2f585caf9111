/// A message as plain text that fits a width, such as a terminal's.
///
/// Headings, lists, quotations, preformatted text and tables keep their structure. A table whose cells have no blocks
/// in them has columns, if they fit; the cells of another stand below each other. Hidden elements are left out, and so
/// are control characters, escape sequences and characters that change the order of text.
///
/// ```swift
/// let text = HTMLText(HTMLCleaner().clean("<h1>News</h1><p>Read <a href=https://example.com>more</a>."), width: 40)
/// print(text.description)
/// // # News
/// //
/// // Read more [1].
/// //
/// // [1] https://example.com
/// ```
public struct HTMLText: Hashable, Sendable, CustomStringConvertible {
    /// The lines, without those of the links. None has more columns than the width; East Asian characters and emoji
    /// have two.
    public let lines: [String]
    /// The addresses of the links. The first one has the number 1. Links to the same address have the same number.
    public let links: [String]

    /// Renders a message.
    ///
    /// - Parameters:
    ///   - message: The cleaned message.
    ///   - width: The columns of a line, at least 10.
    public init(_ message: CleanHTML, width: Int) {
        var renderer = TextRenderer(message.tree, width: width)
        renderer.run()
        lines = renderer.writer.lines
        links = renderer.links
    }

    /// The lines, and the numbered links below them. The lines of the links aren't broken.
    public var description: String {
        guard !links.isEmpty else { return lines.joined(separator: "\n") }
        let numbered = links.enumerated().map { "[\($0 + 1)] \(TextWidth.shown($1))" }
        return (lines + (lines.isEmpty ? [] : [""]) + numbered).joined(separator: "\n")
    }
}
