/// Measures, cuts, pads and wraps text by terminal columns.
extension String {
    /// The number of terminal columns. Colors (control sequences `ESC [ … m`) take none.
    var columns: Int {
        var count = 0
        var isControl = false
        for character in self {
            if isControl {
                if character.isLetter { isControl = false }
            } else if character == "\u{1B}" {
                isControl = true
            } else {
                count += character.columns
            }
        }
        return count
    }

    /// The number of columns on a terminal that draws the parts of a joined emoji (UTS #51) side by side, such as tmux.
    var widestColumns: Int {
        var count = columns
        for character in self where character.unicodeScalars.contains("\u{200D}") {
            count += character.unicodeScalars.reduce(0) { $0 + $1.columns } - character.columns
        }
        return count
    }

    /// Returns the text cut to a number of columns, with an ellipsis if something is omitted. For text without colors.
    func cut(to limit: Int) -> String {
        guard columns > limit else { return self }
        guard limit > 0 else { return "" }
        var text = ""
        var count = 0
        for character in self {
            guard count + character.columns <= limit - 1 else { break }
            text.append(character)
            count += character.columns
        }
        while text.last == " " { text.removeLast() }
        return text + "…"
    }

    /// Returns a line of a screen cut to a number of columns, with an ellipsis if something is omitted. Its colors end
    /// as they do in the whole line.
    func cutLine(to limit: Int) -> String {
        guard columns > limit else { return self }
        var (text, count, isControl, isCut) = ("", 0, false, false)
        for character in self {
            // The rest after the cut has no width: the ends of colors and of isolates.
            let isKept = isControl || character == "\u{1B}" || character == "\u{2069}"
            if isControl {
                isControl = !character.isLetter
            } else if character == "\u{1B}" {
                isControl = true
            } else if !isCut, count + character.columns > limit - 1 {
                isCut = true
                if limit > 0 { text += "…" }
            }
            if isKept || !isCut { text.append(character) }
            if !isKept, !isCut { count += character.columns }
        }
        return text
    }

    /// Returns the text padded with spaces to a number of columns.
    func padded(to width: Int, leading: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - columns))
        return leading ? space + self : self + space
    }

    /// Returns the text wrapped into lines of a maximum number of columns: at spaces, and within a word that is longer
    /// than a line. Line breaks in the text are kept.
    func wrapped(to width: Int) -> [String] {
        split(separator: "\n", omittingEmptySubsequences: false).flatMap { Self.wrap($0, width: max(2, width)) }
    }

    private static func wrap(_ line: Substring, width: Int) -> [String] {
        var lines: [String] = []
        var current = ""
        var count = 0
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            let columns = String(word).columns
            if count > 0, count + 1 + columns <= width {
                current += " " + word
                count += 1 + columns
                continue
            }
            if count > 0 {
                lines.append(current)
                (current, count) = ("", 0)
            }
            for character in word {
                if count + character.columns > width {
                    lines.append(current)
                    (current, count) = ("", 0)
                }
                current.append(character)
                count += character.columns
            }
        }
        lines.append(current)
        return lines
    }
}
