import InboxMail

/// Wraps the text of a mail, and marks its links even across line breaks.
enum LinkedText {
    static func lines(_ text: String, width: Int) -> [String] {
        let text = text.plainText
        // Links contain no spaces, and wrapping removes only spaces.
        var isLink: [Bool] = []
        var place = text.startIndex
        func add(_ part: Substring, _ flag: Bool) {
            isLink += part.lazy.filter { !$0.isWhitespace }.map { _ in flag }
        }
        for link in MailText.links(in: text) {
            add(text[place..<link.range.lowerBound], false)
            add(text[link.range], true)
            place = link.range.upperBound
        }
        add(text[place...], false)
        var rest = isLink[...]
        return text.wrapped(to: width).map { line in
            var painted = ""
            var run = ""
            for character in line {
                let flag = character.isWhitespace ? false : rest.popFirst() ?? false
                if !flag, !run.isEmpty {
                    painted += ANSIStyle.link(run)
                    run = ""
                }
                if flag { run.append(character) } else { painted.append(character) }
            }
            return (run.isEmpty ? painted : painted + ANSIStyle.link(run)).isolated
        }
    }
}
