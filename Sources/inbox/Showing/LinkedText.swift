import InboxMail

/// A mail's text in lines, with its links marked also where a line breaks them.
enum LinkedText {
    static func lines(_ text: String, width: Int) -> [String] {
        let text = text.plainText
        // A link has no space in it, and all that wrapping leaves out is spaces.
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
                    painted += Paint.link(run)
                    run = ""
                }
                if flag { run.append(character) } else { painted.append(character) }
            }
            return (run.isEmpty ? painted : painted + Paint.link(run)).isolated
        }
    }
}
