import InboxMail

/// A line with marked ranges, such as search matches.
struct HighlightedLine {
    private var characters: [(character: Character, isMarked: Bool)] = []

    /// Creates a line from a text, safe for a terminal.
    init(_ text: HighlightedText) {
        var place = text.text.startIndex
        for range in text.ranges {
            add(text.text[place..<range.lowerBound], isMarked: false)
            add(text.text[range], isMarked: true)
            place = range.upperBound
        }
        add(text.text[place...], isMarked: false)
        while characters.last?.character == " " { characters.removeLast() }
    }

    var isEmpty: Bool { characters.isEmpty }
    var columns: Int { characters.reduce(0) { $0 + $1.character.columns } }

    /// Returns the line, cut to a number of columns. If that would hide the first mark, an excerpt around it.
    func painted(to limit: Int) -> String {
        var rest = characters[...]
        var text = ""
        if columns > limit, let first = characters.firstIndex(where: \.isMarked) {
            let before = characters[..<first].reduce(0) { $0 + $1.character.columns }
            if before > limit * 2 / 3 {
                // One third of the width is used for the text before the mark.
                var start = first
                var room = limit / 3
                while start > 0, room > 0 {
                    start -= 1
                    room -= characters[start].character.columns
                }
                rest = characters[start...]
                text = "…"
            }
        }
        let isCut = text.columns + rest.reduce(0) { $0 + $1.character.columns } > limit
        var room = limit - text.columns - (isCut ? 1 : 0)
        var run = ""
        var isMarked = false
        func end(_ text: inout String) {
            text += isMarked ? ANSIStyle.mark(run) : run
            run = ""
        }
        for (character, isNext) in rest {
            room -= character.columns
            guard room >= 0 else { break }
            if isNext != isMarked { end(&text) }
            isMarked = isNext
            run.append(character)
        }
        end(&text)
        return (isCut ? text + "…" : text).isolated
    }

    private mutating func add(_ part: Substring, isMarked: Bool) {
        guard let first = part.first, let last = part.last else { return }
        if first.isWhitespace, let before = characters.last, before.character != " " { characters.append((" ", false)) }
        characters += String(part).plainLine.map { ($0, isMarked) }
        if last.isWhitespace, let before = characters.last, before.character != " " { characters.append((" ", false)) }
    }
}
