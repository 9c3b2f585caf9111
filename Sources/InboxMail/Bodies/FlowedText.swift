import Foundation

/// The decoder of text whose lines were wrapped for transport (RFC 3676, `format=flowed`).
enum FlowedText {
    /// Returns the text as the sender wrote it, one line per paragraph. A quoted paragraph begins with as many `>` as
    /// before, and a space.
    ///
    /// - Parameters:
    ///   - text: The lines as received.
    ///   - deletesSpace: Whether the space before a line break isn't part of the text (`DelSp=yes`).
    static func joined(_ text: String, deletesSpace: Bool) -> String {
        var paragraphs: [(depth: Int, text: String)] = []
        var flows = false
        for line in text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false) {
            let depth = line.prefix { $0 == ">" }.count
            var rest = line.dropFirst(depth)
            // The text is space-stuffed.
            if rest.hasPrefix(" ") { rest = rest.dropFirst() }
            let isSignature = rest == "-- "
            if flows, !isSignature, let last = paragraphs.last, last.depth == depth {
                paragraphs[paragraphs.count - 1].text += rest
            } else {
                paragraphs.append((depth, String(rest)))
            }
            flows = rest.hasSuffix(" ") && !isSignature
            if flows, deletesSpace { paragraphs[paragraphs.count - 1].text.removeLast() }
        }
        return paragraphs.map { paragraph in
            if paragraph.depth > 0 { return String(repeating: ">", count: paragraph.depth) + " " + paragraph.text }
            // The space distinguishes it from a quotation.
            return paragraph.text.hasPrefix(">") ? " " + paragraph.text : paragraph.text
        }
        .joined(separator: "\n")
    }

    /// Returns the parameters of a media type in lower case, such as `format` and `delsp` (RFC 2045, section 5.1).
    ///
    /// - Parameter contentType: A media type such as `text/plain; charset=utf-8; format=flowed`, folded or not.
    static func parameters(_ contentType: String) -> [String: String] {
        var parameters: [String: String] = [:]
        for part in contentType.lowercased().split(separator: ";").dropFirst() {
            let sides = part.split(separator: "=", maxSplits: 1).map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: "\" ").union(.whitespacesAndNewlines))
            }
            if sides.count == 2 { parameters[sides[0]] = parameters[sides[0]] ?? sides[1] }
        }
        return parameters
    }
}
