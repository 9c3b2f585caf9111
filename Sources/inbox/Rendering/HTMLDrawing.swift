import HTMLCleaning

/// HTML from outside as lines for a terminal, with its numbered links below.
struct HTMLDrawing {
    /// The width in columns.
    let width: Int
    /// The options of the HTML's cleaner.
    let options: HTMLCleaner.Options

    func lines(_ html: String) -> [String] {
        let cleaned = HTMLCleaner(options).clean(html)
        let text = HTMLText(cleaned, width: width)
        var lines = text.lines.map { $0.hasPrefix(">") ? ANSIStyle.dim($0.isolated) : $0.isolated }
        if !text.links.isEmpty, !lines.isEmpty { lines.append("") }
        for (index, link) in text.links.enumerated() {
            // An address that is broken into lines can't be opened.
            lines.append(ANSIStyle.dim("[\(index + 1)] ") + ANSIStyle.accent(link.plainLine))
        }
        if !cleaned.isComplete { lines += ["", ANSIStyle.dim("(The text is longer than what is shown here.)")] }
        return lines
    }
}
