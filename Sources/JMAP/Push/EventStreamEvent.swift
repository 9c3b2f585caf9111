/// One event of an event stream (HTML Standard, §9.2 Server-sent events).
package struct EventStreamEvent: Hashable, Sendable {
    /// `message` where the stream names none.
    package var name: String
    package var data: String
    package var id: String?

    package init(name: String = "message", data: String, id: String? = nil) {
        self.name = name
        self.data = data
        self.id = id
    }

    /// The event as it goes over the wire. Neither name nor id may hold a line break; those of the data
    /// arrive as line feeds.
    package var bytes: [UInt8] {
        var text = "event: \(name)\n"
        if let id { text += "id: \(id)\n" }
        for line in data.split(omittingEmptySubsequences: false, whereSeparator: Self.isLineBreak) {
            text += "data: \(line)\n"
        }
        return Array((text + "\n").utf8)
    }

    /// The three ends of a line that a parser knows. To Swift, CR LF is one character.
    private static func isLineBreak(_ character: Character) -> Bool {
        character == "\n" || character == "\r" || character == "\r\n"
    }
}
