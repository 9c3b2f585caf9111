/// The numbers of lines and items that fit on the screen, by which keys move.
struct KeyRoom: Hashable {
    /// The number of lines of an open message or thread, or of the help.
    let lines: Int
    /// The number of items of the list.
    let items: Int

    /// The number of items by which a key moves to the next page of the list. One of the page before stays.
    var itemStep: Int { max(1, items - 1) }
}

/// The part of a text that is longer than the screen: an open message or thread, or the help.
struct PageScroll: Hashable {
    /// The number of lines above the first shown one.
    private(set) var start = 0

    /// Moves by a key.
    ///
    /// - Returns: Whether the key moves.
    mutating func press(_ key: KeyPress, room: KeyRoom) -> Bool {
        let page = max(1, room.lines - 1)
        switch key {
        case .up, .character("k"): start = max(0, start - 1)
        case .down, .character("j"): start += 1
        case .pageDown, .character(" "): start += page
        case .pageUp, .character("b"): start = max(0, start - page)
        case .home: start = 0
        // The last line is at the bottom once the scroll is limited.
        case .end: start = Int.max / 2
        default: return false
        }
        return true
    }

    /// Keeps the last line at the bottom.
    ///
    /// - Parameters:
    ///   - lines: The number of the text's lines.
    ///   - room: The number of those that fit.
    mutating func limit(lines: Int, room: Int) {
        start = max(0, min(start, lines - room))
    }

    /// Returns the lines that are shown.
    func part(of lines: [String], room: KeyRoom) -> [String] { Array(lines.dropFirst(start).prefix(room.lines)) }

    /// Returns the instruction to read on, for the footer. It is empty at the end.
    func instruction(for lines: [String], room: KeyRoom) -> String {
        let rest = lines.count - start - room.lines
        return rest > 0 ? "  Space: \(counted(rest, "more line"))" : ""
    }
}
