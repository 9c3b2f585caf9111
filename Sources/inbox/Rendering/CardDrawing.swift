import InboxCards

/// Draws cards as text for a terminal, from the same element tree as a screen.
///
/// Elements that are side by side elsewhere are drawn below each other, except for short ones: buttons, a category and
/// a time.
struct CardDrawing {
    /// The width in columns.
    let width: Int
    /// Whether texts are drawn in full rather than truncated.
    var showsFullText = false

    /// The maximum line width, because longer lines are hard to read on any terminal.
    static let maxWidth = 80
    /// The columns for the marks before each line.
    private static let margin = 3
    private static let titleLines = 2
    /// The text in place of one that a message doesn't have.
    static let noText = "(no text)"
    private static let bodyLines = 3

    /// Returns the lines of a card. The first line begins with the unread mark and ends with the id.
    func lines(_ card: Card, id: String, isPinned: Bool) -> [String] {
        let width = min(width, Self.maxWidth)
        let room = max(2, width - Self.margin)
        let idRoom = id.isEmpty ? 0 : id.columns + 2
        var lines = lines(of: card.content, card, room: room, idRoom: idRoom)
        // A picture without a description.
        if lines.isEmpty { lines.append(ANSIStyle.dim(Self.noText)) }
        // The id stays on its line where a terminal draws the parts of an emoji side by side.
        let more = lines[0].widestColumns - lines[0].columns
        if !id.isEmpty, more > 0, room - idRoom - more > 2 {
            lines = self.lines(of: card.content, card, room: room, idRoom: idRoom + more)
        }
        if !id.isEmpty {
            let space = String(repeating: " ", count: max(2, room - lines[0].widestColumns - id.columns))
            lines[0] += space + ANSIStyle.dim(id)
        }
        let unread = card.shownUnreadIcon == nil ? " " : ANSIStyle.success("●")
        let marks = unread + (isPinned ? ANSIStyle.warning("▲") : " ") + " "
        let space = String(repeating: " ", count: Self.margin)
        return lines.enumerated().map { index, line in (index == 0 ? marks : space) + line }
    }

    /// Returns the lines of one of the card's elements.
    ///
    /// - Parameter idRoom: The number of columns that the first line leaves free for the id.
    private func lines(of element: CardElement, _ card: Card, room: Int, idRoom: Int) -> [String] {
        switch element {
        case .text(let text): return lines(of: text, card, room: room, idRoom: idRoom)
        case .time, .button: return line(of: element, room: room - idRoom).map { [$0] } ?? []
        case .image(let image):
            guard let alt = image.alt?.plainLine, !alt.isEmpty else { return [] }
            return wrapped("▣ " + alt, room: room, idRoom: idRoom, limit: Self.titleLines).map(ANSIStyle.dim)
        case .stack(let stack):
            if stack.axis == .horizontal {
                let parts = stack.children.compactMap { line(of: $0, room: room - idRoom) }
                if parts.count == stack.children.count { return rows(parts, room: room - idRoom) }
            }
            // Text comes first: a picture is only its description here.
            let words = stack.children.filter { !$0.isImage }
            var lines: [String] = []
            for child in words + stack.children.filter(\.isImage) {
                lines += self.lines(of: child, card, room: room, idRoom: lines.isEmpty ? idRoom : 0)
            }
            return lines
        }
    }

    private func lines(of text: TextElement, _ card: Card, room: Int, idRoom: Int) -> [String] {
        switch text.role {
        case .heading:
            let lines = wrapped(text.content.plainLine, room: room, idRoom: idRoom, limit: Self.titleLines)
            return card.shownUnreadIcon != nil || showsFullText ? lines.map(ANSIStyle.bold) : lines
        case .text: return wrapped(text.content.plainText, room: room, idRoom: idRoom, limit: Self.bodyLines)
        case .caption:
            return wrapped(text.content.plainLine, room: room, idRoom: idRoom, limit: 1).map(ANSIStyle.dim)
        }
    }

    /// Returns an element that is short enough to share a line, or nil.
    private func line(of element: CardElement, room: Int) -> String? {
        switch element {
        case .time(let time): ANSIStyle.dim(time.text.content.plainLine.cut(to: room).isolated)
        case .button(let button): ANSIStyle.accent("[" + button.text.content.plainLine.cut(to: room - 2).isolated + "]")
        case .text(let text) where text.role == .caption:
            ANSIStyle.dim(text.content.plainLine.cut(to: room).isolated)
        case .text, .image, .stack: nil
        }
    }

    /// Joins parts on lines, as many as fit on each.
    private func rows(_ parts: [String], room: Int) -> [String] {
        var rows: [String] = []
        for part in parts {
            if let last = rows.last, last.columns + 2 + part.columns <= room {
                rows[rows.count - 1] = last + "  " + part
            } else {
                rows.append(part)
            }
        }
        return rows
    }

    /// Wraps a text into lines. Unless the card is drawn in full, empty lines are removed and the text is truncated to
    /// `limit` lines.
    private func wrapped(_ text: String, room: Int, idRoom: Int, limit: Int) -> [String] {
        guard !text.isEmpty else { return [] }
        var lines = text.wrapped(to: room - idRoom)
        if idRoom > 0, lines.count > 1 {
            // Only the first line is shorter.
            let rest = text.dropFirst(lines[0].count).drop { $0 == " " || $0 == "\n" }
            lines = [lines[0]] + String(rest).wrapped(to: room)
        }
        guard !showsFullText else { return lines.map(\.isolated) }
        lines = lines.filter { !$0.isEmpty }
        guard lines.count > limit else { return lines.map(\.isolated) }
        lines[limit - 1] = (lines[limit - 1] + " …").cut(to: room)
        return lines.prefix(limit).map(\.isolated)
    }
}

extension CardElement {
    fileprivate var isImage: Bool { if case .image = self { true } else { false } }
}
