import Foundation

/// What a message in HTML says, as plain text: for a screen that shows no HTML.
package enum HTMLText {
    /// The text between the tags, a line for each block; styles and scripts left out. Never fails: what isn't HTML is
    /// text.
    ///
    /// - Parameter marksQuotations: Whether a line of a `blockquote` begins with a `>` for each that it is in, and a
    ///   space, as in mails.
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
            if !isEnd, unseen.contains(name) {
                // Up to the end tag, whatever stands within.
                rest = rest.range(of: "</" + name, options: .caseInsensitive).map { rest[$0.lowerBound...] } ?? ""
            } else if blockNames.contains(name) {
                let depth = blocks[blocks.count - 1].depth
                blocks.append(Block(depth: name == "blockquote" ? max(0, depth + (isEnd ? -1 : 1)) : depth))
            }
        }
        append(rest, to: &blocks[blocks.count - 1].text)
        return blocks.flatMap { $0.lines(marksQuotations) }.joined(separator: "\n")
    }

    /// What stands between two tags that begin or end a line.
    private struct Block {
        /// In how many quotations it is.
        var depth = 0
        var text = ""

        func lines(_ marksQuotations: Bool) -> [String] {
            // Nobody reads so many marks, and a hostile text could ask for more than there is memory.
            let marks = marksQuotations && depth > 0 ? String(repeating: ">", count: min(depth, 32)) + " " : ""
            return text.split(separator: "\n").compactMap { line in
                let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                return words.isEmpty ? nil : marks + words
            }
        }
    }

    private static let unseen: Set<String> = ["script", "style", "title", "template", "noscript"]
    private static let blockNames: Set<String> = [
        "address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "footer", "form", "h1", "h2", "h3", "h4",
        "h5",
        "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul",
    ]

    /// Appends text in which white space is a space and the usual references are what they stand for.
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
