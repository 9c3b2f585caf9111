/// Writes words into lines that fit a width, behind the marks of lists and quotations.
struct TextWriter {
    /// The text before the lines of an element: once, and before all further lines.
    struct Prefix {
        var first: String
        let rest: String
    }

    let width: Int
    private(set) var lines: [String] = []
    private(set) var prefixes: [Prefix] = []
    private var line = ""
    private var lineWidth = 0
    private var needsSpace = false
    /// The number of prefixes that an empty line before the next one has, or nil for no empty line.
    private var emptyLine: Int?

    init(width: Int) {
        self.width = max(width, 10)
    }

    /// The columns that a line has for words.
    var available: Int { width - prefixWidth }

    /// The columns of the prefixes. Those that would take more than half of the width are left out.
    private var prefixWidth: Int {
        var columns = 0
        for prefix in prefixes {
            let more = columns + TextWidth.columns(of: prefix.rest)
            if more > width / 2 { break }
            columns = more
        }
        return columns
    }

    mutating func push(_ prefix: Prefix) {
        endLine()
        prefixes.append(prefix)
    }

    mutating func pop() {
        endLine()
        prefixes.removeLast()
        if let emptyLine, emptyLine > prefixes.count { self.emptyLine = prefixes.count }
    }

    /// Requests a space before the next word of the line.
    mutating func space() { needsSpace = !line.isEmpty }

    /// Ends the line, if it has words.
    mutating func endLine() {
        needsSpace = false
        if !line.isEmpty { flush() }
    }

    /// Ends the line, and requests an empty one.
    mutating func endParagraph() {
        endLine()
        guard !lines.isEmpty else { return }
        emptyLine = min(emptyLine ?? prefixes.count, prefixes.count)
    }

    /// Ends the line even if it has no words.
    mutating func breakLine() {
        needsSpace = false
        flush()
    }

    /// Writes a word. One that is longer than a line is broken.
    mutating func word(_ word: String) {
        let columns = TextWidth.columns(of: word)
        let space = needsSpace ? 1 : 0
        let available = available
        if !line.isEmpty, lineWidth + space + columns > available, needsSpace || lineWidth >= available { endLine() }
        if needsSpace, !line.isEmpty {
            line += " "
            lineWidth += 1
        }
        needsSpace = false
        if lineWidth + columns <= available {
            line += word
            lineWidth += columns
        } else {
            wrapAnywhere(word)
        }
    }

    /// Writes characters as they are, and begins a new line between any two where the line is full.
    mutating func wrapAnywhere(_ text: String) {
        let available = available
        for character in text {
            let columns = TextWidth.columns(of: character)
            if lineWidth + columns > available, !line.isEmpty { flush() }
            line.append(character)
            lineWidth += columns
        }
    }

    private mutating func flush() {
        if let depth = emptyLine {
            var empty = prefixes.prefix(depth).map(\.rest).joined()
            while empty.last == " " { empty.removeLast() }
            lines.append(TextWidth.columns(of: empty) > width / 2 ? "" : empty)
        }
        emptyLine = nil
        var start = ""
        var columns = 0
        for index in prefixes.indices {
            columns += TextWidth.columns(of: prefixes[index].rest)
            if columns > width / 2 { break }
            start += prefixes[index].first
            prefixes[index].first = prefixes[index].rest
        }
        var text = start + line
        while text.last == " " { text.removeLast() }
        lines.append(text)
        line = ""
        lineWidth = 0
    }
}
