/// The characters that separate addresses that are typed, and those that keep their parts together.
enum AddressDelimiters {
    /// Semicolons: ASCII, full-width, Arabic.
    static let semicolons: Set<Unicode.Scalar> = [";", "\u{FF1B}", "\u{061B}"]
    /// Commas: ASCII, full-width, ideographic, Arabic.
    private static let commas: Set<Unicode.Scalar> = [",", "\u{FF0C}", "\u{3001}", "\u{060C}"]
    private static let lineBreaks: Set<Unicode.Scalar> = [
        "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}",
    ]

    /// The quotation marks around a name besides the straight double ones, which keyboards put in their place.
    static let pairs: [(Unicode.Scalar, Unicode.Scalar)] = [
        ("'", "'"), ("\u{201C}", "\u{201D}"), ("\u{201E}", "\u{201C}"), ("\u{201E}", "\u{201D}"),
        ("\u{2018}", "\u{2019}"),
        ("\u{AB}", "\u{BB}"),
    ]

    static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        semicolons.contains(scalar) || commas.contains(scalar) || lineBreaks.contains(scalar)
    }

    static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool { lineBreaks.contains(scalar) }

    /// Whether a scalar opens a quotation or a bracket, which has to be closed.
    static func isOpening(_ scalar: Unicode.Scalar) -> Bool { scalar == "\"" || scalar == "(" || scalar == "<" }

    /// Returns the places of the last scalars of quoted texts, comments and angle brackets within one line, by the
    /// places of the first ones. Time is linear.
    static func closings(in scalars: [Unicode.Scalar]) -> [Int: Int] {
        var closings: [Int: Int] = [:]
        var comments: [Int] = []
        var angle: Int?
        // Up to where it is known that a quotation isn't closed.
        var unclosed: [Unicode.Scalar: Int] = [:]
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            if lineBreaks.contains(scalar) {
                (comments, angle) = ([], nil)
            } else if let marks = quotations[scalar], index >= unclosed[scalar] ?? 0 {
                let (end, isClosed) = quotationEnd(scalars, from: index, closing: marks)
                if isClosed {
                    closings[index] = end
                    index = end
                } else {
                    unclosed[scalar] = end
                }
            } else if scalar == "(" {
                comments.append(index)
            } else if scalar == ")" {
                if let start = comments.popLast() { closings[start] = index }
            } else if scalar == "<" {
                angle = angle ?? index
            } else if scalar == ">" {
                if let start = angle { closings[start] = index }
                angle = nil
            } else if isSeparator(scalar) {
                angle = nil
            }
            index += 1
        }
        return closings
    }

    /// The marks that end a quotation, by the one that begins it.
    private static let quotations: [Unicode.Scalar: Set<Unicode.Scalar>] = [
        "\"": ["\""], "\u{201C}": ["\u{201D}"], "\u{201E}": ["\u{201C}", "\u{201D}"], "\u{AB}": ["\u{BB}"],
    ]

    /// Returns the place of the last mark of a quotation, or else the end of the line.
    private static func quotationEnd(
        _ scalars: [Unicode.Scalar],
        from start: Int,
        closing marks: Set<Unicode.Scalar>
    ) -> (place: Int, isClosed: Bool) {
        var index = start + 1
        while index < scalars.count, !lineBreaks.contains(scalars[index]) {
            if marks.contains(scalars[index]) { return (index, true) }
            let isEscape = scalars[index] == "\\" && scalars[start] == "\""
            index += isEscape && index + 1 < scalars.count && !lineBreaks.contains(scalars[index + 1]) ? 2 : 1
        }
        return (index, false)
    }

    /// Whether a name can only be written in quotation marks.
    static func needsQuotes(_ name: String) -> Bool {
        let scalars = name.unicodeScalars
        guard let first = scalars.first, let last = scalars.last else { return false }
        return first.properties.isWhitespace || last.properties.isWhitespace || name.contains("  ")
            || pairs.contains { first == $0.0 && last == $0.1 }
            || scalars.contains { scalar in
                isSeparator(scalar) || quotations[scalar] != nil || "()<>[]:@\\\u{FF1A}".unicodeScalars.contains(scalar)
                    || scalar.properties.generalCategory == .format
                    || scalar.properties.isWhitespace && scalar != " "
            }
    }
}
