import Foundation

/// Conversion of HTML messages to plain text, for screens that don't show HTML.
package enum HTMLText {
    /// Returns the text between the tags, one line per block, without styles and scripts. Malformed HTML is treated as
    /// text.
    ///
    /// - Parameter marksQuotations: Whether a line in a `blockquote` begins with one `>` per nesting level and a space,
    ///   as in mail.
    package static func plain(_ html: String, marksQuotations: Bool = false) -> String {
        var blocks = [Block()]
        var rest = Substring(html)
        while let start = rest.firstIndex(of: "<") {
            append(rest[..<start], to: &blocks[blocks.count - 1].text)
            rest = rest[start...]
            if rest.hasPrefix("<!--") {
                rest = rest.firstRange(of: "-->").map { rest[$0.upperBound...] } ?? ""
                continue
            }
            let isEnd = rest.dropFirst().first == "/"
            let name = rest.dropFirst(isEnd ? 2 : 1).prefix {
                $0.isASCII && ($0.isLetter || $0.isNumber || "!?".contains($0))
            }
            .lowercased()
            guard !name.isEmpty else {
                append("<", to: &blocks[blocks.count - 1].text)
                rest = rest.dropFirst()
                continue
            }
            rest = rest.firstIndex(of: ">").map { rest[rest.index(after: $0)...] } ?? ""
            if !isEnd, invisibleElements.contains(name) {
                // Skips to the end tag, whatever the element contains.
                rest = rest.range(of: "</" + name, options: .caseInsensitive).map { rest[$0.lowerBound...] } ?? ""
            } else if blockElements.contains(name) {
                let depth = blocks[blocks.count - 1].depth
                blocks.append(Block(depth: name == "blockquote" ? max(0, depth + (isEnd ? -1 : 1)) : depth))
            }
        }
        append(rest, to: &blocks[blocks.count - 1].text)
        return blocks.flatMap { $0.lines(marksQuotations) }.joined(separator: "\n")
    }

    /// The text between two tags that begin or end a line.
    private struct Block {
        /// The number of enclosing quotations.
        var depth = 0
        var text = ""

        func lines(_ marksQuotations: Bool) -> [String] {
            // Limited to 32 marks: hostile HTML could nest deeply enough to exhaust memory.
            let marks = marksQuotations && depth > 0 ? String(repeating: ">", count: min(depth, 32)) + " " : ""
            return text.split(separator: "\n").compactMap { line in
                let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                return words.isEmpty ? nil : marks + words
            }
        }
    }

    private static let invisibleElements: Set<String> = ["script", "style", "title", "template", "noscript"]
    private static let blockElements: Set<String> = [
        "address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "footer", "form", "h1", "h2", "h3", "h4",
        "h5",
        "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul",
    ]

    /// Appends text with white space replaced by spaces and common character references decoded.
    private static func append(_ text: Substring, to result: inout String) {
        var rest = text
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start].map { $0.isWhitespace ? " " : String($0) }.joined()
            rest = rest[start...]
            if let end = rest.prefix(12).firstIndex(of: ";"),
                let character = character(rest[rest.index(after: start)..<end])
            {
                result.append(character)
                rest = rest[rest.index(after: end)...]
            } else {
                result += "&"
                rest = rest.dropFirst()
            }
        }
        result += rest.map { $0.isWhitespace ? " " : String($0) }.joined()
    }

    private static func character(_ name: Substring) -> Character? {
        if name.hasPrefix("#") {
            let digits = name.dropFirst()
            let isHex = digits.first == "x" || digits.first == "X"
            let value = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return value.flatMap(Unicode.Scalar.init).map(Character.init)
        }
        return names[String(name)]
    }

    private static let names: [String: Character] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "ndash": "–", "mdash": "—",
        "hellip": "…", "euro": "€", "copy": "©", "reg": "®", "trade": "™", "bull": "•", "middot": "·", "times": "×",
        "laquo": "«", "raquo": "»", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "auml": "ä", "ouml": "ö",
        "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "eacute": "é", "egrave": "è", "agrave": "à",
        "ccedil": "ç", "ntilde": "ñ",
    ]
}
