import Foundation

/// Text whose lines were broken for the way, and are put together again (RFC 3676, `format=flowed`).
enum FlowedText {
    /// What the sender wrote, a paragraph a line; quoted ones begin with as many `>` as before, and a space.
    ///
    /// - Parameters:
    ///   - text: The lines as they came.
    ///   - deletesSpace: Whether the space before a break isn't part of the text (`DelSp=yes`).
    static func joined(_ text: String, deletesSpace: Bool) -> String {
        var paragraphs: [(depth: Int, text: String)] = []
        var flows = false
        for line in text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false) {
            let depth = line.prefix { $0 == ">" }.count
            var rest = line.dropFirst(depth)
            // A space was put before what would mean something else.
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
            // It isn't a quotation.
            return paragraph.text.hasPrefix(">") ? " " + paragraph.text : paragraph.text
        }
        .joined(separator: "\n")
    }

    /// The parameters of a media type in lower case, `format` and `delsp` among them (RFC 2045 §5.1).
    ///
    /// - Parameter contentType: Such as `text/plain; charset=utf-8; format=flowed`, folded or not.
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
