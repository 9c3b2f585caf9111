/// A parser of event streams (HTML Standard, section 9.2.6), which accepts bytes in chunks of any size.
///
/// It is a state machine without I/O, which keeps the unfinished event between calls. An event of more than ``limit``
/// bytes ends the stream with an error, so that a hostile server can't exhaust memory.
package struct EventStreamParser {
    package struct TooLarge: Error {}

    package let limit: Int
    private var line: [UInt8] = []
    private var lastWasReturn = false
    private var isFirstLine = true
    private var name = ""
    private var data = ""
    private var hasData = false
    private var id: String?

    package init(limit: Int = 1_048_576) {
        self.limit = limit
    }

    /// Parses the next bytes and returns the events that they complete.
    package mutating func parse(_ bytes: some Sequence<UInt8>) throws(TooLarge) -> [EventStreamEvent] {
        var events: [EventStreamEvent] = []
        for byte in bytes {
            switch byte {
            case 0x0A where lastWasReturn:
                lastWasReturn = false
            case 0x0A, 0x0D:
                lastWasReturn = byte == 0x0D
                if let event = endLine() { events.append(event) }
            default:
                lastWasReturn = false
                line.append(byte)
                guard line.count + data.utf8.count <= limit else { throw TooLarge() }
            }
        }
        return events
    }

    private mutating func endLine() -> EventStreamEvent? {
        var text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        if isFirstLine {
            isFirstLine = false
            if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        }
        guard !text.isEmpty else { return dispatch() }
        let field: Substring
        var value: Substring
        if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
            field = text[..<colon]
            value = text[text.utf8.index(after: colon)...]
            if value.utf8.first == UInt8(ascii: " ") { value.unicodeScalars.removeFirst() }
        } else {
            field = text[...]
            value = ""
        }
        switch field {
        case "event": name = String(value)
        case "data":
            if hasData { data += "\n" }
            data += value
            hasData = true
        case "id" where !value.contains("\0"): id = String(value)
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> EventStreamEvent? {
        defer {
            name = ""
            data = ""
            hasData = false
        }
        guard hasData else { return nil }
        return EventStreamEvent(name: name.isEmpty ? "message" : name, data: data, id: id)
    }
}
