import Foundation

/// Text whose lines are wrapped for transport (RFC 3676, `format=flowed`).
///
/// As written, a text has one line per paragraph. A quoted paragraph begins with one `>` per level and a space.
package enum FlowedText {
    /// Returns the text as the sender wrote it, one line per paragraph. A quoted paragraph begins with as many `>` as
    /// before, and a space.
    ///
    /// - Parameters:
    ///   - text: The lines as received.
    ///   - deletesSpace: Whether the space before a line break isn't part of the text (`DelSp=yes`).
    package static func joined(_ text: String, deletesSpace: Bool) -> String {
        // Bytes are compared: a character may be a space and an accent on it.
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        var paragraph: (depth: Int, flows: Bool)?
        for line in lines(Array(text.utf8)) {
            let depth = line.prefix { $0 == quote }.count
            var rest = line.dropFirst(depth)
            // The text is space-stuffed.
            if rest.first == space { rest.removeFirst() }
            let isSignature = rest.elementsEqual(signature)
            if !isSignature, let paragraph, paragraph.flows, paragraph.depth == depth {
                if deletesSpace { output.removeLast() }
            } else {
                if let paragraph {
                    if deletesSpace, paragraph.flows { output.removeLast() }
                    output.append(lineFeed)
                }
                output.append(contentsOf: repeatElement(quote, count: depth))
                // Before a quote mark of the text, the space distinguishes it from a quotation.
                if depth > 0 || rest.first == quote { output.append(space) }
            }
            output.append(contentsOf: rest)
            paragraph = (depth, rest.last == space && !isSignature)
        }
        if deletesSpace, paragraph?.flows ?? false { output.removeLast() }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the parameters of a media type in lower case, such as `format` and `delsp` (RFC 2045, section 5.1).
    ///
    /// - Parameter contentType: A media type such as `text/plain; charset=utf-8; format=flowed`, folded or not.
    package static func parameters(_ contentType: String) -> [String: String] {
        var parameters: [String: String] = [:]
        for part in contentType.lowercased().split(separator: ";").dropFirst() {
            let sides = part.split(separator: "=", maxSplits: 1).map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: "\" ").union(.whitespacesAndNewlines))
            }
            if sides.count == 2 { parameters[sides[0]] = parameters[sides[0]] ?? sides[1] }
        }
        return parameters
    }

    static let (space, quote, lineFeed) = (UInt8(ascii: " "), UInt8(ascii: ">"), UInt8(ascii: "\n"))
    static let signature = Array("-- ".utf8)

    /// Returns the lines of a text without their ends, which are line feeds, with or without a carriage return.
    static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: lineFeed, omittingEmptySubsequences: false).map { line in
            let isLast = line.endIndex == bytes.count
            return !isLast && line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }
    }
}
